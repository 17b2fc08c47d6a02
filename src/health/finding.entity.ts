import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Principal } from '../accounts/access/index.js';
import { ABOUT_SUBMISSIONS } from '../deliveries/model/delivery-filter.js';
import { Time, UuidKey } from '../platform/database/index.js';
import { ageAt, DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/index.js';
import type { AlarmTold } from '../mail/messages/form-mails.js';
import { SERVICE_LOOK_MS, type Finding, type Severity, type Subject } from './finding.js';

/** How long a finding must stand until somebody is told, in milliseconds. */
const PATIENCE_MS: Record<Severity, number> = { urgent: 0, lasting: HOUR_MS, shown: Infinity };
/** How long one must be gone until that is told, in milliseconds. */
const OVER_MS = 30 * MINUTE_MS;
/** How long one that is over is remembered, in milliseconds: what comes and goes is told once in that time. */
const REMEMBERED_MS = DAY_MS;
/** Age of what is shown on pages and told nobody, since it was there long before it was found, in milliseconds. */
const NEWS_MS = 7 * DAY_MS;
/** How often it is written that one stands, in milliseconds. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;

/** Time until a second look at the service counts as one, in milliseconds. */
const SECOND_LOOK_MS = SERVICE_LOOK_MS - MINUTE_MS;
/** Time in milliseconds in which each process looks at the service once: what none found meanwhile is gone. */
const GAP_MS = 1.5 * SERVICE_LOOK_MS;

/** Codes of findings that tell what receivers answered. */
const REPEATING: ReadonlySet<string> = new Set(ABOUT_SUBMISSIONS.map((kind) => `${kind}_failing`));

/** Stores a finding, from when it was found until somebody was told that it is over. */
@Entity('findings')
@Index('ix_findings_account', ['accountId', 'isOpen', 'kind', 'subjectId'])
@Index('ix_findings_told', ['accountId', 'toldAt'])
export class FindingRow {
  @PrimaryColumn('varchar', { length: 8 }) kind: Subject['kind'];
  @PrimaryColumn('int') subjectId: number;
  @PrimaryColumn('varchar', { length: 64 }) code: string;
  /** 0 for the service. */
  @Column('int') accountId: number;
  @Column('varchar', { length: 8 }) severity: Severity;
  @Column('text') text: string;
  @Column('text') fix: string;
  @Time({ nullable: true }) since: Date | null;
  @Column('boolean') ofAccount: boolean;
  /** When it was found first, or a process last began to tell of it. */
  @Time() foundAt: Date;
  /** When a look last found it, to a few minutes; of what is over, when a look found it gone. */
  @Time() seenAt: Date;
  @Column('boolean') isOpen: boolean;
  /** Null until somebody was told. */
  @Time({ nullable: true }) toldAt: Date | null;
  /** When somebody was told that it is over. */
  @Time({ nullable: true }) endedAt: Date | null;

  static create(accountId: number, { subject, since, ...found }: Finding, now: Date): FindingRow {
    return Object.assign(new FindingRow(), {
      ...{ kind: subject.kind, subjectId: subject.id, accountId, since: since ?? null },
      ...{ ofAccount: false, ...found },
      ...{ foundAt: now, seenAt: now, isOpen: true, toldAt: null, endedAt: null },
    } satisfies Partial<FindingRow>);
  }

  /** Leaves out what receivers answered, which can repeat a submission, for who may read none. */
  forReader(reader: Principal): this {
    if (REPEATING.has(this.code) && !reader.has('submissions:read')) {
      this.text = 'The latest deliveries failed. Their answers are for who may read submissions.';
    }
    return this;
  }

  get subject(): Subject {
    return { kind: this.kind, id: this.subjectId };
  }

  /** Returns what becomes of it when a look finds it again; null for nothing. */
  stand({ text, fix, severity, since, ofAccount = false }: Finding, now: Date): Partial<FindingRow> | null {
    const { kind, toldAt, endedAt, seenAt, isOpen } = this;
    const isNew =
      endedAt === null
        ? toldAt === null && kind === 'service' && ageAt(now, seenAt) > GAP_MS
        : ageAt(now, endedAt) >= REMEMBERED_MS;
    const isSame = text === this.text && fix === this.fix && ofAccount === this.ofAccount;
    if (isOpen && isSame && !isNew && ageAt(now, seenAt) < SEEN_EVERY_MS) return null;
    return {
      ...{ text, fix, severity, ofAccount, since: since ?? null, seenAt: now, isOpen: true },
      ...(isNew && { foundAt: now, toldAt: null, endedAt: null }),
    };
  }

  /** Returns what becomes of it when a look does not find it; null for nothing. */
  pass(now: Date): Partial<FindingRow> | 'remove' | null {
    const { kind, toldAt, endedAt, seenAt, isOpen } = this;
    if (kind === 'service' && isOpen && ageAt(now, seenAt) < GAP_MS) return null;
    if (toldAt === null || (endedAt !== null && ageAt(now, endedAt) >= REMEMBERED_MS)) return 'remove';
    return isOpen ? { isOpen: false, seenAt: now } : null;
  }

  /** Returns what is to be told of it now: that it began, that it is over, or nothing. */
  news(now: Date): 'begun' | 'over' | null {
    const { kind, severity, since, foundAt, seenAt, toldAt, endedAt } = this;
    if (this.isOpen) {
      const patience = kind === 'service' ? SECOND_LOOK_MS : PATIENCE_MS[severity];
      const isOld =
        kind === 'service' ? ageAt(now, seenAt) >= SECOND_LOOK_MS : since !== null && ageAt(foundAt, since) >= NEWS_MS;
      return toldAt === null && !isOld && ageAt(now, foundAt) >= patience ? 'begun' : null;
    }
    const over = kind === 'service' ? SECOND_LOOK_MS : OVER_MS;
    return toldAt !== null && endedAt === null && ageAt(now, seenAt) >= over ? 'over' : null;
  }
}

/** Stores what a mail about findings tells, by its delivery. */
@Entity('alarm_notices')
@Index('ix_alarm_notices_form', ['formId'])
export class AlarmNotice {
  @UuidKey() deliveryId: Buffer;
  /** The form that the delivery belongs to. */
  @Column('int') formId: number;
  /** JSON of what is told of each form. */
  @Column('mediumtext') content: string;

  get told(): AlarmTold[] {
    return JSON.parse(this.content) as AlarmTold[];
  }
}
