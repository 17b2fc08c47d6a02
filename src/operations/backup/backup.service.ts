import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { DataSource } from 'typeorm';
import { openReadManager } from '../../platform/database/data-source.js';
import { hasPendingMigrations } from '../../platform/database/migrate.js';
import { FileStore } from '../../files/file-store.js';
import { FilesService } from '../../files/files.service.js';
import { BackupWriter, type BackupCounts } from './backup-format.js';
import { DatabaseNotCurrent } from './backup.errors.js';
import { Snapshot, tablesOf } from './snapshot.js';

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

/** Makes backups: the whole database at one moment, and the files it names. */
@Injectable()
export class BackupService {
  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
    private readonly files: FilesService,
  ) {}

  /**
   * Begins a backup; the service may be running. Memory does not grow with the database.
   * @throws DatabaseNotCurrent
   */
  async begin(): Promise<Backup> {
    if (await hasPendingMigrations(this.database)) throw new DatabaseNotCurrent();
    const counts = { rows: 0, files: 0, erased: 0, lost: 0 };
    const text = Readable.from(this.write(counts));
    const content = createGzip({ level: GZIP_LEVEL });
    text.on('error', (error) => content.destroy(error));
    content.on('close', () => text.destroy());
    return { content: text.pipe(content), counts };
  }

  private async *write(counts: BackupCounts): AsyncGenerator<string> {
    const writer = new BackupWriter();
    const tables = tablesOf(this.database);
    const reads = await openReadManager(this.database);
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
      for await (const id of this.fileIds(snapshot)) yield* this.file(id, writer, counts);
      yield writer.end(counts);
    } finally {
      await snapshot.end();
      if (reads !== this.database) await reads.destroy();
    }
  }

  private async *fileIds(snapshot: Snapshot): AsyncGenerator<Buffer> {
    const table = tablesOf(this.database).find(({ name }) => name === FILES_TABLE);
    if (!table) throw new Error(`There is no table ${FILES_TABLE}.`);
    const columns = table.columns.filter(({ name }) => name === 'id');
    for await (const rows of snapshot.rows({ ...table, columns, long: [] })) {
      for (const [id] of rows) yield Buffer.from(String(id), 'base64');
    }
  }

  private async *file(
    id: Buffer,
    writer: BackupWriter,
    counts: BackupCounts,
  ): AsyncGenerator<string> {
    const name = id.toString('hex');
    const bytes = await this.store.find(id);
    if (!bytes) {
      // The present is asked, since the snapshot still has rows that were erased after it.
      if (await this.files.isKnown(this.database.manager, id)) counts.lost++;
      else counts.erased++;
      yield writer.lines([['missing', name]]);
      return;
    }
    counts.files++;
    yield writer.lines([['file', name]]);
    for await (const chunk of bytes) {
      yield writer.lines([['bytes', (chunk as Buffer).toString('base64')]]);
    }
    yield writer.lines([['file-end']]);
  }
}
