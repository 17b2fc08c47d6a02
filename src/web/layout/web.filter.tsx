import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ProofRequired } from '../../access/access.errors.js';
import type { PageRequest } from '../../auth/session.guard.js';
import { MethodNotAllowed, RouteNotFound } from '../../platform/http/errors/http.errors.js';
import { errorHeaders } from '../../platform/http/errors/error-headers.js';
import { asDomainError, ProblemFilter } from '../../platform/http/problem.filter.js';
import { requestIdOf } from '../../platform/http/requests/request-log.middleware.js';
import { statusOf } from '../../platform/http/errors/status.js';
import { ClientLeft } from '../../platform/http/sends/until-left.js';
import { SignInRequired } from '../../platform/kernel/credentials.errors.js';
import { ConfirmPage } from './confirm.page.js';
import { SessionOverPage } from './session-over.page.js';
import { ErrorPage } from './error.page.js';
import { redirect } from './flash.js';
import { Frames } from './frames.js';
import { sendPage } from './send-page.js';
import type { FramedBrand } from './shell.js';
import type { Typed } from '../parts/typed.js';

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
