import {
  type Type,
  Catch,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config/config.js';
import { serveDocs } from './docs/docs.js';
import { compressed, HttpAdapter, securityHeaders } from './platform/http/http-adapter.js';
import { Certificates } from './platform/http/tls/acme.js';
import { readKeyPair } from './platform/http/tls/key-pair.js';
import { Intake } from './intake/intake.js';
import { requestLog, RequestMetrics } from './platform/http/requests/requests.js';
import { JsonLogger, logOutput } from './platform/logging/json-logger.js';
import { PageFilter, Pages } from './visitor-pages/pages.js';
import { Frames } from './web/layout/frames.js';
import { WebFilter } from './web/layout/web.filter.js';
import type { Request } from 'express';
import { acceptsHtmlByName } from './platform/http/requests/accepts-html.js';

/** Paths that people who sign in do not use: those for programs, visitors and recipients of links. */
const OTHERS = /^\/(?:api|f|files|recipients|bounces|assets|health|metrics)(?:\/|$)/;

/** Answers an address that no route has, by a page of the door under which it would be. */
@Catch(NotFoundException)
class UnknownAddressFilter implements ExceptionFilter {
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

/** Builds the service, not yet listening; the same for `main.ts` and the tests, which put modules of their own beside it. */
export async function createApp(
  config: Config,
  logger = new JsonLogger(config.logLevel, logOutput),
  beside: Type[] = [],
): Promise<NestExpressApplication> {
  if (config.tls.isOn) readKeyPair(config); // says what is wrong before the database is touched
  const adapter = new HttpAdapter(config);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, beside),
    adapter,
    {
      logger,
      abortOnError: false,
      bodyParser: false,
      routeConflictPolicy: { duplicate: 'error', shadow: 'error' },
    },
  );
  app.disable('x-powered-by');
  app.set('etag', false);
  app.enableShutdownHooks([], { useProcessExit: true });
  app.use(requestLog(app.get(RequestMetrics)), securityHeaders(config), compressed());
  serveDocs(app);
  app.useGlobalFilters(
    new UnknownAddressFilter(new WebFilter(app.get(Frames)), new PageFilter(app.get(Pages))),
  );
  adapter.mountBeforeRouter(app.get(Intake));
  return app;
}

/** Listens on PORT, and with TLS on HTTP_PORT too. */
export async function listen(app: NestExpressApplication, config: Config): Promise<void> {
  await app.listen(config.port, config.host);
  await app.get(Certificates).begin();
}
