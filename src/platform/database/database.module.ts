import { Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import {
  databaseOptions,
  openDatabase,
  openSubmissionConnection,
  openReadManager,
} from './data-source.js';
import { DatabaseStatus } from './database-status.js';
import { SubmissionConnection } from './submission-connection.js';
import { refuseNewer, upgrade } from './upgrade.js';
import { ReadManager } from './transactional-repository.js';
import { UnitOfWork } from './unit-of-work.js';
import { UuidOrder } from './uuid-order.js';

class ReadConnection extends ReadManager implements OnApplicationShutdown {
  constructor(private readonly source: DataSource) {
    super();
  }

  get manager() {
    return this.source.manager;
  }

  async onApplicationShutdown(): Promise<void> {
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
        autoLoadEntities: true,
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
      useFactory: async (database: DataSource) =>
        new ReadConnection(await openReadManager(database)),
    },
  ],
  exports: [UnitOfWork, ReadManager, DatabaseStatus],
})
export class DatabaseModule {}

/** Options with what is done once the database is open. */
type Options = DataSourceOptions & { prepare?: (database: DataSource) => Promise<void> };

async function openPrepared(options?: Options): Promise<DataSource> {
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
async function prepare(database: DataSource, config: Config): Promise<void> {
  await refuseNewer(database, config);
  const done = config.migrate === 'on' ? await upgrade(database, config) : [];
  if (done.length === 0) return;
  const logger = new Logger('Database');
  logger.log('Migrated', { count: done.length });
  logger.debug('Migrations', { migrations: done });
}
