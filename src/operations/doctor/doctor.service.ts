import { Injectable, Logger } from '@nestjs/common';
import {
  Hooks,
  Config,
  Clock,
  diskSpaceAt,
  type DiskSpace,
  VERSION,
  BackgroundTask,
  type TaskRun,
} from '../../platform/index.js';
import { ChecksService, MendsService, type CheckOf, type Finding, type Outcome } from './check.js';
import { SenderDns } from './sender-dns/sender-dns.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { PeopleService } from '../../people/members/members.service.js';
import { DatabaseStatus } from '../../platform/database/index.js';
import { OperatorPost } from '../../people/members/operator-post.service.js';
import { SERVICE_LOOK_MS } from '../../health/finding.js';
import { HealthService } from '../../health/health.service.js';
import { button, paragraph, type Content } from '../../mail/parts/layout.js';

/** Checks whether the service is as it should be, and changes nothing. */
@Injectable()
export class DoctorService {
  constructor(
    private readonly hooks: Hooks,
    private readonly senderDns: SenderDns,
  ) {}

  /**
   * Runs every check, one after the other, also after one that fails.
   * @param mailTo recipient of a test mail; none is sent without it
   */
  async examine(mailTo?: string): Promise<Finding[]> {
    const own = await this.run(this.checks(), mailTo);
    const ofDns = this.senderDns.checks().map((about) => ({ about, run: () => about.run() }));
    return [...own, ...(await this.run(ofDns))];
  }

  /** Runs the checks that take milliseconds. */
  examineQuickly(): Promise<Finding[]> {
    return this.run(this.checks().filter(({ about }) => about.isSlow !== true));
  }

  /** Mends what the checks can mend themselves. */
  mend() {
    return this.hooks.run(MendsService);
  }

  private checks() {
    const all = this.hooks.all(ChecksService);
    return all.toSorted((one, other) => one.about.name.localeCompare(other.about.name));
  }

  private async run(
    checks: { about: CheckOf; run: (mailTo?: string) => Promise<Outcome | null> | Outcome | null }[],
    mailTo?: string,
  ) {
    const findings: Finding[] = [];
    for (const { about, run } of checks) {
      const { name, settings, canMend = false } = about;
      const finding = { name, settings, canMend, records: [] };
      try {
        const outcome = await run(mailTo);
        if (outcome) findings.push({ ...finding, ...outcome });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        findings.push({ ...finding, state: 'failed', detail });
      }
    }
    return findings;
  }
}

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
  async check() {
    const findings = await this.doctor.examine();
    this.last = { at: this.clock.now(), findings };
  }

  /** Mends what the checks can mend themselves, and runs every check. */
  async mend() {
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

/** Mails operators once when a quick check of the doctor fails at two looks in a row, and once when it is well again. */
@Injectable()
export class OperatorAlarms {
  private readonly logger = new Logger(OperatorAlarms.name);

  constructor(
    private readonly doctor: DoctorService,
    private readonly health: HealthService,
    private readonly post: OperatorPost,
    private readonly config: Config,
  ) {}

  @BackgroundTask('look for alarms', SERVICE_LOOK_MS)
  async look({ now }: TaskRun): Promise<void> {
    const checked = await this.doctor.examineQuickly();
    const failed = checked.filter(({ state }) => state === 'failed');
    const found = failed.map(({ name, detail }) => ({ code: name, text: detail }));
    await this.health.tellOfService(found, now, (check, isWell) => {
      const detail = checked.find(({ name }) => name === check)?.detail ?? '';
      this.logger.warn(isWell ? 'A check is well again' : 'A check fails', { check, detail });
      const key = `alarm-${check.replaceAll(' ', '-')}-${now.getTime()}`;
      return this.post.send(key, checkMail({ check, isWell, detail }, this.config.baseUrl));
    });
  }
}

/** A check that fails or is well again, for a mail. */
interface CheckTold {
  /** Its name, such as `disk space`. */
  check: string;
  isWell: boolean;
  detail: string;
}

/** Writes what operators are told of a check. */
function checkMail({ check, isWell, detail }: CheckTold, baseUrl: string): Content {
  return {
    subject: isWell ? `Well again: ${check}` : `Check failed: ${check}`,
    blocks: [
      paragraph(detail),
      button('Open Status', `${baseUrl}/status`),
      ...(isWell ? [] : [paragraph('We send another email when it is well again.')]),
    ],
  };
}
