import { Get, Post, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OpenWhileViewing } from '../../access/access.decorators.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { clearSessionCookie, sessionSecretOf } from '../../auth/session.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { type SignedIn, SignInService } from '../../people/sign-in/sign-in.service.js';
import { PasskeySignInService } from '../../people/sign-in-methods/passkey-sign-in.service.js';
import { SecondStepService } from '../../people/sign-in-methods/second-step.service.js';
import type { Session } from '../../sessions/session.entity.js';
import type { Flash } from '../layout/flash.js';
import { credentialOf, isTicked, textOf } from '../parts/typed.js';
import { CodePage, SignInPage } from './sign-in.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';

/** Makes the page that offers all ways to sign in that there are. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly links: LinkSignInService,
    private readonly oidc: OidcSignInService,
    private readonly passkeys: PasskeysService,
    private readonly addresses: PublicAddresses,
  ) {}

  /** @param shown where to go on; what was typed, and what is wrong with it */
  async page(
    request: Request,
    shown: { next: string; email?: string; problems?: FieldProblem[] },
  ): Promise<PageAnswer> {
    const isOurs = await this.addresses.isOurs(request);
    const ways = {
      isLinkOffered: this.links.isOffered,
      providerName: isOurs ? this.oidc.providerName : null,
      hasPasskeys: isOurs && this.passkeys.arePossible,
    };
    return page(SignInPage, { ...ways, ...shown }, { isSignedOut: true });
  }
}

/** The page after sign-in without `next`; it redirects to the person's first page. */
export const HOME = '/';
/** The first page of people who act for an account or client, and of people who have to choose one. */
const START = '/inbox';
const CHOOSE = '/account';

@WebController('', 'everyone')
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly secondStep: SecondStepService,
    private readonly pages: SignInPages,
    private readonly passkeySignIns: PasskeySignInService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** Redirect to the person's first page; the name of the service on every page links here. */
  @Get()
  @OpenWhileViewing()
  lead(@CurrentPerson() signedIn: SignedIn | undefined): PageAnswer {
    if (!signedIn) return goTo('/sign-in');
    return goTo(signedIn.principal ? START : CHOOSE);
  }

  /** Ask for address and password; who is signed in goes on. */
  @Get('sign-in')
  async ask(
    @Asked() { query, request }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const next = parseLocalPath(query.next) ?? HOME;
    return signedIn ? goTo(next) : this.pages.page(request, { next });
  }

  /** Sign in, in a new session, and go on. */
  @Post('sign-in')
  async signIn(
    @Asked() { typed, request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const email = textOf(typed, 'email').trim();
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return attempt(
      async () => {
        const begun = await this.signIns.signIn(email, textOf(typed, 'password'), device);
        if (signedIn) await this.signIns.signOut(signedIn, device.address);
        await this.browsers.letIn(request, response, begun);
        if (begun.session.provedAt === null) return goTo(codeAddress(next));
        return goTo(next, 'signed_in');
      },
      (problems) => this.pages.page(request, { next, email, problems }),
    );
  }

  /** Sign in with a passkey, in a new session, and go on. */
  @Post('sign-in/passkey')
  async signInByPasskey(
    @Asked() { typed, request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return attempt(
      async () => {
        const begun = await this.passkeySignIns.signIn(credentialOf(typed), device);
        if (signedIn) await this.signIns.signOut(signedIn, device.address);
        await this.browsers.letIn(request, response, begun);
        return goTo(next, 'signed_in');
      },
      (problems) => this.pages.page(request, { next, problems }),
    );
  }

  /** Ask for the second factor of who has shown the password. */
  @Get('sign-in/code')
  async askCode(@Asked() { query, request }: PageInput): Promise<PageAnswer> {
    if (!(await this.waiting(request))) return goTo('/sign-in');
    const next = parseLocalPath(query.next) ?? HOME;
    return page(CodePage, { next }, { isSignedOut: true });
  }

  /** Check the second factor, sign in, and go on. */
  @Post('sign-in/code')
  async takeCode(@Asked() { typed, request, response }: PageInput): Promise<PageAnswer> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const waiting = await this.waiting(request);
    if (!waiting) return goTo('/sign-in');
    return attempt(
      async () => {
        const address = addressOf(request, this.config);
        const begun = await this.secondStep.complete(waiting, textOf(typed, 'code'), address);
        await this.browsers.letIn(request, response, begun);
        return goTo(next, flashOf(begun.session));
      },
      (problems) => page(CodePage, { next, problems }, { isSignedOut: true }),
    );
  }

  /** End the session. */
  @Post('sign-out')
  @OpenWhileViewing()
  async signOut(
    @Asked() { request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    if (signedIn) await this.signIns.signOut(signedIn, addressOf(request, this.config));
    clearSessionCookie(response, this.config);
    return goTo('/sign-in', 'signed_out');
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
