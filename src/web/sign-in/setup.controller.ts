import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { keepSession } from '../../auth/session.cookie.js';
import { Config } from '../../platform/config/config.js';
import { SetupService } from '../../people/setup.service.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { deviceOf, readPerson } from './person-fields.js';
import { SetupPage } from './setup.page.js';
import { HOME } from './sign-in.controller.js';

/** Makes the owner of whoever has the code that the console printed. */
@Controller('setup')
@WebPage('everyone')
@UseFilters(WebFilter)
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Ask for the code and who the owner is. Opening this uses nothing up. */
  @Get()
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendPage(response, SetupPage({ frame: await this.frames.of(request, response, null) }));
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
      const password = textOf(typed, 'password');
      const begun = await this.setup.claim(textOf(typed, 'code'), details, password, device);
      keepSession(response, this.config, begun);
      redirect(response, HOME, 'welcome');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const frame = await this.frames.of(request, response, null);
      const kept = {
        code: textOf(typed, 'code'),
        email: textOf(typed, 'email'),
        name: textOf(typed, 'name'),
      };
      sendPage(response, SetupPage({ frame, typed: kept, problems: error.fields }), 422);
    }
  }
}
