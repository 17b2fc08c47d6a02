import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { DAY_MS, MINUTE_MS } from '../../kernel/time.js';
import { BackupIsWritten, BackupWriter, type BackupCounts } from './backup-format.js';
import { openReadManager } from '../data-source.js';
import { Snapshot, tablesOf, type ReadableTable } from './snapshot.js';

/** How many backups before upgrades are kept. */
const UPGRADES_KEPT = 3;

/** A backup in the folder. Its name says what it is and when it was made. */
export interface StoredBackup {
  name: string;
  kind: 'backup' | 'upgrade';
  at: Date;
}

const NAME = /^(backup|upgrade)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.ndjson\.gz$/;

/** Returns the name of a backup of a time, such as `backup-20261126T030000Z.ndjson.gz`. */
export function backupName(kind: StoredBackup['kind'], at: Date) {
  return `${kind}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.ndjson.gz`;
}

/** Returns the backup that a file is by its name; null for other files. */
export function readBackupName(name: string): StoredBackup | null {
  const [, kind, ...parts] = NAME.exec(name) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at.getTime())) return null;
  return { name, kind: kind as StoredBackup['kind'], at };
}

/** Returns the last time of the day, of those given as `HH:MM` in UTC, that is not after `now`; null without times. */
export function lastDue(times: readonly string[], now: Date): Date | null {
  return momentsAround(times, now).findLast((at) => at <= now) ?? null;
}

/** Returns the next such time after `now`; null without times. */
export function nextDue(times: readonly string[], now: Date): Date | null {
  return momentsAround(times, now).find((at) => at > now) ?? null;
}

function momentsAround(times: readonly string[], now: Date) {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const ofDay = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours * 60 + minutes) * MINUTE_MS;
  });
  return [-DAY_MS, 0, DAY_MS]
    .flatMap((day) => ofDay.map((ms) => new Date(today + day + ms)))
    .sort((a, b) => a.getTime() - b.getTime());
}

/**
 * Returns the backups to remove: all but the last of each of the newest days and weeks that have one, and the newest before
 * upgrades. Those from the future, when the clock was wrong, are kept and count for nothing.
 */
export function superfluous(
  stored: readonly StoredBackup[],
  keep: { days: number; weeks: number },
  now: Date,
): StoredBackup[] {
  const past = stored.filter(({ at }) => at <= now).sort((a, b) => Number(b.at) - Number(a.at));
  const regular = past.filter(({ kind }) => kind === 'backup');
  const kept = new Set([
    ...lastOfEach(regular, keep.days, ({ at }) => Math.floor(at.getTime() / DAY_MS)),
    // The first day of 1970 was a Thursday.
    ...lastOfEach(regular, keep.weeks, ({ at }) => Math.floor((at.getTime() / DAY_MS + 3) / 7)),
    ...past.filter(({ kind }) => kind === 'upgrade').slice(0, UPGRADES_KEPT),
  ]);
  return past.filter((backup) => !kept.has(backup));
}

function lastOfEach(newestFirst: StoredBackup[], most: number, spanOf: (backup: StoredBackup) => number) {
  const bySpan = new Map<number, StoredBackup>();
  for (const backup of newestFirst) {
    if (!bySpan.has(spanOf(backup))) bySpan.set(spanOf(backup), backup);
  }
  return [...bySpan.values()].slice(0, most);
}

/** Mode of a backup: it contains submissions, and hashes of tokens and links. */
const OWNER_ONLY = 0o600;
/** How long a file that is being written may stay as it is, in milliseconds; then its writer is dead. */
const STALE_MS = 10 * MINUTE_MS;

/**
 * Writes a file that gets its name only once it is complete and on disk. Until then it has `.partial` at its end.
 * @param begin begins its content, once the file is this process's to write
 * @throws BackupIsWritten when another process writes it; the error of the disk
 */
