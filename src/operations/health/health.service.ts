import { Injectable } from '@nestjs/common';
import { DatabaseUnavailable, DatabaseStatus } from '../../platform/database/index.js';
import { Config, diskSpaceAt, COMMAND_LINE, UnavailableError, fact } from '../../platform/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';

const MIB = 1024 ** 2;

/** The database lacks migrations of this version. */
class MigrationsPending extends fact(
  UnavailableError,
  'migrations_pending',
  `Migrations are pending. Run: ${COMMAND_LINE} migrate`,
) {}

/** Nobody has a token or a way to sign in before the first start has opened an account. */
class AccountMissing extends fact(
  UnavailableError,
  'account_missing',
  'The service is creating its first account. Ask again in a moment.',
) {}

/** Tells whether requests can be served. */
@Injectable()
export class HealthService {
  /** Whether there was an account at some time; accounts are never removed. */
  private hasAccount = false;

  constructor(
    private readonly database: DatabaseStatus,
    private readonly accounts: AccountsService,
    private readonly config: Config,
  ) {}

  /**
   * @throws MigrationsPending, AccountMissing, DatabaseUnavailable, or the driver's error when the database is away
   */
  async assertReady() {
    if (!this.database.isOpen) throw new DatabaseUnavailable();
    if (await this.database.hasPendingMigrations()) throw new MigrationsPending();
    this.hasAccount ||= await this.accounts.hasAny();
    if (!this.hasAccount) throw new AccountMissing();
  }

  /**
   * Returns a sentence about a disk that is full or too full for files, while other requests are served.
   * Null when all is well.
   */
  async shortcoming(): Promise<string | null> {
    const { dataDir, intake } = this.config;
    const { free } = await diskSpaceAt(dataDir);
    const mib = Math.floor(free / MIB);
    if (free === 0) return 'The disk of DATA_DIR is full. Free some space.';
    return free < intake.minFreeDisk
      ? `The disk of DATA_DIR has ${mib} MiB free, less than MIN_FREE_DISK. The service refuses files. Free some space.`
      : null;
  }
}
