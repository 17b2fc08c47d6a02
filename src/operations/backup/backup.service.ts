import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { FileStore } from '../../submissions/files/file-store.js';
import { FilesService } from '../../submissions/files/files.service.js';
import {
  beginBackup,
  type Backup,
  databaseOptions,
  openDatabase,
  insertStatement,
  runStatements,
  sqlDate,
  firstUnreleased,
  migrate,
  MIGRATION_TIMEOUT_MS,
  timeOf,
  BackupReader,
  type BackupCounts,
  type BackupHeader,
  type BackupLine,
  sizeOf,
  type BackupTable,
  type ValueKind,
  BackupDamaged,
  BackupTooNew,
  BackupUnreleased,
  DatabaseNotEmpty,
  DatabaseTooNew,
  BackupDiffers,
  Snapshot,
  tablesOf,
} from '../../platform/database/index.js';
import { Config } from '../../platform/index.js';
import { migrationNames, migrations } from '../../platform/database/migrations/index.js';

/** Makes backups: the whole database at one moment, and the files it names. */
@Injectable()
export class BackupService {
  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
    private readonly files: FilesService,
  ) {}

  /** Begins a backup; the service may be running. */
  begin(): Backup {
    return beginBackup(this.database, {
      find: (id) => this.store.find(id),
      isKnown: (id) => this.files.isKnown(this.database.manager, id),
    });
  }
}

/**
 * Most rows and bytes of one INSERT, but for a single longer row: far below the 16 MiB that servers take
 * unless they are set otherwise.
 */
const ROWS_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;

