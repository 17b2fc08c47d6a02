import {
  Global,
  Logger,
  Module,
  type OnApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, getMetadataArgsStorage, type DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import {
  databaseOptions,
  openDatabase,
  openSubmissionConnection,
  openReadManager,
  SubmissionConnection,
} from './data-source.js';
import { DatabaseStatus, refuseNewer, upgrade, hasPendingMigrations } from './database-status.js';
import { ReadManager } from './sql.js';
import { UnitOfWork } from './unit-of-work.js';
import { continueAfter } from '../kernel/uuid.js';

/**
 * Lets ids go on rising when the service starts on a clock that was set back: rows of one table are listed,
 * read up to and exported in the order of their ids.
 */
@Injectable()
class UuidOrder implements OnApplicationBootstrap {
  constructor(private readonly database: DataSource) {}

  async onApplicationBootstrap() {
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

class ReadConnection extends ReadManager implements OnApplicationShutdown {
  constructor(private readonly source: DataSource) {
    super();
  }

  get manager() {
    return this.source.manager;
  }

  async onApplicationShutdown() {
    if (this.source.isInitialized) await this.source.destroy();
  }
}

/** Opens the database and provides `UnitOfWork` to write and `ReadManager` to read. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: async (config: Config) => ({
        ...(await databaseOptions(config)),
        entities: getMetadataArgsStorage().tables.map(({ target }) => target),
        retryAttempts: 0,
        prepare: (database: DataSource) => prepare(database, config),
      }),
      dataSourceFactory: openPrepared,
    }),
  ],
  providers: [
    UnitOfWork,
    DatabaseStatus,
    UuidOrder,
    { provide: SubmissionConnection, inject: [Config], useFactory: openSubmissionConnection },
    {
      provide: ReadManager,
      inject: [DataSource],
      useFactory: async (database: DataSource) => new ReadConnection(await openReadManager(database)),
    },
  ],
  exports: [DatabaseStatus, ReadManager, UnitOfWork],
})
export class DatabaseModule {}

/** Options with what is done once the database is open. */
type Options = DataSourceOptions & { prepare?: (database: DataSource) => Promise<void> };

async function openPrepared(options?: Options) {
  if (!options?.prepare) throw new Error('The database has no options.');
  const { prepare, ...rest } = options;
  const database = await openDatabase(rest);
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Runs pending migrations, if settings say so. TypeORM's own `migrationsRun` has no lock between instances. */
async function prepare(database: DataSource, config: Config) {
  await refuseNewer(database, config);
  const done = config.migrate === 'on' ? await upgrade(database, config) : [];
  if (done.length === 0) return;
  const logger = new Logger('Database');
  logger.log('Migrated', { count: done.length });
  logger.debug('Migrations', { migrations: done });
}
