import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MINUTE_MS } from '../../kernel/time/durations.js';
import { BackupIsWritten } from './backup.errors.js';
import { readBackupName, superfluous, type StoredBackup } from './backup-schedule.js';

/** Mode of a backup: it contains submissions, and hashes of tokens and links. */
const OWNER_ONLY = 0o600;
/** How long a file that is being written may stay as it is, in milliseconds; then its writer is dead. */
const STALE_MS = 10 * MINUTE_MS;

/**
 * Writes a file that gets its name only once it is complete and on disk. Until then it has `.partial` at its end.
 * @param begin begins its content, once the file is this process's to write
 * @throws BackupIsWritten when another process writes it; the error of the disk
 */
export async function writeWhole(file: string, begin: () => Readable): Promise<void> {
  const partial = `${file}.partial`;
  await removeStale(partial);
  const output = await open(partial, 'wx', OWNER_ONLY).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new BackupIsWritten(file);
    throw error;
  });
  try {
    await pipeline(begin(), output.createWriteStream({ flush: true }));
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

/** Lists, writes and removes backups in the folder BACKUP_DIR. The names of its files are all it knows. */
export class BackupFolder {
  constructor(readonly path: string) {}

  /** Returns the complete backups, oldest first. */
  async list(): Promise<StoredBackup[]> {
    const isFolder = (await stat(this.path).catch(() => null))?.isDirectory() ?? false;
    const names = isFolder ? await readdir(this.path) : [];
    const backups = names.map(readBackupName).filter((backup) => backup !== null);
    return backups.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  /** Returns the path of a file in it. */
  fileOf(name: string): string {
    return join(this.path, name);
  }

  /** @returns the size in bytes */
  async sizeOf(name: string): Promise<number> {
    return (await stat(this.fileOf(name))).size;
  }

  /** Writes a backup. @throws BackupIsWritten, the error of the disk */
  async write(name: string, begin: () => Readable): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await writeWhole(this.fileOf(name), begin);
  }

  /** Removes backups that are not to be kept. @returns their names */
  async prune(keep: { days: number; weeks: number }, now: Date): Promise<string[]> {
    const names = superfluous(await this.list(), keep, now).map(({ name }) => name);
    for (const name of names) await rm(this.fileOf(name), { force: true });
    return names;
  }
}

/** Returns why a backup failed, in a sentence that says what to do. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk of BACKUP_DIR is full. Free some space, or keep fewer backups with BACKUP_KEEP_DAYS and BACKUP_KEEP_WEEKS.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `This user cannot write to BACKUP_DIR (${code}). Change its permissions, or set BACKUP_DIR to another folder.`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return 'BACKUP_DIR is not a folder. Set it to a folder that exists or can be created.';
  return `${message}.`.replace(/\.\.$/, '.');
}

async function removeStale(partial: string): Promise<void> {
  const written = await stat(partial).catch(() => null);
  if (written && written.mtimeMs < Date.now() - STALE_MS) await rm(partial, { force: true });
}
