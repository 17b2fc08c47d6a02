import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountsService, type OpenedAccount } from './accounts/accounts.service.js';
import { Config, COMMAND_LINE } from './platform/index.js';
import { DatabaseStatus } from './platform/database/index.js';
import { SetupService } from './people/setup/setup.service.js';

/** How often the database is asked whether another process has migrated it, in milliseconds. */
const MIGRATION_POLL_MS = 250;

/** Prints the address once the service is up, and on a first start the token and the setup link. */
@Injectable()
export class StartBanner implements BeforeApplicationShutdown {
  private stopped = false;
  private printing: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: Config,
    private readonly database: DatabaseStatus,
    private readonly accounts: AccountsService,
    private readonly setup: SetupService,
  ) {}

  /**
   * Logs where the service listens. On the first start it also opens the first account and prints its
   * token, which is shown only now. Until somebody has signed in, each start prints a new setup link.
   * Both secrets go to the terminal and not into the log.
   */
  print() {
    if (!this.stopped) this.printing = this.printNow();
    return this.printing;
  }

  /** Waits for an account that is being opened: its token must be printed before the database is closed. */
  async beforeApplicationShutdown() {
    this.stopped = true;
    await this.printing.catch(() => undefined); // the caller of `print` gets the error
  }

  private async printNow() {
    const { deliveries, baseUrl } = this.config;
    new Logger('Service').log(deliveries.workers === 'only' ? 'Delivering' : 'Listening', { baseUrl });
    if (!(await this.untilMigrated())) return;
    const opened = await this.accounts.bootstrap();
    if (opened) process.stdout.write(tokenNotice(opened, baseUrl));
    const code = await this.setup.issueFirst();
    if (code !== null) {
      process.stdout.write(`
  Open this link to set up your account. It works once, and each start prints a new link until someone has used one:

    ${baseUrl}/setup#${code}

`);
    }
  }

  /**
   * Waits until the tables are there: with MIGRATE=off another process makes them.
   * @returns false when the service is stopped before
   */
  private async untilMigrated() {
    let warned = false;
    while (await this.database.hasPendingMigrations()) {
      if (!warned) new Logger('Service').warn(`Migrations are pending. Run: ${COMMAND_LINE} migrate`);
      warned = true;
      await pause(MIGRATION_POLL_MS);
      if (this.stopped) return false;
    }
    return true;
  }
}

/** Returns what the operator is told of the first account: its token, which is shown only now. */
export function tokenNotice({ account, secret }: OpenedAccount, baseUrl: string) {
  return `
  The account "${account.name}" is ready. This is its API token. Copy it now, we show it only once:

    ${secret}

  Try the API:

    curl -H "Authorization: Bearer ${secret}" ${baseUrl}/api/v1/forms

`;
}
