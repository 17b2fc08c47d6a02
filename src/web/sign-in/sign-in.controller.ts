import { Body, Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenWhileViewing, WebPage } from '../../access/access.decorators.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { clearSessionCookie, sessionSecretOf } from '../../auth/session.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { PasskeySignInService } from '../../people/sign-in-methods/passkey-sign-in.service.js';
import { SecondStepService } from '../../people/sign-in-methods/second-step.service.js';
import { SignInService } from '../../people/sign-in/sign-in.service.js';
import type { Session } from '../../sessions/session.entity.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect, type Flash } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { credentialOf, isTicked, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { CodePage } from './code.page.js';
import { SignInPages } from './sign-in-pages.js';

/** The page after sign-in without `next`; it redirects to the person's first page. */
export const HOME = '/';
/** The first page of people who act for an account or client, and of people who have to choose one. */
const START = '/inbox';
const CHOOSE = '/account';

@Controller()
@WebPage('everyone')
@UseFilters(WebFilter)
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly secondStep: SecondStepService,
    private readonly pages: SignInPages,
    private readonly passkeySignIns: PasskeySignInService,
    private readonly browsers: Browsers,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Redirect to the person's first page; the name of the service on every page links here. */
  @Get()
  @OpenWhileViewing()
  lead(@CurrentPerson() signedIn: SignedIn | undefined, @Res() response: Response): void {
    if (!signedIn) redirect(response, '/sign-in');
    else redirect(response, signedIn.principal ? START : CHOOSE);
  }

  /** Ask for address and password; who is signed in goes on. */
  @Get('sign-in')
  async ask(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Query('next') wanted: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(wanted) ?? HOME;
    if (signedIn) redirect(response, next);
    else await this.pages.send(request, response, { next });
  }

  /** Sign in, in a new session, and go on. */
  @Post('sign-in')
  async signIn(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const email = textOf(typed, 'email').trim();
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    try {
      const begun = await this.signIns.signIn(email, textOf(typed, 'password'), device);
      if (signedIn) await this.signIns.signOut(signedIn, device.address);
      await this.browsers.letIn(request, response, begun);
      if (begun.session.provedAt === null) redirect(response, codeAddress(next));
      else redirect(response, next, 'signed_in');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      await this.pages.send(request, response, { next, email, problems: error.fields });
    }
  }

  /** Sign in with a passkey, in a new session, and go on. */
  @Post('sign-in/passkey')
  async signInByPasskey(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    try {
      const begun = await this.passkeySignIns.signIn(credentialOf(typed), device);
      if (signedIn) await this.signIns.signOut(signedIn, device.address);
      await this.browsers.letIn(request, response, begun);
      redirect(response, next, 'signed_in');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      await this.pages.send(request, response, { next, problems: error.fields });
    }
  }

  /** Ask for the second factor of who has shown the password. */
  @Get('sign-in/code')
  async askCode(
    @Query('next') wanted: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!(await this.waiting(request))) redirect(response, '/sign-in');
    else {
      const frame = await this.frames.of(request, response, null);
      sendPage(response, CodePage({ frame, next: parseLocalPath(wanted) ?? HOME }));
    }
  }

  /** Check the second factor, sign in, and go on. */
  @Post('sign-in/code')
  async takeCode(
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const waiting = await this.waiting(request);
    if (!waiting) {
      redirect(response, '/sign-in');
      return;
    }
    try {
      const address = addressOf(request, this.config);
      const begun = await this.secondStep.complete(waiting, textOf(typed, 'code'), address);
      await this.browsers.letIn(request, response, begun);
      redirect(response, next, flashOf(begun.session));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const frame = await this.frames.of(request, response, null);
      sendPage(response, CodePage({ frame, next, problems: error.fields }), UNPROCESSABLE);
    }
  }

  /** End the session. */
  @Post('sign-out')
  @OpenWhileViewing()
  async signOut(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (signedIn) await this.signIns.signOut(signedIn, addressOf(request, this.config));
    clearSessionCookie(response, this.config);
    redirect(response, '/sign-in', 'signed_out');
  }

  /** Returns the session of the request if it waits for a second factor, else null. */
  private async waiting(request: Request): Promise<Session | null> {
    const secret = sessionSecretOf(request, this.config);
    return secret === null ? null : this.secondStep.recognise(secret);
  }
}

/** Where the second factor is asked for. */
export function codeAddress(next: string): string {
  return next === HOME ? '/sign-in/code' : `/sign-in/code?next=${encodeURIComponent(next)}`;
}

/** Returns what is said once somebody is in. */
export function flashOf({ way }: Session): Flash {
  return way === 'link' ? 'signed_in_by_link' : 'signed_in';
}
