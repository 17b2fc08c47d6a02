import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { FactorsService } from '../../people/credentials/factors.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { isTotpSecret, newTotpSecret } from '../../people/credentials/totp.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { SECRET, sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { RecoveryCodesPage, TotpPage } from './totp.page.js';

/** Serves the pages about codes of an authenticator app and about recovery codes. */
@Controller('account/totp')
@WebPage('people')
@Fresh()
@UseFilters(WebFilter)
export class TotpController {
  constructor(
    private readonly factors: FactorsService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show a secret for the app; nothing changes yet. */
  @Get()
  ask(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(signedIn, newTotpSecret(), request, response);
  }

  /** Ask for codes from now on, and show the recovery codes. */
  @Post()
  async add(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [secret, code] = [textOf(typed, 'secret'), textOf(typed, 'code')];
    try {
      const address = addressOf(request, this.config);
      const codes = await this.factors.addTotp(signedIn, secret, code, address);
      await this.sendCodes(codes, signedIn, request, response);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const again = isTotpSecret(secret) ? secret : newTotpSecret();
      await this.send(signedIn, again, request, response, error.fields);
    }
  }

  /** Ask for the password alone from now on. */
  @Post('remove')
  async remove(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.factors.removeTotp(signedIn, addressOf(request, this.config));
    redirect(response, '/account', 'factor_removed');
  }

  /** Put new recovery codes in the place of the former ones. */
  @Post('codes')
  async renew(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const codes = await this.factors.renewCodes(signedIn, addressOf(request, this.config));
    await this.sendCodes(codes, signedIn, request, response);
  }

  private async send(
    signedIn: SignedIn,
    secret: string,
    request: Request,
    response: Response,
    problems?: FieldProblem[],
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn);
    const { email } = signedIn.person;
    const page = { frame, email, secret, ...(problems && { problems }) };
    sendPage(response, TotpPage(page), problems ? UNPROCESSABLE : 200, SECRET);
  }

  private async sendCodes(
    codes: string[],
    signedIn: SignedIn,
    request: Request,
    response: Response,
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn);
    sendPage(response, RecoveryCodesPage({ frame, codes }), 200, SECRET);
  }
}
