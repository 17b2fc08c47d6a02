import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProofRequired } from '../../access/access.errors.js';
import { errorHeaders } from '../../platform/http/error-headers.js';
import { asDomainError, ProblemFilter } from '../../platform/http/problem.filter.js';
import { requestIdOf } from '../../platform/http/request-log.middleware.js';
import { statusOf } from '../../platform/http/status.js';
import { ConfirmPage } from '../confirm/confirm.page.js';
import { ErrorPage } from './error.page.js';
import { redirect } from './flash.js';
import { sendPage } from './send-page.js';
import type { Typed } from './typed.js';

const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

/**
 * Tells a person by a page what went wrong, and sends whoever is not signed in to sign in. What was
 * asked for by GET is come back to afterwards.
 */
@Catch()
export class WebFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      this.problems.catch(thrown, host);
      return;
    }
    if (thrown instanceof ProofRequired) {
      const { method, originalUrl: to } = request;
      const typed = method === 'POST' ? (request.body as Typed | undefined) : undefined;
      sendPage(response, <ConfirmPage interrupted={{ to, method, typed }} />, FORBIDDEN);
      return;
    }
    const error = asDomainError(thrown, request);
    const status = error ? statusOf(error) : 500;
    if (status === UNAUTHENTICATED) {
      redirect(response, signInPath(request));
      return;
    }
    const requestId = requestIdOf(response);
    if (status >= 500) this.problems.log(thrown, requestId);
    for (const [name, value] of errorHeaders(error)) response.set(name, value);
    const page = <ErrorPage {...{ status, message: error?.message ?? null, requestId }} />;
    sendPage(response, page, status);
  }
}

function signInPath({ method, originalUrl }: Request): string {
  const isPage = method === 'GET' && originalUrl !== '/';
  return isPage ? `/sign-in?next=${encodeURIComponent(originalUrl)}` : '/sign-in';
}
