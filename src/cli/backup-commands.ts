import { Command } from 'commander';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupFolder, writeWhole } from '../platform/database/backup/backup-folder.js';
import { backupName } from '../platform/database/backup/backup-schedule.js';
import { BackupService } from '../operations/backup/backup.service.js';
import { RestoreService } from '../operations/backup/restore.service.js';
import { VerifyService } from '../operations/backup/verify.service.js';
import { loadConfig } from '../platform/config/load-config.js';
import { Refused, WrongUse, print, withApp, withNewApp } from './command.js';

/** Name of a file that means standard input or output. */
const STANDARD = '-';

interface Options {
  json?: boolean;
}

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
    .description(
      'Back up the database and the submitted files to one file. The service can keep running.',
    )
    .argument('[file]', 'the new file; - for standard output; without it a file in BACKUP_DIR')
    .option('--json', 'print JSON')
    .action(backup)
    .addCommand(verifyCommand)
    .addCommand(listCommand);
}

/** Returns the command `restore <file>`. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Restore a backup into an empty database, embedded or on a server. On an error nothing is restored.',
    )
    .argument('<file>', 'the backup; - for standard input')
    .option('--json', 'print JSON')
    .action(restore);
}

async function backup(given: string | undefined, options: Options): Promise<void> {
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

async function restore(name: string, options: Options): Promise<void> {
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

async function verify(name: string, options: Options): Promise<void> {
  const file = resolve(name);
  if (!existsSync(file)) throw new WrongUse(`${file} does not exist.`);
  const folder = await mkdtemp(join(tmpdir(), 'backup-verify-'));
  try {
    await withNewApp(
      async (app) => {
        const counts = await app.get(VerifyService).verify(() => createReadStream(file));
        print([{ file, ...counts }], options);
      },
      { MIGRATE: 'off', DATA_DIR: folder, DATABASE_URL: '', DATABASE_URL_FILE: '' },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function list(options: Options): Promise<void> {
  const folder = new BackupFolder(loadConfig().backupDir);
  const rows = [];
  for (const { name, kind, at } of await folder.list()) {
    rows.push({ at, kind, bytes: await folder.sizeOf(name), file: folder.fileOf(name) });
  }
  print(rows, options);
}
