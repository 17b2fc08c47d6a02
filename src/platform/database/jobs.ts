import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Column,
  Entity,
  In,
  Index,
  IsNull,
  MoreThan,
  Raw,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { formatUuid, makeUuid, timeOf } from '../kernel/uuid.js';
import { Time, Uuid, UuidKey } from './columns.js';
import { databaseTime } from './select-rows.js';
import { insertMissing, sqlDate, TransactionalRepository } from './sql.js';
import type { DomainError } from '../kernel/errors.js';

/** Names a job: one subject has one job of a kind, or one for each recipient. */
interface JobKey {
  kind: string;
  /** The id of a row; binary ones as hexadecimal digits. */
  subject: string;
  /** Names who gets a mail; '' for work that is no mail. */
  recipient?: string;
}

interface NewJob extends JobKey {
  accountId: number;
  clientId?: number | null;
  /** When it is due; at once, whatever the clock says, by default. */
  nextAt?: Date;
  /** Data of its kind, as JSON. */
  state?: unknown;
  id?: Buffer;
}

/** Work that is due at a time: once, or again and again. One worker at a time has it for itself. */
@Entity('jobs')
@Index('uq_jobs_subject', ['kind', 'subject', 'recipient'], { unique: true })
@Index('ix_jobs_due', ['kind', 'nextAt'])
@Index('ix_jobs_account', ['accountId', 'kind', 'leaseUntil'])
export class Job implements NewJob {
  /** A UUID version 7: its time is when the job was made. */
  @UuidKey() id: Buffer;
  @Column('varchar', { length: 16 }) kind: string;
  @Column('int') accountId: number;
  /** Null for work of the account itself. */
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 32 }) subject: string;
  @Column('varchar', { length: 255 }) recipient: string;
  @Time() nextAt: Date;
  @Column('simple-json', { nullable: true }) state: unknown;
  /** How often its turn has failed. */
  @Column('int', { default: 0 }) tries: number;
  /** How often a process has ended during its turn, since it last got on. */
  @Column('int', { default: 0 }) deaths: number;
  /** Nothing of the work is stored without it. */
  @Uuid({ nullable: true }) leaseToken: Buffer | null;
  /** When another worker may have it, by the clock of the database; once it is given back, when that was. */
  @Time() leaseUntil: Date;

  get createdAt(): Date {
    return timeOf(this.id);
  }

  /** Returns an id of what it does at its time, the same for each try. */
  get turnId() {
    const hash = createHash('sha256').update(this.id).update(this.nextAt.toISOString()).digest();
    return formatUuid(hash.subarray(0, 16));
  }
}

const AT_ONCE = new Date(0);

/** Chooses jobs. */
type Which = Partial<Omit<NewJob, 'subject' | 'nextAt' | 'state'>> & { subject?: string | readonly string[] };

/** Reads and writes jobs. Leases are by the clock of the database, which all instances share. */
@Injectable()
export class Jobs extends TransactionalRepository {
  private readonly rows = this.rowsOf(Job);

  /** Returns jobs, oldest first. */
  list(which: Which): Promise<Job[]> {
    return this.rows.find({ where: where(which), order: { id: 'ASC' } });
  }

  async find(which: Which): Promise<Job | null> {
    return this.rows.findOneBy(where(which));
  }

  /** Adds jobs; one that is there already stays as it is. */
  async add(jobs: readonly NewJob[]) {
    const none = { clientId: null, recipient: '', state: null, nextAt: AT_ONCE };
    const free = { leaseUntil: this.timeIn(0) };
    const rows = jobs.map((job) => ({ id: makeUuid(), ...none, ...job, ...free }));
    // TypeORM takes the state for a row of its own.
    if (rows.length > 0) await insertMissing(this.rows, rows as QueryDeepPartialEntity<Job>[]);
  }

  /** Adds a job in place of the one that is there, which a worker that has it loses. */
  async put(job: NewJob) {
    const { kind, subject, recipient = '' } = job;
    await this.remove({ kind, subject, recipient });
    await this.add([job]);
  }

  /** Ends jobs; a worker that has one loses it. */
  async remove(which: Which) {
    await this.rows.delete(where(which));
  }

  /** Makes jobs due that would be later. */
  async expedite(which: Which, now: Date) {
    await this.rows.update({ ...where(which), nextAt: MoreThan(now) }, { nextAt: now });
  }

