import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { PeopleService } from '../../people/members/members.service.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseStatus } from '../../platform/database/database-status.js';
import { Clock } from '../../platform/kernel/time.js';
import { diskSpaceAt, type DiskSpace } from '../../platform/kernel/byte-size.js';
import { VERSION } from '../../platform/kernel/command-line.js';
import type { Finding } from './check.js';
import { DoctorService } from './doctor.service.js';

/** Accounts that are listed, the oldest. */
const ACCOUNTS_MAX = 200;

/** An account with what it has. */
export interface AccountCounts {
  id: number;
  name: string;
  forms: number;
  submissions: number;
  people: number;
  /** Bytes of its files. */
  filesBytes: number;
}

/** The state of the whole service, as one process of it sees it. */
export interface InstanceState {
  version: string;
  /** Such as `MariaDB 10.11.6`. */
  database: string;
  disk: DiskSpace;
  /** Deliveries that are not finished, and since when the first of them is due. */
  backlog: { pending: number; oldestDueAt: Date | null };
  accounts: AccountCounts[];
  accountsInAll: number;
  findings: Finding[];
  /** When this process last ran the checks that take a while; null for never. */
  checkedAt: Date | null;
}

/** Shows operators the state of the whole service. */
@Injectable()
export class InstanceService {
  /** Findings of the slow checks, in this process. */
  private last: { at: Date; findings: Finding[] } | null = null;

  constructor(
    private readonly doctor: DoctorService,
    private readonly accounts: AccountsService,
    private readonly totals: FormQueries,
    private readonly people: PeopleService,
    private readonly deliveries: DeliveriesService,
    private readonly database: DatabaseStatus,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async state(): Promise<InstanceState> {
    const quick = await this.doctor.examineQuickly();
    const slow = this.last?.findings.filter(({ name }) => quick.every((it) => it.name !== name));
    const accounts = await this.accounts.list();
    return {
      version: VERSION,
      database: await this.database.product(),
      disk: await diskSpaceAt(this.config.dataDir),
      backlog: await this.deliveries.backlog(this.clock.now()),
      accounts: await this.counted(accounts.slice(0, ACCOUNTS_MAX)),
      accountsInAll: accounts.length,
      findings: [...quick, ...(slow ?? [])],
      checkedAt: this.last?.at ?? null,
    };
  }

  /** Runs every check, which may take seconds, and remembers what they found. */
  async check(): Promise<void> {
    const findings = await this.doctor.examine();
    this.last = { at: this.clock.now(), findings };
  }

  /** Mends what the checks can mend themselves, and runs every check. */
  async mend(): Promise<void> {
    await this.doctor.mend();
    await this.check();
  }

  private async counted(accounts: { id: number; name: string }[]): Promise<AccountCounts[]> {
    const forms = await this.totals.byAccount();
    const people = await this.people.countByAccount();
    return accounts.map(({ id, name }) => ({
      id,
      name,
      forms: forms.get(id)?.forms ?? 0,
      submissions: forms.get(id)?.submissions ?? 0,
      people: people.get(id) ?? 0,
      filesBytes: forms.get(id)?.filesBytes ?? 0,
    }));
  }
}
