import { Body, Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { keepSession } from '../../auth/session.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { SignInService, type SignedIn } from '../../people/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/address.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { ConfirmPage, PROOF } from './confirm.page.js';

const SEE_OTHER = 303;
/** The browser sends the same form once more, to where it was first sent. */
const TEMPORARY_REDIRECT = 307;

/** Takes the proof that a page asked for, and goes on where one was. */
@Controller('confirm')
@WebPage('people')
@UseFilters(WebFilter)
export class ConfirmController {
  constructor(
    private readonly signIns: SignInService,
    private readonly config: Config,
  ) {}

  /** Check the password, and repeat what had to wait. */
  @Post()
  async confirm(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const to = parseLocalPath(textOf(typed, PROOF.to)) ?? '/';
    const method = textOf(typed, PROOF.method);
    try {
      const password = textOf(typed, PROOF.password);
      const address = addressOf(request, this.config);
      keepSession(response, this.config, await this.signIns.prove(signedIn, password, address));
      const status = method === 'POST' ? TEMPORARY_REDIRECT : SEE_OTHER;
      response.set('Cache-Control', 'no-store').redirect(status, to);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const interrupted = { to, method, typed };
      sendPage(response, ConfirmPage({ interrupted, problems: error.fields }), 422);
    }
  }
}
