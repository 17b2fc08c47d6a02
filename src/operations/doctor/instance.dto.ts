import { wrapped } from '../../platform/http/index.js';
import type { DnsRecord, Finding } from './check.js';
import type { AccountCounts, InstanceState } from './doctor.service.js';

/** A record of the DNS. */
export class DnsRecordDto {
  /** @example forms.example.com. */
  name: string;
  type: 'TXT' | 'PTR';
  /** @example v=spf1 include:amazonses.com ~all */
  value: string;

  static of({ name, type, value }: DnsRecord): DnsRecordDto {
    return { name, type, value };
  }
}

/** Finding of a check. */
export class FindingDto {
  /** @example submission counts */
  name: string;
  /** `failed` needs action; `warning` may be intended. */
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  /** Settings that mend it: of the service in capitals, else of the database server. */
  settings: string[];
  /** Whether `POST /api/v1/me/instance/mend` mends it. */
  can_mend: boolean;
  /** Records to add to the DNS, or to put in place of those that are there. */
  records: DnsRecordDto[];

  static of({ name, state, detail, settings, canMend, records }: Finding): FindingDto {
    return {
      name,
      state,
      detail,
      settings: [...settings],
      can_mend: canMend,
      records: records.map((record) => DnsRecordDto.of(record)),
    };
  }
}

/** An account with what it has. */
export class InstanceAccountDto {
  id: number;
  name: string;
  forms: number;
  submissions: number;
  people: number;
  /** Bytes of its files. */
  files_bytes: number;

  static of({ id, name, forms, submissions, people, filesBytes }: AccountCounts) {
    return { id, name, forms, submissions, people, files_bytes: filesBytes };
  }
}

/** The state of the whole service, as the process sees it that answers. */
export class InstanceStateDto {
  version: string;
  /** @example MariaDB 10.11.6 */
  database: string;
  /** Size of the disk with `DATA_DIR`, in bytes. */
  disk_bytes: number;
  /** Free bytes there. */
  disk_free_bytes: number;
  /** Deliveries that are not finished. */
  deliveries_pending: number;
  /** Since when the first of them is due; null without any. */
  deliveries_oldest_due_at: Date | null;
  /** The oldest accounts, at most 200. */
  accounts: InstanceAccountDto[];
  accounts_count: number;
  findings: FindingDto[];
  /** When this process last ran the checks that take a while; null for never. */
  checked_at: Date | null;

  static of({ version, database, disk, backlog, ...rest }: InstanceState): InstanceStateDto {
    return {
      version,
      database,
      disk_bytes: disk.size,
      disk_free_bytes: disk.free,
      deliveries_pending: backlog.pending,
      deliveries_oldest_due_at: backlog.oldestDueAt,
      accounts: rest.accounts.map((account) => InstanceAccountDto.of(account)),
      accounts_count: rest.accountsInAll,
      findings: rest.findings.map((finding) => FindingDto.of(finding)),
      checked_at: rest.checkedAt,
    };
  }
}

export class InstanceDto extends wrapped('instance', InstanceStateDto) {}
