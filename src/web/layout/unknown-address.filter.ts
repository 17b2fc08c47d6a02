import {
  Catch,
  Injectable,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { Mounted } from '../../platform/http/http-adapter.js';
import { acceptsHtmlByName } from '../../platform/http/requests/requests.js';
import { PageFilter, Pages } from '../../visitor-pages/pages.js';
import { Frames } from './frames.js';
import { WebFilter } from './web.filter.js';

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

  catch(thrown: NotFoundException, host: ArgumentsHost): void {
    const { method, path, headers } = host.switchToHttp().getRequest<Request>();
    const isLook = method === 'GET' || method === 'HEAD';
    const isForPeople = isLook && !OTHERS.test(path) && acceptsHtmlByName(headers.accept);
    (isForPeople ? this.web : this.others).catch(thrown, host);
  }
}
