import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorHeaders } from '../http/error-headers.js';
import { namesHtml } from '../http/names-html.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { statusOf } from '../http/status.js';
import { DomainError } from '../shared/errors.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

/** Tells a person in a browser what is wrong by a page; everyone else gets problem details. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();

  constructor(private readonly pages: Pages) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { accept } = host.switchToHttp().getRequest<Request>().headers;
    if (thrown instanceof DomainError && namesHtml(accept) && !response.headersSent) {
      for (const [name, value] of errorHeaders(thrown)) response.set(name, value);
      sendPage(response.status(statusOf(thrown)), this.pages.problem(thrown.message));
    } else this.problems.catch(thrown, host);
  }
}
