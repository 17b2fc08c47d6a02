import { Command } from 'commander';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../platform/config/load-config.js';
import { DatabaseStatus } from '../platform/database/database-status.js';
import { Refused, withNewApp, readEmail, print, withApp, TryLater } from './command.js';
import { recordLine } from '../operations/doctor/check.js';
import { DoctorService } from '../operations/doctor/doctor.service.js';
import { CanaryService } from '../canary/canary.service.js';
import { BouncesService } from '../bounces/bounces.service.js';
import { readDsn } from '../bounces/reading/dsn.js';
import { MESSAGE_MAX_BYTES } from '../bounces/reading/mail-parts.js';

/** Returns the command `start`. */
export function startCommand(): Command {
  return new Command('start')
    .description('Start the service. This is also what happens without a command.')
    .action(async () => {
      await import('../main.js');
    });
}

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

interface DoctorOptions {
  to?: string;
  mend?: boolean;
  /** True for all forms. */
  canary?: string | true;
  json?: boolean;
}

/** Limits of a canary, however well it ends. */
const NOT_SEEN =
  'Not seen: errors of scripts, captchas, and what a browser of a visitor blocks. See docs/canary.md.';

/** Returns the command `doctor`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check database, clock, disk, BASE_URL, counts, deliveries, mail and its DNS. Exits with 1 if a check fails.',
    )
    .option('--to <address>', 'send a test email to this address')
    .option('--mend', 'fix wrong counts of forms first')
    .option(
      '--canary [form]',
      'run only the canary of this form, or of all forms with submissions: fetch its page, and send a test submission that nobody is told of',
    )
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => {
      if (options.canary !== undefined) return runCanaries(options.canary, options);
      const to = options.to === undefined ? undefined : readEmail('--to', options.to);
      const findings = await withApp(async (app) => {
        const doctor = app.get(DoctorService);
        if (options.mend === true) await doctor.mend();
        return doctor.examine(to);
      });
      print(
        findings.map(({ name, state, detail, records }) => ({
          name,
          state,
          detail,
          ...(options.json === true && records.length > 0 && { records }),
        })),
        options,
      );
      const records = findings.flatMap((finding) => finding.records);
      if (options.json !== true && records.length > 0) {
        const lines = records.map((record) => `${recordLine(record)}\n`);
        process.stdout.write(`\nDNS records to add or change:\n${lines.join('')}`);
      }
      const failed = findings.filter(({ state }) => state === 'failed');
      if (failed.length > 0) {
        throw new Refused(`Failed: ${failed.map(({ name }) => name).join(', ')}.`);
      }
    });
}

async function runCanaries(form: string | true, options: { json?: boolean }): Promise<void> {
  const rows = await withApp(async (app) => {
    const found: { form: string; step: string; state: string; code: string; detail: string }[] = [];
    for await (const { form: examined, steps } of app
      .get(CanaryService)
      .examine(form === true ? null : form)) {
      const { identifier } = examined;
      found.push(...steps.map((each) => ({ form: identifier, ...each, code: each.code ?? '' })));
    }
    return found;
  });
  print(rows, options);
  if (options.json !== true) process.stdout.write(`\n${NOT_SEEN}\n`);
  const failed = new Set(rows.filter(({ state }) => state === 'failed').map((row) => row.form));
  if (failed.size > 0) throw new Refused(`Failed: ${[...failed].join(', ')}.`);
}

/** Returns the command `bounce`. */
export function bounceCommand(): Command {
  return new Command('bounce')
    .description(
      'Read an email from standard input and record it if it is a bounce. Exits with 75 if that must be tried again.',
    )
    .action(async () => {
      const bounces = readDsn(await readMessage());
      if (bounces.length === 0) return;
      try {
        await withApp((app) => app.get(BouncesService).take(bounces));
      } catch (error) {
        throw new TryLater(error instanceof Error ? error.message : String(error));
      }
    });
}

/** Reads standard input to its end, since a mail server takes a closed pipe for a failure, and keeps its beginning. */
async function readMessage(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    if (bytes < MESSAGE_MAX_BYTES) parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts).subarray(0, MESSAGE_MAX_BYTES);
}
