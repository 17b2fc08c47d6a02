import { Post, Get, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  parseLocalPath,
  setSessionCookie,
  clearSessionCookie,
  sessionSecretOf,
  clearCookie,
  readCookie,
  setCookie,
} from '../../people/auth/session.cookie.js';
import { ProofsService, SecondStepService } from '../../people/sign-in-methods/proofs.service.js';
import { PasskeySignInService } from '../../people/sign-in-methods/passkey-sign-in.service.js';
import { Config, type FieldProblem } from '../../platform/index.js';
import { addressOf } from '../../platform/http/index.js';
import { credentialOf, textOf, isTicked } from '../parts/index.js';
import { ConfirmPage, PROOF } from '../layout/confirm.page.js';
import {
  attempt,
  goTo,
  page,
  sendAgain,
  Asked,
  type OpenPageInput,
  type PageInput,
  WebController,
} from '../kit/index.js';
import { OpenWhileViewing, WebPage } from '../../accounts/access/index.js';
import { Browsers, deviceOf, Fresh } from '../../people/auth/browsers.cookie.js';
import { SignInService } from '../../people/sign-in/sign-in.service.js';
import type { BegunSession } from '../../people/sessions/sessions.service.js';
import { CodePage, SignInPage, ElsewherePage, LinkPage, DeparturePage } from './sign-in.page.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { type BegunDeparture, OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { LinkOver } from '../../people/person/person.errors.js';
import { readEmail, readTimeZone } from './person-fields.js';

/** Takes the proof that a page asked for, and repeats the interrupted request. */
@WebController('confirm', 'people')
export class ConfirmController {
  constructor(
    private readonly proofs: ProofsService,
    private readonly config: Config,
  ) {}

  /** Check what is shown, and repeat the interrupted request. */
  @Post()
  async confirm(@Asked() { signedIn, typed, request, response }: PageInput) {
    const to = parseLocalPath(textOf(typed, PROOF.to)) ?? '/';
    const method = textOf(typed, PROOF.method);
    return attempt(
      async () => {
        const proof = {
          password: textOf(typed, PROOF.password),
          code: textOf(typed, PROOF.code),
          credential: credentialOf(typed, PROOF.credential),
        };
        const address = addressOf(request, this.config);
        const begun = await this.proofs.prove(signedIn, proof, address);
        setSessionCookie(response, this.config, begun);
        return method === 'POST' ? sendAgain(to) : goTo(to);
      },
      async (problems) => {
        const interrupted = { to, method, typed };
        const ways = await this.proofs.waysOf(signedIn.person);
        return page(ConfirmPage, { interrupted, ways, problems }, { isSignedOut: true });
      },
    );
  }
}

/** Makes the page that offers all ways to sign in that there are. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly links: LinkSignInService,
    private readonly oidc: OidcSignInService,
    private readonly passkeys: PasskeysService,
    private readonly addresses: PublicAddresses,
    private readonly signIns: SignInService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** @param shown where to go on; what was typed, and what is wrong with it */
  async page(request: Request, shown: { next: string; email?: string; problems?: FieldProblem[] }) {
    const isOurs = await this.addresses.isOurs(request);
    const ways = {
      isLinkOffered: this.links.isOffered,
      providerName: isOurs ? this.oidc.providerName : null,
      hasPasskeys: isOurs && this.passkeys.arePossible,
    };
    return page(SignInPage, { ...ways, ...shown }, { isSignedOut: true });
  }

  /** Lets in who has just signed in, in place of who was here before, and leads on: to the second factor if it is due. */
  async letIn({ request, response, signedIn }: Arriving, begun: BegunSession, next: string) {
    if (signedIn) await this.signIns.signOut(signedIn, addressOf(request, this.config));
    await this.browsers.letIn(request, response, begun);
    if (begun.session.provedAt === null) return goTo(codeAddress(next));
    return goTo(next, begun.session.way === 'link' ? 'signed_in_by_link' : 'signed_in');
  }
}

