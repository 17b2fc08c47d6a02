import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { openReadManager } from '../data-source.js';
import { BackupWriter, type BackupCounts } from './backup-format.js';
import { Snapshot, tablesOf, type ReadableTable } from './snapshot.js';

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
