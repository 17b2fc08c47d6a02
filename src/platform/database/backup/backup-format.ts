import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConflictError, fact } from '../../kernel/errors.js';

/** The input is no backup, or not a complete one. Nothing was restored. */
export class BackupDamaged extends fact(
  ConflictError,
  'backup_damaged',
  (reason: string) => `This backup cannot be restored: ${reason}. Nothing was restored. Use another copy of it.`,
) {}

/** Another process is writing a backup under this name. */
export class BackupIsWritten extends fact(
  ConflictError,
  'backup_is_written',
  (file: string) => `Another process is writing ${file}. Wait for it, or choose another name.`,
) {}

/** The backup has migrations that this version of the program does not know. */
export class BackupTooNew extends fact(
  ConflictError,
  'backup_too_new',
  (migration: string) =>
    `The backup comes from a newer version, with the migration ${migration}. Restore it with that version.`,
) {}

/** The backup has a part of the migrations of a release. */
export class BackupUnreleased extends ConflictError {
  constructor(migration: string) {
    super(
      'backup_unreleased',
      `The backup was made between two releases (its migration is ${migration}). Restore it with the version that made it.`,
    );
  }
}

/** The database has migrations that the backup lacks. */
export class DatabaseTooNew extends fact(
  ConflictError,
  'database_too_new',
  (migration: string) =>
    `The database is newer than the backup, by the migration ${migration}. Restore into a database without tables; restoring migrates it.`,
) {}

export class DatabaseNotEmpty extends fact(
  ConflictError,
  'database_not_empty',
  (table: string) =>
    `The database is not empty: ${table} has rows. Restore into a new database on which the service has never started.`,
) {}

/** A backup was restored into a scratch database, and something differs. */
export class BackupDiffers extends fact(
  ConflictError,
  'backup_differs',
  (what: string) =>
    `The backup was restored into a scratch database, and ${what} differs from the file. Report this, and keep other backups.`,
) {}

const FORMAT = 'form-collection-service backup';
const FORMAT_VERSION = 1;
const NEWLINE = 0x0a;
/**
 * Longest line in bytes. No row makes a longer one: its bytes and its text have 16 MiB each, escaped at most sixfold.
 */
export const LINE_BYTES_MAX = 128 * 1024 * 1024;

/**
 * How a value is written, on every engine: `bytes` in base64, a `moment` as ISO 8601 in UTC, `whole`
 * as a number, everything else as JSON has it.
 */
export type ValueKind = 'bytes' | 'moment' | 'whole' | 'plain';

/** A table of a backup, with all that is needed to insert its rows. */
export interface BackupTable {
  name: string;
  columns: { name: string; kind: ValueKind }[];
}

/** The first line of a backup. */
export interface BackupHeader {
  /** Names of the migrations that made its tables, oldest first. */
  migrations: string[];
  tables: BackupTable[];
}

/** Numbers of what a backup contains. */
export interface BackupCounts {
  rows: number;
  files: number;
  /** Files that were erased with their rows while the backup was made. */
  erased: number;
  /** Files that rows name but that are not on disk. */
  lost: number;
}

/**
 * One line of a backup. A row names its table by the place in the header; a file's bytes are the
 * `bytes` lines up to its `file-end`.
 */
export type BackupLine =
  | ['row', table: number, values: unknown[]]
  | ['file', id: string]
  | ['bytes', base64: string]
  | ['file-end']
  | ['missing', id: string];

type Line = ['header', format: string, version: number, header: BackupHeader] | BackupLine;

/**
 * Writes a backup as text: one JSON array a line, in UTF-8, to be packed with gzip. The last line has the
 * counts and the SHA-256 of all lines before it.
 */
export class BackupWriter {
  private readonly hash = createHash('sha256');

  header(header: BackupHeader) {
    return this.lines([['header', FORMAT, FORMAT_VERSION, header]]);
  }

  lines(lines: Line[]) {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.hash.update(text);
    return text;
  }

  end(counts: BackupCounts) {
    return `${JSON.stringify(['end', counts, this.hash.digest('hex')])}\n`;
  }
}

/** Reads a packed backup in pieces. `lines` ends without an error only when the backup is complete. */
export class BackupReader {
  /** Known once `lines` has ended. */
  counts: BackupCounts = { rows: 0, files: 0, erased: 0, lost: 0 };
  private readonly source: AsyncGenerator<unknown[]>;

  constructor(packed: Readable) {
    this.source = this.read(packed);
  }

  /** @throws BackupDamaged */
  async header(): Promise<BackupHeader> {
    const { value } = (await this.source.next()) as IteratorResult<unknown[], undefined>;
    const [kind, format, version, header] = value ?? [];
    if (kind !== 'header' || format !== FORMAT) throw new BackupDamaged('it is not a backup of this service');
    if (version !== FORMAT_VERSION) {
      throw new BackupDamaged(`its format is ${String(version)}, not ${FORMAT_VERSION}`);
    }
    return header as BackupHeader;
  }

  /** @throws BackupDamaged */
  async *lines(): AsyncGenerator<BackupLine> {
    for await (const line of this.source) yield line as BackupLine;
  }

  async close() {
    await this.source.return(undefined);
  }

  private async *read(packed: Readable): AsyncGenerator<unknown[]> {
    const hash = createHash('sha256');
    let ended = false;
    for await (const text of linesOf(packed)) {
      const line = parse(text);
      if (ended) throw new BackupDamaged('it has data after its end');
      if (line[0] === 'end') {
        if (line[2] !== hash.digest('hex')) throw new BackupDamaged('its checksum is wrong');
        this.counts = line[1] as BackupCounts;
        ended = true;
        continue;
      }
      hash.update(text).update('\n');
      yield line;
    }
    if (!ended) throw new BackupDamaged('its end is missing');
  }
}

/** Estimates the length of a row, in characters. */
export function sizeOf(row: unknown[]) {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
}

function parse(text: Buffer): unknown[] {
  try {
    const line: unknown = JSON.parse(text.toString('utf8'));
    if (Array.isArray(line)) return line;
  } catch {
    // the error below says it
  }
  throw new BackupDamaged('it has an unknown line');
}

/** Splits at line feeds alone; Node's readline also splits at U+2028, which text may contain. */
async function* linesOf(packed: Readable): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(packed)) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      yield Buffer.concat([...open, chunk.subarray(start, end)]);
      open = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    open.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LINE_BYTES_MAX) throw new BackupDamaged('it has a line that is too long');
  }
  if (open.length > 0) throw new BackupDamaged('it is cut off');
}

async function* unpacked(packed: Readable): AsyncGenerator<Buffer> {
  const unzip = createGunzip();
  packed.on('error', (error) => unzip.destroy(error));
  try {
    for await (const chunk of packed.pipe(unzip)) yield chunk as Buffer;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw new BackupDamaged('it cannot be unpacked');
    throw error;
  } finally {
    packed.destroy();
    unzip.destroy();
  }
}
