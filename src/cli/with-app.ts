import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../platform/config/load-config.js';
import { JsonLogger } from '../platform/logging/json-logger.js';

/**
 * Runs `work` with the service's modules, and closes them again. No port is opened, no delivery is sent, and
 * only errors are logged, to stderr.
 * @param overrides settings for this call, over those of the environment
 */
export async function withApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const config = loadConfig({ WORKERS: 'off', METRICS_PORT: '', ...overrides });
  const app = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger: new JsonLogger('error', process.stderr),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
