import { Body, Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { Config } from '../../platform/config/config.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { SetupService } from '../../people/setup/setup.service.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { readFirstWay, readPerson } from './person-fields.js';
import { SetupPage } from './setup.page.js';
import { HOME } from './sign-in.controller.js';

/** Serves the page on which the holder of the setup code becomes an owner. */
@Controller('setup')
@WebPage('everyone')
@UseFilters(WebFilter)
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly passkeys: PasskeysService,
    private readonly browsers: Browsers,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Ask for the code and who the owner is. Opening this uses nothing up. */
  @Get()
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const frame = await this.frames.of(request, response, null);
    const hasPasskeys = this.passkeys.arePossible;
    sendPage(response, SetupPage({ frame, hasPasskeys }));
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
  async claim(
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      const details = readPerson(request, typed);
      const device = deviceOf(request, this.config, false);
      const way = readFirstWay(request, typed);
      const begun = await this.setup.claim(textOf(typed, 'code'), details, way, device);
      await this.browsers.letIn(request, response, begun);
      redirect(response, HOME, 'welcome');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const frame = await this.frames.of(request, response, null);
      const kept = {
        code: textOf(typed, 'code'),
        email: textOf(typed, 'email'),
        name: textOf(typed, 'name'),
      };
      const page = { frame, typed: kept, hasPasskeys: this.passkeys.arePossible };
      sendPage(response, SetupPage({ ...page, problems: error.fields }), UNPROCESSABLE);
    }
  }
}
