import { Injectable, Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type ProofWay,
  type Principal,
  type Scope,
  ProofRequired,
} from '../../access/principal.js';
import { type FieldProblem, SignInRequired } from '../../platform/kernel/errors.js';
import { Notice, PageHead, signInWords } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import {
  Carried,
  PasskeyButton,
  PasskeyFailed,
  withoutPasskey,
  type Typed,
} from '../parts/typed.js';
import {
  Shell,
  type FramedPlace,
  SIGNED_OUT,
  type Frame,
  type FramedBrand,
  FrameContext,
} from './shell.js';
import {
  confirmWords,
  layoutWords,
  type SectionName,
  sendPage,
  sessionOverWords,
} from './sections.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService, type Brand } from '../../brands/brands.service.js';
import type { PageRequest } from '../../auth/bearer.guard.js';
import { ProfileService } from '../../people/profile/profile.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { accentUrl } from '../assets/accent.js';
import { displayOf, isPutAway, latestOffer, takeFlash, redirect } from './flash.js';
import { isTold, Troubles } from './troubles.js';
import { PublicAddresses } from '../../hosts/hosts.service.js';
import { readCookie, setCookie } from '../../auth/session.cookie.js';
import { Config } from '../../platform/config/config.js';
import { DAY_MS } from '../../platform/kernel/time.js';
import {
  MethodNotAllowed,
  RouteNotFound,
  errorHeaders,
  statusOf,
} from '../../platform/http/errors/http.errors.js';
import { asDomainError, ProblemFilter } from '../../platform/http/problem.filter.js';
import { requestIdOf } from '../../platform/http/requests/connections.js';
import { ClientLeft } from '../../platform/http/sends/sends.js';

/** Names of the page's own fields; all others belong to the interrupted form. */
export const PROOF = {
  to: 'proof_to',
  method: 'proof_method',
  password: 'proof_password',
  code: 'proof_code',
  credential: 'proof_credential',
};
const OWN = new Set(Object.values(PROOF));

/** A request that waits for a proof. */
export interface Interrupted {
  /** Path of the request. */
  to: string;
  /** `POST` when a form was sent. */
  method: string;
  typed: Typed | undefined;
}

/** Asks who it is, by whatever the person can show, and repeats the interrupted form in hidden fields. */
export function ConfirmPage(props: {
  interrupted: Interrupted;
  ways: readonly ProofWay[];
  problems?: FieldProblem[];
}) {
  const { interrupted, ways, problems } = props;
  const { to, method, typed } = interrupted;
  const [hasPassword, hasCode] = [ways.includes('password'), ways.includes('code')];
  return (
    <Shell title={confirmWords.title}>
      <PageHead title={confirmWords.title} />
      <p>{confirmWords.why}</p>
      {ways.length === 0 && <Notice kind="warn">{confirmWords.none}</Notice>}
      <ActionForm action="/confirm" problems={withoutPasskey(problems)}>
        <input type="hidden" name={PROOF.to} value={to} />
        <input type="hidden" name={PROOF.method} value={method} />
        <Carried typed={typed} but={OWN} />
        {ways.includes('passkey') && (
          <Actions>
            <PasskeyButton
              act="use"
              options="/api/v1/me/passkeys/proof-options"
              name={PROOF.credential}
              kind="primary"
            >
              {signInWords.usePasskey}
            </PasskeyButton>
            <PasskeyFailed problems={problems} />
          </Actions>
        )}
        {hasPassword && (
          <Field
            name={PROOF.password}
            label={signInWords.password}
            type="password"
            autocomplete="current-password"
            problems={problems}
          />
        )}
        {hasCode && (
          <Field
            name={PROOF.code}
            label={hasPassword ? confirmWords.code : confirmWords.codeAlone}
            autocomplete="one-time-code"
            problems={problems}
          />
        )}
        {(hasPassword || hasCode) && (
          <Actions>
            <Button>{confirmWords.go}</Button>
          </Actions>
        )}
      </ActionForm>
    </Shell>
  );
}

const COOKIE = 'fcs_at';
/** How long a browser shows the looks of the account whose address it opened last, in milliseconds. */
const KEPT_MS = 365 * DAY_MS;