  /**
   * Claims a job of a kind that is due and that no other worker has: of the account whose turn was longest ago.
   * The update is guarded by the lease, so of several workers exactly one gets the job.
   * @returns null when there is none, or another was faster
   */
  async claim(kind: string, now: Date, token: Buffer, seconds: number): Promise<Job | null> {
    const [next] = await this.source.manager.query<{ id: Buffer }[]>(
      `SELECT id FROM jobs job WHERE kind = ? AND next_at <= ? AND ${this.isFree('lease_until')}
        ORDER BY (SELECT MAX(served.lease_until) FROM jobs served
          WHERE served.account_id = job.account_id AND served.kind = job.kind),
          lease_until, next_at, id LIMIT 1`,
      [kind, sqlDate(now)],
    );
    if (!next) return null;
    const lease = {
      // Before the token: servers assign one column after the other.
      deaths: () => 'CASE WHEN lease_token IS NULL THEN deaths ELSE deaths + 1 END',
      leaseToken: token,
      leaseUntil: this.timeIn(seconds),
    };
    const { affected } = await this.rows.update({ id: next.id, leaseUntil: Raw(this.isFree) }, lease);
    return affected === 0 ? null : this.rows.findOneBy({ id: next.id, leaseToken: token });
  }

  /** Changes a claimed job, and keeps it for so long. @returns false when it was lost */
  async keep(
    { id }: Pick<Job, 'id'>,
    token: Buffer,
    seconds: number,
    changes: Partial<Pick<Job, 'tries' | 'deaths' | 'state' | 'leaseToken' | 'nextAt'>> = {},
  ) {
    const values = { ...changes, leaseUntil: this.timeIn(seconds) } as QueryDeepPartialEntity<Job>;
    const { affected } = await this.rows.update({ id, leaseToken: token }, values);
    return affected !== 0;
  }

  /** Ends a claimed job; other accounts have their turns before the next one of its own. @returns false when it was lost */
  async end({ id, kind, accountId }: Job, token: Buffer) {
    const { affected } = await this.rows.delete({ id, leaseToken: token });
    const others = { kind, accountId, leaseToken: IsNull(), leaseUntil: Raw(this.isFree) };
    if (affected !== 0) await this.rows.update(others, { leaseUntil: this.timeIn(0) });
    return affected !== 0;
  }

  private readonly isFree = (column: string) => `${column} <= ${this.timeIn(0)()}`;

  private timeIn(seconds: number) {
    return () => databaseTime(this.source.manager.dataSource, seconds);
  }
}

function where({ clientId, subject, ...which }: Which): FindOptionsWhere<Job> {
  return {
    ...which,
    ...(clientId !== undefined && { clientId: clientId ?? IsNull() }),
    ...(subject !== undefined && { subject: In([subject].flat()) }),
  };
}

/** The maker of work, where they act, and as whom. */
export interface Maker<Kind extends string> {
  accountId: number;
  clientId: number | null;
  actor: { kind: Kind; id: number | null };
}

const NAME_MAX = 255;

/** Work that somebody asked for and that goes on without them, by a job, until it ends. */
export abstract class WorkRow<State extends string, Kind extends string> {
  /** A UUID version 7: its time is when the row was made. */
  @UuidKey() id: Buffer;
  @Column('int') accountId: number;
  /** Null for work of the account itself. */
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 16 }) protected actorKind: Kind;
  @Column('int', { nullable: true }) protected actorId: number | null;
  @Column('varchar', { length: NAME_MAX }) actorName: string;
  @Column('varchar', { length: 16 }) state: State;
  @Column('varchar', { length: 64, nullable: true }) errorCode: string | null;
  @Column('text', { nullable: true }) errorMessage: string | null;
  @Time({ nullable: true }) endedAt: Date | null;

  get createdAt(): Date {
    return timeOf(this.id);
  }

  /** Returns the key of its job. */
  jobOf<Job extends string>(kind: Job) {
    const { accountId, clientId } = this;
    return { kind, subject: this.id.toString('hex'), accountId, clientId };
  }

  get maker(): Maker<Kind> {
    const { accountId, clientId, actorKind: kind, actorId: id } = this;
    return { accountId, clientId, actor: { kind, id } };
  }

  /** Begins it. */
  protected startFor({ accountId, clientId, actor }: Maker<Kind> & { actor: { name: string } }, state: State) {
    const { kind: actorKind, id: actorId } = actor;
    Object.assign(this, {
      ...{ id: makeUuid(), accountId, clientId, actorKind, actorId, state },
      actorName: actor.name.slice(0, NAME_MAX),
      ...{ errorCode: null, errorMessage: null, endedAt: null },
    });
  }

  end(state: State, now: Date) {
    this.state = state;
    this.endedAt = now;
  }

  /** Ends it because of a rule that it would break. */
  protected failAs(state: State, { code, message }: DomainError, now: Date) {
    this.errorCode = code;
    this.errorMessage = message;
    this.end(state, now);
  }
}

/** Returns the filter for work in a scope: an account sees all of its own, a client what was asked for as it. */
export function visibleTo({ accountId, clientId }: { accountId: number; clientId: number | null }) {
  return clientId === null ? { accountId } : { accountId, clientId };
}
