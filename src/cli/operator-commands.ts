import { chown, realpath, stat, mkdtemp, rm, mkdir } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { Command } from 'commander';
import { tmpdir } from 'node:os';
import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { givenValue, ENV_FILE, readEnvText, loadConfig } from '../platform/index.js';
import { writeWhole, BackupFolder, backupName, DatabaseStatus } from '../platform/database/index.js';
import { emailOf, print, Refused, TryLater, withApp, withNewApp, WrongUse, type Printing } from './command.js';
import { recordLine } from '../operations/doctor/check.js';
import { DoctorService } from '../operations/doctor/doctor.service.js';
import { CanaryService } from '../health/canary/canary.service.js';
import { BouncesService } from '../deliveries/bounces/bounces.service.js';
import { readDsn, MESSAGE_MAX_BYTES } from '../deliveries/bounces/reading/dsn.js';
import { BackupService, RestoreService } from '../operations/backup/backup.service.js';

/** Characters that need no quotes for Node, compose and systemd. */
const PLAIN = /^[\w.:/@%+,=?&~-]*$/;

/** Holds `.env` in the working directory, and changes lines of it. */
export class EnvFile {
  readonly path = resolve(ENV_FILE);
  /** Its variables. */
  readonly values: Record<string, string>;

  /** @throws ConfigError when the file is not UTF-8 */
  constructor(private readonly text = readEnvText()) {
    this.values = { ...parseEnv(text) } as Record<string, string>;
  }

  /**
   * Returns the file with these variables set, or removed where null; all other lines stay as they are.
   * @throws Refused for a value that not every reader of the file would understand, and a file that cannot be changed so
   */
  changed(changes: Map<string, string | null>) {
    const end = this.text.includes('\r\n') ? '\r\n' : '\n';
    const lines = this.text === '' ? [] : this.text.replace(/\r?\n$/, '').split(/\r?\n/);
    const written = new Set<string>();
    const kept = lines.flatMap((line) => {
      const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? '';
      const value = changes.get(name);
      if (value === undefined) return [line];
      if (value === null || written.has(name)) return [];
      written.add(name);
      return [lineOf(name, value)];
    });
    for (const [name, value] of changes) {
      if (value !== null && !written.has(name)) kept.push(lineOf(name, value));
    }
    const text = kept.map((line) => line + end).join('');
    this.assertReadsAs(text, changes);
    return text;
  }

  /** Writes the file as a whole, for its owner alone to read. @throws Refused, the error of the disk */
  async write(changes: Map<string, string | null>) {
    const text = this.changed(changes);
    const path = await realpath(this.path).catch(() => this.path);
    const former = await stat(path).catch(() => null);
    await writeWhole(path, () => Readable.from([text]));
    // With sudo, the file still belongs to the user that the service runs as.
    if (former) await chown(path, former.uid, former.gid).catch(() => undefined);
  }

  /** @throws Refused, such as for a value over several lines of which one looks like a setting */
  private assertReadsAs(text: string, changes: Map<string, string | null>) {
    const expected = new Map(Object.entries(this.values));
    for (const [name, value] of changes) {
      if (value === null) expected.delete(name);
      else expected.set(name, value);
    }
    if (!isDeepStrictEqual({ ...parseEnv(text) }, Object.fromEntries(expected)))
      throw new Refused(`${this.path} has lines that setup cannot change. Change it by hand.`);
  }
}

/**
 * Returns a line that Node, the `env_file` of compose and the `EnvironmentFile` of systemd read as the same value.
 * @throws Refused when no quotes make that true
 */
function lineOf(name: string, value: string) {
  const line = `${name}=${quoted(value) ?? ''}`;
  if (quoted(value) === null || givenValue(name, parseEnv(line), []) !== value)
    throw new Refused(
      `${ENV_FILE} cannot hold this value of ${name} so that each program reads it alike: it begins and ends with quotes, ends with a backslash, has several lines, or a ' beside one of " \\ $ \`. Write it into a file, and set ${name}_FILE to the path of that file.`,
    );
  return line;
}

