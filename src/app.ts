import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { type Config, Hooks, JsonLogger, logOutput } from './platform/index.js';
import {
  compressed,
  HttpAdapter,
  Mounted,
  securityHeaders,
  Certificates,
  readKeyPair,
  requestLog,
  RequestMetrics,
} from './platform/http/index.js';

/** Builds the service, not yet listening; the same for `main.ts` and the tests, which put modules of their own beside it. */
export async function createApp(
  config: Config,
  logger = new JsonLogger(config.logLevel, logOutput),
  beside: Type[] = [],
): Promise<NestExpressApplication> {
  if (config.tls.isOn) readKeyPair(config); // says what is wrong before the database is touched
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, beside),
    new HttpAdapter(config),
    { logger, abortOnError: false, bodyParser: false, routeConflictPolicy: { duplicate: 'error', shadow: 'error' } },
  );
  app.disable('x-powered-by');
  app.set('etag', false);
  app.enableShutdownHooks([], { useProcessExit: true });
  app.use(requestLog(app.get(RequestMetrics)), securityHeaders(config), compressed());
  for (const { run } of app.get(Hooks).all(Mounted)) run(app);
  return app;
}

/** Listens on PORT, and with TLS on HTTP_PORT too. */
export async function listen(app: NestExpressApplication, config: Config) {
  await app.listen(config.port, config.host);
  await app.get(Certificates).begin();
}
