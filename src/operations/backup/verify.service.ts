import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Readable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { FileStore } from '../../files/file-store.js';
import { BackupReader, type BackupCounts } from '../../platform/database/backup/backup-format.js';
import { BackupDamaged, BackupDiffers } from '../../platform/database/backup/backup.errors.js';
import { bytesOf, RestoreService } from './restore.service.js';
import { Snapshot, tablesOf } from '../../platform/database/backup/snapshot.js';

/** Proves a backup: restores it into the empty database it runs on, and compares what is there with the file. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly restores: RestoreService,
    private readonly store: FileStore,
  ) {}

  /**
   * Restores a backup, compares every row and the SHA-256 of every file, and migrates it to this version.
   * @param open opens the backup at its start, once to restore and once to compare
   * @throws BackupDiffers, and what restoring throws
   */
  verify(open: () => Readable): Promise<BackupCounts> {
    return this.restores.restore(open(), (restored) => this.compare(restored, open()));
  }

  private async compare(restored: DataSource, packed: Readable): Promise<void> {
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
          if (!kept || (await hashOf(kept)) !== wanted)
            throw new BackupDiffers(`the file ${line[1]}`);
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

/** Yields the rows of tables in the order of a backup, each with the place of its table. */
async function* rowsOf(
  snapshot: Snapshot,
  tables: Parameters<Snapshot['rows']>[0][],
): AsyncGenerator<[number, unknown[]], undefined> {
  for (const [index, table] of tables.entries()) {
    for await (const rows of snapshot.rows(table)) for (const row of rows) yield [index, row];
  }
}

async function hashOf(content: AsyncIterable<Buffer | string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
