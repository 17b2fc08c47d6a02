import { Body, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { Config } from '../../platform/config/config.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { SetupService } from '../../people/setup/setup.service.js';
import { textOf, type Typed } from '../parts/typed.js';
import { readFirstWay, readPerson } from './person-fields.js';
import { SetupPage } from './setup.page.js';
import { HOME } from './sign-in.controller.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page on which the holder of the setup code becomes an owner. */
@WebController('setup', 'everyone')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly passkeys: PasskeysService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** Ask for the code and who the owner is. Opening this uses nothing up. */
  @Get()
  ask(): PageAnswer {
    const hasPasskeys = this.passkeys.arePossible;
    return page(SetupPage, { hasPasskeys }, { isSignedOut: true });
  }

  /** Hand out what a browser needs to make the first passkey of somebody new, here or by an invitation. */
  @Post('passkey')
  @HttpCode(200)
  async optionsForNew(@Body() typed: Typed | undefined, @Res() response: Response): Promise<void> {
    const details = { email: textOf(typed, 'email').trim(), name: textOf(typed, 'name').trim() };
    const options = await this.passkeys.optionsForNew(details);
    response.set('Cache-Control', 'no-store').json({ options });
  }

  /** Make the owner, and sign them in. */
  @Post()
  async claim(@Asked() { typed, request, response }: PageInput): Promise<PageAnswer> {
    return attempt(
      async () => {
        const details = readPerson(request, typed);
        const device = deviceOf(request, this.config, false);
        const way = readFirstWay(request, typed);
        const begun = await this.setup.claim(textOf(typed, 'code'), details, way, device);
        await this.browsers.letIn(request, response, begun);
        return goTo(HOME, 'welcome');
      },
      (problems) => {
        const [code, email] = [textOf(typed, 'code'), textOf(typed, 'email')];
        const kept = { code, email, name: textOf(typed, 'name') };
        const shown = { typed: kept, hasPasskeys: this.passkeys.arePossible, problems };
        return page(SetupPage, shown, { isSignedOut: true });
      },
    );
  }
}
