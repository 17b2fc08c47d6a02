import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config/config.js';
import { serveDocs } from './docs/docs.js';
import { HttpAdapter } from './platform/http/http-adapter.js';
import { Intake } from './intake/intake.js';
import { requestLog } from './platform/http/request-log.middleware.js';
import { RequestMetrics } from './platform/http/request-metrics.js';
import { JsonLogger } from './platform/logging/json-logger.js';
import { logOutput } from './platform/logging/log-output.js';

/** helmet would ask browsers to load scripts over https, which a service reached over http has not. */
const CONTENT_SECURITY_POLICY = { directives: { upgradeInsecureRequests: null } };

/** Builds the service, not yet listening; the same for `main.ts` and the tests. */
export async function createApp(
  config: Config,
  logger = new JsonLogger(config.logLevel, logOutput),
): Promise<NestExpressApplication> {
  const adapter = new HttpAdapter(config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), adapter, {
    logger,
    abortOnError: false,
    bodyParser: false,
    routeConflictPolicy: { duplicate: 'error', shadow: 'error' },
  });
  app.disable('x-powered-by');
  app.set('etag', false);
  app.enableShutdownHooks([], { useProcessExit: true });
  app.use(requestLog(app.get(RequestMetrics)), securityHeaders(config));
  app.use('/api', neverCached);
  serveDocs(app);
  adapter.mountBeforeRouter(app.get(Intake));
  return app;
}

/**
 * Browsers are told to insist on https only where there is https, and for this host alone. The
 * headers are the same for every answer, so helmet is asked once: its chain costs more than the rest
 * of the way to a handler.
 */
function securityHeaders({ baseUrl }: Config): RequestHandler {
  const https = baseUrl.startsWith('https:');
  const headers = new Map<string, string>();
  // All that helmet asks of an answer. A real one would hand the names back in small letters.
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const ask = helmet({
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: https && { includeSubDomains: false },
  });
  ask({} as Request, answer as unknown as Response, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return (_, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** Answers of the API are for one caller at one moment. */
function neverCached(_: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}
