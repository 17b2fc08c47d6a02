import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppModule } from '../../app.module.js';
import { loadConfig } from '../../platform/config/load-config.js';
import { JsonLogger } from '../../platform/logging/json-logger.js';
import { Refused } from './cli.errors.js';

/**
 * Runs `work` on the database that the service has, and makes none: a folder without one is a wrong `DATA_DIR`.
 * @param overrides settings for this call, over those of the environment
 * @throws Refused where there is no database
 */
export async function withApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const { database, dataDir } = loadConfig(overrides);
  if (database.kind === 'embedded') {
    const folder = resolve(dataDir);
    if (!existsSync(database.file))
      throw new Refused(
        `No database in ${folder}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database server.`,
      );
    if (process.stderr.isTTY) process.stderr.write(`Database in ${folder}\n`);
  }
  return withNewApp(work, overrides);
}

/**
 * Runs `work` with the service's modules, and closes them again. No port is opened, no delivery is sent, and
 * only errors are logged, to stderr. A database that is not there is made.
 * @param overrides settings for this call, over those of the environment
 */
export async function withNewApp<T>(
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