/** Returns null where neither single nor double quotes do: between the latter, readers expand \ and $ differently. */
function quoted(value: string) {
  if (/\p{Cc}/u.test(value)) return null;
  if (PLAIN.test(value)) return value;
  if (!value.includes("'") && !value.endsWith('\\')) return `'${value}'`;
  return /["\\$`]/.test(value) ? null : `"${value}"`;
}

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

async function run() {
  const done = await withNewApp((app) => app.get(DatabaseStatus).migrate(), { MIGRATE: 'off' });
  process.stdout.write(done.length === 0 ? 'No pending migrations.\n' : `${done.join('\n')}\n`);
}

async function check() {
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
async function assertCurrent(database: DatabaseStatus) {
  if (await database.hasPendingMigrations())
    throw new Refused('Migrations are pending. Run the command without --check.');
  const drift = await database.drift();
  if (drift.length > 0) {
    throw new Refused(`The tables differ from the entities; missing:\n${drift.join('\n')}`);
  }
  process.stdout.write('Migrations and entities agree.\n');
}

interface DoctorOptions extends Printing {
  to?: string;
  mend?: boolean;
  /** True for all forms. */
  canary?: string | true;
}

/** Limits of a canary, however well it ends. */
const NOT_SEEN = 'Not seen: errors of scripts, captchas, and what a browser of a visitor blocks. See docs/canary.md.';

/** Returns the command `doctor`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check database, clock, disk, BASE_URL, counts, deliveries, mail and its DNS. Exits with 1 if a check fails.',
    )
    .option('--to <address>', 'send a test email to this address', emailOf('--to'))
    .option('--mend', 'fix wrong counts of forms first')
    .option(
      '--canary [form]',
      'run only the canary of this form, or of all forms with submissions: fetch its page, and send a test submission that nobody is told of',
    )
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => {
      if (options.canary !== undefined) return runCanaries(options.canary, options);
      const findings = await withApp(async (app) => {
        const doctor = app.get(DoctorService);
        if (options.mend === true) await doctor.mend();
        return doctor.examine(options.to);
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

async function runCanaries(form: string | true, options: Printing) {
  const rows = await withApp(async (app) => {
    const found: { form: string; step: string; state: string; code: string; detail: string }[] = [];
    for await (const { form: examined, steps } of app.get(CanaryService).examine(form === true ? null : form)) {
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

/** Name of a file that means standard input or output. */
const STANDARD = '-';

/** Returns the command `backup [file]` with `backup verify` and `backup list`. */
export function backupCommand(): Command {
  const verifyCommand = new Command('verify')
    .description(
      'Restore a backup into a temporary database, and compare every row and file with it. Needs as much free space in the folder for temporary files as the backup has data.',
    )
    .argument('<file>', 'the backup')
    .option('--json', 'print JSON')
    .action(verify);
  const listCommand = new Command('list')
    .description('List the backups in BACKUP_DIR.')
    .option('--json', 'print JSON')
    .action(list);
  return new Command('backup')
    .description('Back up the database and the submitted files to one file. The service can keep running.')
    .argument('[file]', 'the new file; - for standard output; without it a file in BACKUP_DIR')
    .option('--json', 'print JSON')
    .action(backup)
    .addCommand(verifyCommand)
    .addCommand(listCommand);
}

/** Returns the command `restore <file>`. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore a backup into an empty database, embedded or on a server. On an error nothing is restored.')
    .argument('<file>', 'the backup; - for standard input')
    .option('--json', 'print JSON')
    .action(restore);
}

async function backup(given: string | undefined, options: Printing) {
  const { backupDir } = loadConfig();
  const name = given ?? join(backupDir, backupName('backup', new Date()));
  const file = resolve(name);
  if (given === undefined) await mkdir(backupDir, { recursive: true });
  if (name !== STANDARD && existsSync(file)) {
    throw new Refused(`${file} already exists. Choose another name.`);
  }
  await withApp(
    async (app) => {
      const { content, counts } = app.get(BackupService).begin();
      if (name === STANDARD) await pipeline(content, process.stdout, { end: false });
      else {
        await writeWhole(file, () => content);
        const { size: bytes } = await stat(file);
        print([{ file, bytes, ...counts }], options);
      }
      if (counts.lost > 0) {
        throw new Refused(
          `The backup is written, but ${counts.lost === 1 ? '1 file is' : `${counts.lost} files are`} missing from DATA_DIR. Check that DATA_DIR is the folder of the service.`,
        );
      }
    },
    { MIGRATE: 'off' },
  );
}

async function restore(name: string, options: Printing) {
  const file = resolve(name);
  if (name !== STANDARD && !existsSync(file)) throw new WrongUse(`${file} does not exist.`);
  const packed = name === STANDARD ? process.stdin : createReadStream(file);
  await withNewApp(
    async (app) => {
      const counts = await app.get(RestoreService).restore(packed);
      print([{ ...counts }], options);
    },
    { MIGRATE: 'off' },
  );
}

async function verify(name: string, options: Printing) {
  const file = resolve(name);
  if (!existsSync(file)) throw new WrongUse(`${file} does not exist.`);
  const folder = await mkdtemp(join(tmpdir(), 'backup-verify-'));
  try {
    await withNewApp(
      async (app) => {
        const counts = await app.get(RestoreService).verify(() => createReadStream(file));
        print([{ file, ...counts }], options);
      },
      { MIGRATE: 'off', DATA_DIR: folder, DATABASE_URL: '', DATABASE_URL_FILE: '' },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function list(options: Printing) {
  const folder = new BackupFolder(loadConfig().backupDir);
  const rows = [];
  for (const { name, kind, at } of await folder.list()) {
    rows.push({ at, kind, bytes: await folder.sizeOf(name), file: folder.fileOf(name) });
  }
  print(rows, options);
}
