import { Injectable } from '@nestjs/common';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import { Config } from '../../platform/config/config.js';
import { diskSpaceAt } from '../../platform/kernel/disk-space.js';
import { UnavailableError } from '../../platform/kernel/errors.js';

const MIB = 1024 ** 2;

/** The database lacks tables or columns of this version. */
class MigrationsPending extends UnavailableError {
  constructor() {
    super('migrations_pending', 'The database has migrations to run first: npm run migrate.');
  }
}

/** Tells whether requests can be served. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: DatabaseStatus,
    private readonly config: Config,
  ) {}

  /** @throws MigrationsPending, DatabaseUnavailable, or the driver's error when the database is away */
  async assertReady(): Promise<void> {
    if (!this.database.isOpen) throw new DatabaseUnavailable();
    if (await this.database.hasPendingMigrations()) throw new MigrationsPending();
  }

  /**
   * Returns in words what is not as it should be while requests are served all the same: a disk that takes
   * no files, or nothing. Null when all is well.
   */
  async shortcoming(): Promise<string | null> {
    const { dataDir, minFreeDisk } = this.config;
    const { free } = await diskSpaceAt(dataDir);
    const mib = Math.floor(free / MIB);
    if (free === 0) return 'The disk of DATA_DIR is full; free space on it.';
    return free < minFreeDisk
      ? `The disk of DATA_DIR has ${mib} MiB free, less than MIN_FREE_DISK: files are refused; free space on it.`
      : null;
  }
}
