import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { discardBody } from '../platform/http/bodies/discard-body.js';
import { errorHeaders } from '../platform/http/errors/error-headers.js';
import { acceptsHtmlByName } from '../platform/http/requests/accepts-html.js';
import { asDomainError, ProblemFilter } from '../platform/http/problem.filter.js';
import { statusOf } from '../platform/http/errors/status.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

/** Answers errors with a page for browsers, and with problem details for everyone else and under /api. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();

  constructor(private readonly pages: Pages) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const isForPeople =
      !request.path.startsWith('/api/') && acceptsHtmlByName(request.headers.accept);
    const error = isForPeople && !response.headersSent ? asDomainError(thrown, request) : null;
    if (error === null) {
      this.problems.catch(thrown, host);
      return;
    }
    if (!request.complete) discardBody(request);
    for (const [name, value] of errorHeaders(error)) response.set(name, value);
    response.status(statusOf(error));
    this.pages
      .problem(error)
      .then((page) => {
        sendPage(response, page);
      })
      // Nobody waits for a filter: what it leaves behind would end the process.
      .catch(() => response.destroy());
  }
}
