import { Body, Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { setSessionCookie } from '../../auth/session.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { ProofsService } from '../../people/sign-in-methods/proofs.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { sendPage } from '../layout/send-page.js';
import { credentialOf, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { ConfirmPage, PROOF } from '../layout/confirm.page.js';

const SEE_OTHER = 303;
/** Makes the browser send the same form again, to where it was first sent. */
const TEMPORARY_REDIRECT = 307;

/** Takes the proof that a page asked for, and repeats the interrupted request. */
@Controller('confirm')
@WebPage('people')
@UseFilters(WebFilter)
export class ConfirmController {
  constructor(
    private readonly proofs: ProofsService,
    private readonly config: Config,
  ) {}

  /** Check what is shown, and repeat the interrupted request. */
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
      const proof = {
        password: textOf(typed, PROOF.password),
        code: textOf(typed, PROOF.code),
        credential: credentialOf(typed, PROOF.credential),
      };
      const address = addressOf(request, this.config);
      const begun = await this.proofs.prove(signedIn, proof, address);
      setSessionCookie(response, this.config, begun);
      const status = method === 'POST' ? TEMPORARY_REDIRECT : SEE_OTHER;
      response.set('Cache-Control', 'no-store').redirect(status, to);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const interrupted = { to, method, typed };
      const ways = await this.proofs.waysOf(signedIn.person);
      sendPage(response, ConfirmPage({ interrupted, ways, problems: error.fields }), 422);
    }
  }
}