/** A request that began a session, and the person whose session it replaces. */
type Arriving = Pick<OpenPageInput, 'request' | 'response'> & Partial<OpenPageInput>;

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
    private readonly config: Config,
  ) {}

  /** Redirect to the person's first page; the name of the service on every page links here. */
  @Get()
  @OpenWhileViewing()
  lead(@Asked() { signedIn }: OpenPageInput) {
    if (!signedIn) return goTo('/sign-in');
    return goTo(signedIn.principal ? START : CHOOSE);
  }

  /** Ask for address and password; who is signed in goes on. */
  @Get('sign-in')
  async ask(@Asked() { query, request, signedIn }: OpenPageInput) {
    const next = parseLocalPath(query.next) ?? HOME;
    return signedIn ? goTo(next) : this.pages.page(request, { next });
  }

  /** Sign in, in a new session, and go on. */
  @Post('sign-in')
  async signIn(@Asked() { typed, request, response, signedIn }: OpenPageInput) {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const email = textOf(typed, 'email').trim();
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return attempt(
      async () => {
        const begun = await this.signIns.signIn(email, textOf(typed, 'password'), device);
        return this.pages.letIn({ request, response, signedIn }, begun, next);
      },
      (problems) => this.pages.page(request, { next, email, problems }),
    );
  }

  /** Sign in with a passkey, in a new session, and go on. */
  @Post('sign-in/passkey')
  async signInByPasskey(@Asked() { typed, request, response, signedIn }: OpenPageInput) {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return attempt(
      async () => {
        const begun = await this.passkeySignIns.signIn(credentialOf(typed), device);
        return this.pages.letIn({ request, response, signedIn }, begun, next);
      },
      (problems) => this.pages.page(request, { next, problems }),
    );
  }

  /** Ask for the second factor of who has shown the password. */
  @Get('sign-in/code')
  async askCode(@Asked() { query, request }: PageInput) {
    if (!(await this.waiting(request))) return goTo('/sign-in');
    const next = parseLocalPath(query.next) ?? HOME;
    return page(CodePage, { next }, { isSignedOut: true });
  }

  /** Check the second factor, sign in, and go on. */
  @Post('sign-in/code')
  async takeCode(@Asked() { typed, request, response }: PageInput) {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const waiting = await this.waiting(request);
    if (!waiting) return goTo('/sign-in');
    return attempt(
      async () => {
        const address = addressOf(request, this.config);
        const begun = await this.secondStep.complete(waiting, textOf(typed, 'code'), address);
        return this.pages.letIn({ request, response }, begun, next);
      },
      (problems) => page(CodePage, { next, problems }, { isSignedOut: true }),
    );
  }

  /** End the session. */
  @Post('sign-out')
  @OpenWhileViewing()
  async signOut(@Asked() { request, response, signedIn }: OpenPageInput) {
    if (signedIn) await this.signIns.signOut(signedIn, addressOf(request, this.config));
    clearSessionCookie(response, this.config);
    return goTo('/sign-in', 'signed_out');
  }

  /** Returns the session of the request if it waits for a second factor, else null. */
  private async waiting(request: Request) {
    const secret = sessionSecretOf(request, this.config);
    return secret === null ? null : this.secondStep.recognise(secret);
  }
}

/** Where the second factor is asked for. */
function codeAddress(next: string) {
  return next === HOME ? '/sign-in/code' : `/sign-in/code?next=${encodeURIComponent(next)}`;
}

/** Where link and code of the mail are used. */
const PATH = '/sign-in/link';
const LINK_COOKIE = 'fcs_link';
const NOT_FOUND = 404;
const SIGNED_OUT = { isSignedOut: true };

