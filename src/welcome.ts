import type { INestApplication } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { AccountsService } from './accounts/accounts.service.js';
import type { Config } from './config/config.js';
import { hasPendingMigrations } from './database/migrate.js';

const MIGRATION_POLL_MS = 1_000;

/**
 * Says where the service listens, if it does. On the first start it also opens the first account and prints its
 * token: to the terminal and not through the log, and this once only.
 */
export async function welcome(app: INestApplication, config: Config): Promise<void> {
  const doing = config.workers === 'only' ? 'Delivering' : 'Listening';
  new Logger('Service').log(doing, { baseUrl: config.baseUrl });
  await untilMigrated(app.get(DataSource));
  const opened = await app.get(AccountsService).bootstrap();
  if (!opened) return;
  process.stdout.write(`
  Your account "${opened.account.name}" is open. This is its access token; it is shown only now:

    ${opened.secret}

  Try it:

    curl -H "Authorization: Bearer ${opened.secret}" ${config.baseUrl}/api/v1/forms

`);
}

/** With MIGRATE=off the tables may come later; until then there is nowhere to put an account. */
async function untilMigrated(database: DataSource): Promise<void> {
  let told = false;
  while (database.isInitialized && (await hasPendingMigrations(database))) {
    if (!told) new Logger('Service').warn('The database has migrations to run: npm run migrate');
    told = true;
    await pause(MIGRATION_POLL_MS, undefined, { ref: false });
  }
}