export async function writeWhole(file: string, begin: () => Readable) {
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
  fileOf(name: string) {
    return join(this.path, name);
  }

  /** @returns the size in bytes */
  async sizeOf(name: string) {
    return (await stat(this.fileOf(name))).size;
  }

  /** Writes a backup. @throws BackupIsWritten, the error of the disk */
  async write(name: string, begin: () => Readable) {
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
export function reasonOf(error: unknown) {
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

async function removeStale(partial: string) {
  const written = await stat(partial).catch(() => null);
  if (written && written.mtimeMs < Date.now() - STALE_MS) await rm(partial, { force: true });
}

/** The table whose ids name the files on disk. */
const FILES_TABLE = 'files';
/** A fast level, since the running service needs the processor too. */
const GZIP_LEVEL = 3;

/** A backup while it is made. */
export interface Backup {
  /** The packed backup, to be read to its end. */
  content: Readable;
  /** Complete once `content` was read. */
  counts: BackupCounts;
}

/** Finds the files that rows name. */
export interface SubmittedFiles {
  /** @returns null for a file that is not on disk */
  find(id: Buffer): Promise<Readable | null>;
  /** Tells whether a row still names it. */
  isKnown(id: Buffer): Promise<boolean>;
}

/**
 * Begins a backup of the whole database at one moment, of this version's tables or an older one's. The service may be
 * running. Memory does not grow with the database.
 * @param files null leaves them out, for a restore where they still are
 */
export function beginBackup(database: DataSource, files: SubmittedFiles | null): Backup {
  const counts = { rows: 0, files: 0, erased: 0, lost: 0 };
  const text = Readable.from(write(database, files, counts));
  const content = createGzip({ level: GZIP_LEVEL });
  text.on('error', (error) => content.destroy(error));
  content.on('close', () => text.destroy());
  return { content: text.pipe(content), counts };
}

async function* write(
  database: DataSource,
  files: SubmittedFiles | null,
  counts: BackupCounts,
): AsyncGenerator<string> {
  const writer = new BackupWriter();
  const tables = await tablesOf(database);
  const reads = await openReadManager(database);
  const snapshot = await Snapshot.begin(reads);
  try {
    const migrations = await snapshot.migrations();
    const described = tables.map(({ name, columns }) => ({ name, columns }));
    yield writer.header({ migrations, tables: described });
    for (const [index, table] of tables.entries()) {
      for await (const rows of snapshot.rows(table)) {
        counts.rows += rows.length;
        yield writer.lines(rows.map((row) => ['row', index, row]));
      }
    }
    // Rows first: a file is on disk before its row, so each file that a row names is there or was erased.
    if (files !== null) {
      for await (const id of fileIds(snapshot, tables)) yield* writeFile(id, files, writer, counts);
    }
    yield writer.end(counts);
  } finally {
    await snapshot.end();
    if (reads !== database) await reads.destroy();
  }
}

async function* fileIds(snapshot: Snapshot, tables: ReadableTable[]): AsyncGenerator<Buffer> {
  const table = tables.find(({ name }) => name === FILES_TABLE);
  if (!table) throw new Error(`There is no table ${FILES_TABLE}.`);
  const columns = table.columns.filter(({ name }) => name === 'id');
  for await (const rows of snapshot.rows({ ...table, columns, long: [] })) {
    for (const [id] of rows) yield Buffer.from(String(id), 'base64');
  }
}

async function* writeFile(
  id: Buffer,
  files: SubmittedFiles,
  writer: BackupWriter,
  counts: BackupCounts,
): AsyncGenerator<string> {
  const name = id.toString('hex');
  const bytes = await files.find(id);
  if (!bytes) {
    // The present is asked, since the snapshot still has rows that were erased after it.
    if (await files.isKnown(id)) counts.lost++;
    else counts.erased++;
    yield writer.lines([['missing', name]]);
    return;
  }
  counts.files++;
  try {
    yield writer.lines([['file', name]]);
    for await (const chunk of bytes) {
      yield writer.lines([['bytes', (chunk as Buffer).toString('base64')]]);
    }
  } finally {
    bytes.destroy();
  }
  yield writer.lines([['file-end']]);
}