/** Collects the content of the frame around each page. */
@Injectable()
export class Frames {
  constructor(
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly profiles: ProfileService,
    private readonly troubles: Troubles,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /**
   * Returns the frame of one page, and removes the sentence that it shows once.
   * @param signedIn null before sign-in
   */
  async of(request: Request, response: Response, signedIn: SignedIn | null): Promise<Frame> {
    // A look by the script is not the page that follows.
    const isLook = request.get('HX-Request') === 'true';
    const flash = isLook ? null : takeFlash(request, response);
    const offer = isLook ? null : latestOffer(request);
    const brand = await this.brandFor(request, response, signedIn);
    const display = displayOf(request);
    if (!signedIn) return { ...SIGNED_OUT, display, flash, brand };
    const { principal, view } = signedIn;
    const person = view?.person ?? signedIn.person;
    const [account, places, troubles] = await Promise.all([
      principal && this.accounts.get(principal.accountId),
      this.placesOf(signedIn),
      principal && this.troubles.summary(principal),
    ]);
    return {
      person: {
        name: person.name,
        keysOff: person.keysOff,
        account: brand?.name ?? account?.name ?? '',
        places,
      },
      sections: principal ? sectionsOf(principal, signedIn.isOperator) : [],
      timeZone: person.timeZone,
      troubles: troubles && isPutAway(request, troubles) ? null : troubles,
      flash,
      brand,
      offer,
      seenAs: view && person.name,
      display,
      here: addressOf(request),
    };
  }

  /** Returns where the person acts; nothing to who sees the pages as somebody else, whose own that is. */
  private async placesOf({ person, membership: here, view }: SignedIn): Promise<FramedPlace[]> {
    if (view) return [];
    const places = await this.profiles.listOf(person.id);
    return places.map(({ membership: { id }, name }) => ({ id, name, isHere: id === here?.id }));
  }

  /**
   * Returns how the account looks that a client belongs to, or that a browser wants to sign in to; null for an
   * account's own people.
   * @param signedIn null before sign-in; by default as the guard found it
   */
  async brandFor(
    request: Request,
    response: Response,
    signedIn: SignedIn | null = (request as PageRequest).signedIn ?? null,
  ): Promise<FramedBrand | null> {
    if (!signedIn) {
      const brand = await this.signInBrandOf(request, response);
      return brand && framed(brand);
    }
    const { principal } = signedIn;
    return principal && principal.clientId !== null ? this.brandOf(principal) : null;
  }

  /** Returns how the pages of a client look. */
  async brandOf(scope: Scope): Promise<FramedBrand> {
    return framed(await this.brands.of(scope));
  }

  /** Returns how the client looks whose host this is, or that account, and has the browser remember it; null when there is none. */
  async signInBrandOf(request: Request, response: Response): Promise<Brand | null> {
    const client = await this.addresses.clientAt(request);
    if (client) return this.brands.of(client);
    const { at: opened } = request.query;
    const isOpened = typeof opened === 'string';
    const key = isOpened ? opened : readCookie(request, this.config, COOKIE);
    const brand = key === null ? null : await this.brands.findBySignInKey(key);
    if (brand && isOpened) setCookie(response, this.config, COOKIE, opened, KEPT_MS);
    return brand;
  }
}

function framed({ name, logoPath, colour }: Brand): FramedBrand {
  return { name: name ?? layoutWords.product, logoPath, accentUrl: accentUrl(colour) };
}

/** Returns the address of a page; of the inbox with its filter. */
function addressOf({ method, path, originalUrl }: Request): string {
  if (method !== 'GET') return '/';
  return path.startsWith('/inbox') ? originalUrl : path;
}

/** Returns the pages that would not refuse this principal. */
export function sectionsOf(principal: Principal, isOperator: boolean): SectionName[] {
  const sections: [SectionName, boolean][] = [
    ['inbox', principal.may('see')],
    ['forms', principal.has('forms:read')],
    ['clients', principal.clientId === null && principal.has('clients:read')],
    ['people', principal.clientId === null && principal.has('people:read')],
    ['tokens', principal.has('tokens:write')],
    ['brand', principal.clientId === null && principal.has('people:write')],
    ['spam-learning', principal.clientId === null && principal.has('people:write')],
    ['audit', principal.clientId === null && principal.has('audit:read')],
    ['status', isTold(principal) || isOperator],
  ];
  return sections.filter(([, isOpen]) => isOpen).map(([name]) => name);
}

const FORBIDDEN = 403;

/**
 * Answers errors with pages. People who are not signed in are redirected to sign in; people whose proof is
 * too old are asked for their password.
 */
@Catch()
@Injectable()
export class WebFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();

