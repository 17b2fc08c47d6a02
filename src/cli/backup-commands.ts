import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupService } from '../operations/backup/backup.service.js';
import { RestoreService } from '../operations/backup/restore.service.js';
import { Refused, WrongUse } from './cli.errors.js';
import { print } from './print.js';
import { withApp, withNewApp } from './with-app.js';

/** Name of a file that means standard input or output. */
const STANDARD = '-';
/** Mode of the file: a backup contains submissions, and hashes of tokens and links. */
const OWNER_ONLY = 0o600;

interface Options {
  json?: boolean;
}

/** Returns the command `backup <file>`. */
export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Back up the database and the submitted files to one file. The service can keep running.',
    )
    .argument('<file>', 'the new file; - for standard output')
    .option('--json', 'print JSON')
    .action(backup);
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

async function backup(name: string, options: Options): Promise<void> {
  const file = resolve(name);
  if (name !== STANDARD && existsSync(file)) {
    throw new Refused(`${file} already exists. Choose another name.`);
  }
  await withApp(
    async (app) => {
      const { content, counts } = app.get(BackupService).begin();
      if (name === STANDARD) await pipeline(content, process.stdout, { end: false });
      else {
        await writeWhole(file, content);
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

/** Writes a file that gets its name only once it is complete and on disk. */
async function writeWhole(file: string, content: Readable): Promise<void> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  try {
    await pipeline(
      content,
      createWriteStream(partial, { flags: 'wx', mode: OWNER_ONLY, flush: true }),
    );
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  const folder = await open(dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
