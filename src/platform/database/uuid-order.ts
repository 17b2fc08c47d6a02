import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { continueAfter } from '../kernel/uuid.js';
import { hasPendingMigrations } from './migrate.js';

/**
 * Lets ids go on rising when the service starts on a clock that was set back: rows of one table are listed,
 * read up to and exported in the order of their ids.
 */
@Injectable()
export class UuidOrder implements OnApplicationBootstrap {
  constructor(private readonly database: DataSource) {}

  async onApplicationBootstrap(): Promise<void> {
    if (await hasPendingMigrations(this.database)) return;
    for (const { tableName, primaryColumns } of this.database.entityMetadatas) {
      const [id, ...others] = primaryColumns;
      if (id?.type !== 'binary' || others.length > 0) continue;
      const [row] = await this.database.query<{ newest: Buffer | null }[]>(
        `SELECT MAX(${id.databaseName}) AS newest FROM ${tableName}`,
      );
      if (row?.newest) continueAfter(row.newest);
    }
  }
}