  constructor(private readonly frames: Frames) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<PageRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent || thrown instanceof ClientLeft) {
      this.problems.catch(thrown, host);
      return;
    }
    if (thrown instanceof ProofRequired) {
      const { method, originalUrl: to } = request;
      const typed = method === 'POST' ? (request.body as Typed | undefined) : undefined;
      const page = <ConfirmPage interrupted={{ to, method, typed }} ways={thrown.ways} />;
      sendPage(response, page, FORBIDDEN);
      return;
    }
    const error = asDomainError(thrown, request);
    const status = error ? statusOf(error) : 500;
    if (error instanceof SignInRequired) {
      const typed = request.body as Typed | undefined;
      if (typed && Object.keys(typed).length > 0) {
        sendPage(response, <SessionOverPage to={request.originalUrl} typed={typed} />, FORBIDDEN);
      } else redirect(response, error.location);
      return;
    }
    const requestId = requestIdOf(response);
    if (status >= 500) this.problems.log(thrown, requestId);
    for (const [name, value] of errorHeaders(error)) response.set(name, value);
    // What these say is for programs.
    const isUnknown = error instanceof RouteNotFound || error instanceof MethodNotAllowed;
    const message = isUnknown ? null : (error?.message ?? null);
    const seenAs = request.signedIn?.view?.person.name ?? null;
    const send = (brand: FramedBrand | null) => {
      sendPage(response, <ErrorPage {...{ status, message, requestId, seenAs, brand }} />, status);
    };
    // After a fault nothing more is asked of the database, which may be what is away.
    if (status >= 500) send(null);
    else
      this.frames.brandFor(request, response).then(send, () => {
        send(null);
      });
  }
}

/** The content of an error page. */
interface Failure {
  status: number;
  /** The message of the error; null for a fault of the service. */
  message: string | null;
  /** Id under which the log has more. */
  requestId: string;
  /** Name of the person as whom an owner sees the pages; null for oneself. */
  seenAs: string | null;
  /** How the account looks that a client belongs to; null for everybody else. */
  brand: FramedBrand | null;
}

/** Draws the page of a request that came to nothing. */
function ErrorPage({ status, message, requestId, seenAs, brand }: Failure) {
  const known = status in layoutWords.errors ? (status as keyof typeof layoutWords.errors) : 500;
  const [title, advice] =
    layoutWords.errors[status >= 400 && status < 500 && known === 500 ? 400 : known];
  return (
    <FrameContext.Provider value={{ ...SIGNED_OUT, seenAs, brand }}>
      <Shell title={title}>
        <p class="code">{status}</p>
        <PageHead title={title} />
        {message && <p>{message}</p>}
        {seenAs === null && <p>{advice}</p>}
        <p>
          <LinkButton href="/" kind="primary">
            {layoutWords.back}
          </LinkButton>
        </p>
        {status >= 500 && (
          <p class="hint">
            {layoutWords.requestId} <code>{requestId}</code>
          </p>
        )}
      </Shell>
    </FrameContext.Provider>
  );
}

/** Keeps a form that came without a session, to be sent again after signing in in another tab. */
function SessionOverPage({ to, typed }: { to: string; typed: Typed }) {
  return (
    <Shell title={sessionOverWords.title}>
      <PageHead title={sessionOverWords.title} />
      <p>{sessionOverWords.kept}</p>
      <p>
        <a class="button primary" href="/sign-in" target="_blank" rel="noopener">
          {sessionOverWords.signIn}
        </a>
      </p>
      <ActionForm action={to}>
        <Carried typed={typed} />
        <Actions>
          <Button kind="plain">{sessionOverWords.again}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