/** Signs people in by a link or a code from a mail, in the browser that asked for it alone. */
@WebController('sign-in/link', 'everyone')
export class LinkController {
  constructor(
    private readonly links: LinkSignInService,
    private readonly pages: SignInPages,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Mail a link if somebody has the address; the answer is the same for all. */
  @Post()
  async ask(@Asked() { typed, request, response }: PageInput) {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    return attempt(
      async () => {
        const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
        const at = await this.addresses.clientAt(request);
        const { ticket, maxAgeMs } = await this.links.ask(readEmail(typed), device, next, at);
        setCookie(response, this.config, LINK_COOKIE, ticket, maxAgeMs);
        return goTo(PATH);
      },
      (problems) => {
        const email = textOf(typed, 'email').trim();
        return this.pages.page(request, { next, email, problems });
      },
    );
  }

  /** Ask for the code; opening the link of the mail shows this page and uses nothing up. */
  @Get()
  async show(@Asked() { request, signedIn }: OpenPageInput) {
    const open = await this.links.open(readCookie(request, this.config, LINK_COOKIE));
    if (open) return page(LinkPage, { email: open.link.email }, SIGNED_OUT);
    return signedIn ? goTo(HOME) : page(ElsewherePage, {}, SIGNED_OUT);
  }

  /** Sign in, in a new session, and go on. */
  @Post('use')
  async use(@Asked() { typed, request, response, signedIn }: OpenPageInput) {
    const ticket = readCookie(request, this.config, LINK_COOKIE);
    const open = await this.links.open(ticket);
    const work = async () => {
      const device = deviceOf(request, this.config, false);
      const begun = await this.links.use(ticket, textOf(typed, 'code'), device);
      clearCookie(response, this.config, LINK_COOKIE);
      const next = parseLocalPath(open?.ticket.next) ?? HOME;
      return this.pages.letIn({ request, response, signedIn }, begun, next);
    };
    try {
      if (!open) return await work();
      const { email } = open.link;
      return await attempt(work, (problems) => page(LinkPage, { email, problems }, SIGNED_OUT));
    } catch (error) {
      if (!(error instanceof LinkOver)) throw error;
      return page(ElsewherePage, {}, { ...SIGNED_OUT, status: NOT_FOUND });
    }
  }
}

const OIDC_COOKIE = 'fcs_oidc';
const ACCOUNT = '/account';

/** Signs people in through the OpenID Connect provider. Only a page of this service begins it. */
@WebController('sign-in/oidc', 'everyone')
export class OidcController {
  constructor(
    private readonly oidc: OidcSignInService,
    private readonly pages: SignInPages,
    private readonly config: Config,
  ) {}

  /** Send the browser to the provider. */
  @Post()
  async begin(@Asked() { typed, request, response }: PageInput) {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return this.depart(response, await this.oidc.begin(next, device, null));
  }

  /** Send the browser of somebody who is signed in to the provider, to link what they are known by there. */
  @Post('link')
  @WebPage('people')
  @Fresh()
  async link(@Asked() { signedIn, request, response }: PageInput) {
    const device = deviceOf(request, this.config, false);
    return this.depart(response, await this.oidc.begin(ACCOUNT, device, signedIn));
  }

  /** Take what the provider sent the browser back with, sign in, and go on. */
  @Get('callback')
  async complete(@Asked() { request, response, signedIn }: OpenPageInput) {
    const ticket = readCookie(request, this.config, OIDC_COOKIE);
    clearCookie(response, this.config, OIDC_COOKIE);
    const device = deviceOf(request, this.config, false);
    const query = request.originalUrl.replace(/^[^?]*/, '');
    const zone = readTimeZone(request);
    const returned = await this.oidc.complete(ticket, query, device, zone, signedIn ?? null);
    const next = parseLocalPath(returned.next) ?? HOME;
    const { begun } = returned;
    if (begun === null) return goTo(next, 'identity_linked');
    return this.pages.letIn({ request, response, signedIn }, begun, next);
  }

  /**
   * A redirect that answers a form is held to `form-action`, which names this service alone; so a page
   * leads on, by itself where the browser takes a `Refresh`.
   */
  private depart(response: Response, { address, ticket, maxAgeMs }: BegunDeparture) {
    setCookie(response, this.config, OIDC_COOKIE, ticket, maxAgeMs);
    response.set('Refresh', `0; url=${address}`);
    return page(DeparturePage, { address, name: this.oidc.providerName ?? '' });
  }
}
