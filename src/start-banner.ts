import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsService, type OpenedAccount } from './accounts/accounts.service.js';
import { Config } from './platform/config/config.js';
import { DatabaseStatus } from './platform/database/database-status.js';
import { SetupService } from './people/setup.service.js';

const MIGRATION_POLL_MS = 250;

/** What the service says once it is up. */
@Injectable()
export class StartBanner implements BeforeApplicationShutdown {
  private stopped = false;
  private said: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly database: DatabaseStatus,
    private readonly accounts: AccountsService,
    private readonly setup: SetupService,
  ) {}

  /**
   * Says where the service listens, if it does. On the first start it also opens the first account and prints
   * its token, this once only; and at each start until somebody signs in, a setup link. Both go to the
   * terminal and not through the log.
   */
  print(): Promise<void> {
    if (!this.stopped) this.said = this.printNow();
    return this.said;
  }

  /** An account that is being opened is opened, and its token printed, before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.said.catch(() => undefined); // the caller gets the error
  }

  private async printNow(): Promise<void> {
    const { workers, baseUrl } = this.config;
    new Logger('Service').log(workers === 'only' ? 'Delivering' : 'Listening', { baseUrl });
    if (!(await this.untilMigrated())) return;
    const opened = await this.accounts.bootstrap();
    if (opened) this.printToken(opened);
    const code = await this.setup.issueFirst();
    if (code !== null) {
      process.stdout.write(`
  Nobody signs in here yet. Open this to become the owner; it works once, and each start prints a new one:

    ${baseUrl}/setup#${code}

`);
    }
  }

  private printToken({ account, secret }: OpenedAccount): void {
    const { baseUrl } = this.config;
    process.stdout.write(`
  Your account "${account.name}" is open. This is its access token; it is shown only now:

    ${secret}

  Try it:

    curl -H "Authorization: Bearer ${secret}" ${baseUrl}/api/v1/forms

`);
  }

  /**
   * With MIGRATE=off the tables may come later; until then there is nowhere to put an account.
   * @returns false when the service is stopped before
   */
  private async untilMigrated(): Promise<boolean> {
    let warned = false;
    while (await this.database.hasPendingMigrations()) {
      if (!warned)
        new Logger('Service').warn('The database has migrations to run: npm run migrate');
      warned = true;
      await pause(MIGRATION_POLL_MS);
      if (this.stopped) return false;
    }
    return true;
  }
}
