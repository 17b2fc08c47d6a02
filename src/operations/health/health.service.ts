import { Injectable } from '@nestjs/common';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import { UnavailableError } from '../../platform/kernel/errors.js';

/** The database lacks tables or columns of this version. */
class MigrationsPending extends UnavailableError {
  constructor() {
    super('migrations_pending', 'The database has migrations to run first: npm run migrate.');
  }
}

/** Tells whether requests can be served. */
@Injectable()
export class HealthService {
  constructor(private readonly database: DatabaseStatus) {}

  /** @throws MigrationsPending, DatabaseUnavailable, or the driver's error when the database is away */
  async assertReady(): Promise<void> {
    if (!this.database.isOpen) throw new DatabaseUnavailable();
    if (await this.database.hasPendingMigrations()) throw new MigrationsPending();
  }
}