/** Fills an empty database from a backup, entirely or not at all. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly config: Config,
    private readonly database: DataSource,
    private readonly store: FileStore,
  ) {}

  /**
   * Restores a packed backup in one transaction, which is committed once the last line was read and the checksum is
   * right. The tables are first migrated to the state of the backup, and after the commit to that of this version.
   * @param look sees the database before it is migrated to this version, with the rows of missing files
   * @throws BackupDamaged, BackupTooNew, BackupUnreleased, DatabaseTooNew, DatabaseNotEmpty
   */
  async restore(packed: Readable, look?: (restored: DataSource) => Promise<void>): Promise<BackupCounts> {
    const reader = new BackupReader(packed);
    const added: Buffer[] = [];
    try {
      const header = await reader.header();
      await this.refuseUnlessFit(header);
      const target = await this.openMigratedAs(header);
      const missing: Buffer[] = [];
      try {
        await target.transaction(async (tx) => {
          await this.fill(tx, header.tables, reader.lines(), { added, missing });
          if (!look) for (const id of missing) await this.forgetFile(tx, header.tables, id);
        });
        await look?.(target);
      } finally {
        await target.destroy();
      }
    } catch (error) {
      for (const id of added) await this.store.remove(id);
      throw error;
    } finally {
      await reader.close();
    }
    await migrate(this.database);
    return reader.counts;
  }

  private async refuseUnlessFit(header: BackupHeader) {
    const newest = Math.max(...migrationNames.map(timeOf));
    const newer = header.migrations.find((name) => timeOf(name) > newest);
    if (newer !== undefined) throw new BackupTooNew(newer);
    const unreleased = firstUnreleased(header.migrations, migrationNames);
    if (unreleased !== undefined) throw new BackupUnreleased(unreleased);
    const runner = this.database.createQueryRunner();
    try {
      if (!(await runner.hasTable('migrations'))) return;
      const done = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
      for (const { name } of header.tables) {
        if (!(await runner.hasTable(name))) continue;
        const rows = (await runner.query(`SELECT 1 FROM ${this.escape(name)} LIMIT 1`)) as unknown[];
        if (rows.length > 0) throw new DatabaseNotEmpty(name);
      }
      const last = Math.max(...header.migrations.map(timeOf));
      const further = done.find(({ name }) => timeOf(name) > last);
      if (further) throw new DatabaseTooNew(further.name);
    } finally {
      await runner.release();
    }
  }

  /** Opens a connection that knows the backup's migrations alone, and runs them. */
  private async openMigratedAs(header: BackupHeader) {
    const target = await openDatabase({
      ...(await databaseOptions(this.config)),
      migrations: migrations.filter((Each) => header.migrations.includes(new Each().name)),
      maxQueryExecutionTime: MIGRATION_TIMEOUT_MS, // the commit of a whole database
    });
    await migrate(target);
    return target;
  }

  private async fill(
    tx: EntityManager,
    tables: BackupTable[],
    lines: AsyncGenerator<BackupLine>,
    files: { added: Buffer[]; missing: Buffer[] },
  ) {
    let pending: unknown[][] = [];
    let bytes = 0;
    let current = 0;
    const flush = async () => {
      const table = tables[current];
      if (!table) throw new BackupDamaged('a row belongs to no table');
      const columns = table.columns.map(({ name }) => this.escape(name));
      await runStatements(tx, insertStatement(this.escape(table.name), columns, pending));
      pending = [];
      bytes = 0;
    };
    for await (const line of lines) {
      switch (line[0]) {
        case 'row': {
          const [, index, values] = line;
          const size = sizeOf(values);
          const full = pending.length >= ROWS_AT_ONCE || bytes + size > BYTES_AT_ONCE;
          if (pending.length > 0 && (full || index !== current)) await flush();
          current = index;
          pending.push(decode(values, tables[index]));
          bytes += size;
          break;
        }
        case 'file': {
          const id = Buffer.from(line[1], 'hex');
          if (await this.store.putBack(id, bytesOf(lines))) files.added.push(id);
          break;
        }
        case 'missing':
          files.missing.push(Buffer.from(line[1], 'hex'));
          break;
        default:
          throw new BackupDamaged('its lines are out of order');
      }
    }
    await flush();
  }

  /** Removes the row of a file that the backup lacks, and its size from its form, in a backup that has sums. */
  private async forgetFile(tx: EntityManager, tables: BackupTable[], id: Buffer) {
    const forms = tables.find(({ name }) => name === 'forms');
    if (forms?.columns.some(({ name }) => name === 'files_bytes')) {
      await tx.query(
        `UPDATE forms SET files_bytes = files_bytes - (SELECT size FROM files WHERE id = ?)
         WHERE id = (SELECT form_id FROM files WHERE id = ?)`,
        [id, id],
      );
    }
    await tx.query('DELETE FROM files WHERE id = ?', [id]);
  }

  private escape(name: string) {
    return this.database.driver.escape(name);
  }

  /**
   * Restores a backup, compares every row and the SHA-256 of every file, and migrates it to this version.
   * @param open opens the backup at its start, once to restore and once to compare
   * @throws BackupDiffers, and what restoring throws
   */
  verify(open: () => Readable): Promise<BackupCounts> {
    return this.restore(open(), (restored) => this.compare(restored, open()));
  }

  private async compare(restored: DataSource, packed: Readable) {
    const reader = new BackupReader(packed);
    const snapshot = await Snapshot.begin(restored);
    try {
      const { tables } = await reader.header();
      const lines = reader.lines();
      const readable = await tablesOf(restored);
      const rows = rowsOf(
        snapshot,
        tables.map(({ name, columns }) => {
          const table = readable.find((one) => one.name === name);
          if (!table) throw new BackupDiffers(`the table ${name}`);
          return { ...table, columns };
        }),
      );
      for await (const line of lines) {
        if (line[0] === 'row') {
          const [, index, values] = line;
          const { value } = await rows.next();
          if (!isDeepStrictEqual(value, [index, values]))
            throw new BackupDiffers(`a row of ${tables[index]?.name ?? 'no table'}`);
        } else if (line[0] === 'file') {
          const wanted = await hashOf(bytesOf(lines));
          const kept = await this.store.find(Buffer.from(line[1], 'hex'));
          if (!kept || (await hashOf(kept)) !== wanted) throw new BackupDiffers(`the file ${line[1]}`);
        } else if (line[0] !== 'missing') {
          throw new BackupDamaged('its lines are out of order');
        }
      }
      const { done } = await rows.next();
      if (done !== true) throw new BackupDiffers('the number of rows');
    } finally {
      await snapshot.end();
      await reader.close();
    }
  }
}

/** Yields the bytes of a file, up to the line that ends it. */
async function* bytesOf(lines: AsyncGenerator<BackupLine>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value: line } = (await lines.next()) as IteratorResult<BackupLine, undefined>;
    if (line?.[0] === 'file-end') return;
    if (line?.[0] !== 'bytes') throw new BackupDamaged('a file is cut off');
    yield Buffer.from(line[1], 'base64');
  }
}

function decode(values: unknown[], table?: BackupTable) {
  return values.map((value, index) => decodeValue(value, table?.columns[index]?.kind));
}

function decodeValue(value: unknown, kind?: ValueKind) {
  if (typeof value !== 'string') return value;
  if (kind === 'bytes') return Buffer.from(value, 'base64');
  return kind === 'moment' ? sqlDate(new Date(value)) : value;
}

/** Yields the rows of tables in the order of a backup, each with the place of its table. */
async function* rowsOf(
  snapshot: Snapshot,
  tables: Parameters<Snapshot['rows']>[0][],
): AsyncGenerator<[number, unknown[]], undefined> {
  for (const [index, table] of tables.entries()) {
    for await (const rows of snapshot.rows(table)) for (const row of rows) yield [index, row];
  }
}

async function hashOf(content: AsyncIterable<Buffer | string>) {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
