import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request } from 'express';
import { acceptsHtmlByName } from './platform/http/requests/accepts-html.js';
import type { PageFilter } from './visitor-pages/page.filter.js';
import type { WebFilter } from './web/layout/web.filter.js';

/** Paths that people who sign in do not use: those for programs, visitors and recipients of links. */
const OTHERS = /^\/(?:api|f|files|recipients|bounces|assets|health|metrics)(?:\/|$)/;

/** Answers an address that no route has, by a page of the door under which it would be. */
@Catch(NotFoundException)
export class UnknownAddressFilter implements ExceptionFilter {
  constructor(
    private readonly web: WebFilter,
    private readonly others: PageFilter,
  ) {}

  catch(thrown: NotFoundException, host: ArgumentsHost): void {
    const { method, path, headers } = host.switchToHttp().getRequest<Request>();
    const isLook = method === 'GET' || method === 'HEAD';
    const isForPeople = isLook && !OTHERS.test(path) && acceptsHtmlByName(headers.accept);
    (isForPeople ? this.web : this.others).catch(thrown, host);
  }
}
