import { Injectable, Catch, type ArgumentsHost, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { Response, Request } from 'express';
import { Page, SIGNED_OUT, Shell, type FramedBrand, FrameContext } from './shell.js';
import { ProofRequired } from '../../accounts/access/index.js';
import { SignInRequired } from '../../platform/index.js';
import { PageHead, ActionForm, LinkButton, Carried, type Typed } from '../parts/index.js';
import { layoutWords } from './words.js';
import { sendPage } from './send-page.js';
import type { PageRequest } from '../../people/auth/session.guard.js';
import { redirect } from './cookies.js';
import {
  MethodNotAllowed,
  RouteNotFound,
  errorHeaders,
  statusOf,
  asDomainError,
  ProblemFilter,
  requestIdOf,
  acceptsHtmlByName,
  ClientLeft,
  Mounted,
} from '../../platform/http/index.js';
import { Frames } from './frames.js';
import { ConfirmPage } from './confirm.page.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PageFilter, Pages } from '../../visitor-pages/pages.js';

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

  catch(thrown: unknown, host: ArgumentsHost) {
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
  const [title, advice] = layoutWords.errors[status >= 400 && status < 500 && known === 500 ? 400 : known];
  return (
    <FrameContext.Provider value={{ ...SIGNED_OUT, seenAs, brand }}>
      <Shell title={title}>
        <p class="code">{status}</p>
        <PageHead title={title} />
        {message && <p>{message}</p>}
        {seenAs === null && <p>{advice}</p>}
        <p>
          <LinkButton href="/" kind="primary">
            Go to the start page
          </LinkButton>
        </p>
        {status >= 500 && (
          <p class="hint">
            Request ID <code>{requestId}</code>
          </p>
        )}
      </Shell>
    </FrameContext.Provider>
  );
}

/** Keeps a form that came without a session, to be sent again after signing in in another tab. */
function SessionOverPage({ to, typed }: { to: string; typed: Typed }) {
  return (
    <Page title="You are signed out">
      <p>Your changes are not saved yet. This page keeps what you typed: sign in, come back here, and send it again.</p>
      <p>
        <a class="button primary" href="/sign-in" target="_blank" rel="noopener">
          Sign in in a new tab
        </a>
      </p>
      <ActionForm action={to} submit="I am signed in, send again" kind="plain">
        <Carried typed={typed} />
      </ActionForm>
    </Page>
  );
}

/** Paths that people who sign in do not use: those for programs, visitors and recipients of links. */
const OTHERS = /^\/(?:api|f|files|recipients|bounces|assets|health|metrics)(?:\/|$)/;

/** Answers an address that no route has, by a page of the door under which it would be. */
@Catch(NotFoundException)
@Injectable()
export class UnknownAddressFilter implements ExceptionFilter {
  private readonly web: WebFilter;
  private readonly others: PageFilter;

  constructor(frames: Frames, pages: Pages) {
    this.web = new WebFilter(frames);
    this.others = new PageFilter(pages);
  }

  @Mounted()
  mount(app: NestExpressApplication): void {
    app.useGlobalFilters(this);
  }

  catch(thrown: NotFoundException, host: ArgumentsHost) {
    const { method, path, headers } = host.switchToHttp().getRequest<Request>();
    const isLook = method === 'GET' || method === 'HEAD';
    const isForPeople = isLook && !OTHERS.test(path) && acceptsHtmlByName(headers.accept);
    (isForPeople ? this.web : this.others).catch(thrown, host);
  }
}
