import { Command } from 'commander';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../platform/config/load-config.js';
import { DatabaseStatus } from '../platform/database/database-status.js';
import { Refused } from './kit/cli.errors.js';
import { withNewApp } from './kit/with-app.js';

/** Returns the command `migrate`. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Run pending migrations.')
    .option(
      '--check',
      'change nothing; fail if migrations are pending or the tables differ from the code (without DATABASE_URL: on a temporary database)',
    )
    .action((options: { check?: boolean }) => (options.check ? check() : run()));
}

async function run(): Promise<void> {
  const done = await withNewApp((app) => app.get(DatabaseStatus).migrate(), { MIGRATE: 'off' });
  process.stdout.write(done.length === 0 ? 'No pending migrations.\n' : `${done.join('\n')}\n`);
}

async function check(): Promise<void> {
  if (loadConfig().database.kind === 'server') {
    await withNewApp((app) => assertCurrent(app.get(DatabaseStatus)), { MIGRATE: 'off' });
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'migrate-check-'));
  try {
    const settings = { DATA_DIR: folder, MIGRATE: 'on' };
    await withNewApp((app) => assertCurrent(app.get(DatabaseStatus)), settings);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws Refused */
async function assertCurrent(database: DatabaseStatus): Promise<void> {
  if (await database.hasPendingMigrations())
    throw new Refused('Migrations are pending. Run the command without --check.');
  const drift = await database.drift();
  if (drift.length > 0) {
    throw new Refused(`The tables differ from the entities; missing:\n${drift.join('\n')}`);
  }
  process.stdout.write('Migrations and entities agree.\n');
}
