import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../access/actor.js';
import type { Principal, Scope } from '../../access/principal.js';
import { makeUuid, timeOf } from '../../platform/kernel/uuid.js';
import type { DomainError } from '../../platform/kernel/errors.js';
import type { BulkChanges } from '../triage/bulk-changes.js';

/** `waiting` for its first portion, then `running`; the others are ends. */
export const JOB_STATES = ['waiting', 'running', 'finished', 'stopped', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** The states of a job that is not over. */
export const OPEN_STATES: readonly JobState[] = ['waiting', 'running'];

/** Who made a job, and for whom. */
export interface JobMaker extends Scope {
  readonly actor: Pick<Actor, 'kind' | 'id'>;
}

/** What a portion of a job has done. */
export interface PortionDone {
  /** How many were looked at that the filter means, and how many of them were not so before. */
  done: number;
  changed: number;
  /** Up to where the filter was gone through; null when that was all of it. */
  position: Buffer | null;
}

const NAME_MAX = 255;

/** Changes all submissions that a filter means, portion by portion. */
@Entity('bulk_jobs')
@Index('ix_bulk_jobs_state', ['state', 'leaseUntil'])
@Index('ix_bulk_jobs_account', ['accountId', 'id'])
@Index('ix_bulk_jobs_ended', ['endedAt'])
export class BulkJob {
  /** A UUID version 7: its time is that of the job. */
  @PrimaryColumn('binary', { name: 'id', length: 16 })
  id: Buffer;

  @Column('int', { name: 'account_id' })
  accountId: number;

  /** Null for a job of the account itself. */
  @Column('int', { name: 'client_id', nullable: true })
  clientId: number | null;

  @Column('varchar', { name: 'actor_kind', length: 16 })
  private actorKind: Actor['kind'];

  @Column('int', { name: 'actor_id', nullable: true })
  private actorId: number | null;

  @Column('varchar', { name: 'actor_name', length: NAME_MAX })
  actorName: string;

  /** The filter. */
  @Column('text', { name: 'line' })
  line: string;

  /** Ids of the forms that the filter meant when the job was made, divided by commas. */
  @Column('mediumtext', { name: 'form_ids' })
  private formIdList: string;

  /** JSON of `BulkChanges`. */
  @Column('text', { name: 'changes' })
  private changesJson: string;

  /** What came later is not meant. */
  @Column('binary', { name: 'up_to', length: 16 })
  upTo: Buffer;

  /** Id up to which the filter was gone through, oldest first. */
  @Column('binary', { name: 'position', length: 16 })
  position: Buffer;

  @Column('varchar', { name: 'state', length: 16 })
  state: JobState;

  /** How many the filter meant when the job was made; null when that would have been long to count. */
  @Column('int', { name: 'total', nullable: true })
  total: number | null;

  /** How many were gone through so far. */
  @Column('int', { name: 'done' })
  done: number;

  /** How many of them were not so before. */
  @Column('int', { name: 'changed' })
  changed: number;

  @Column('varchar', { name: 'error_code', length: 64, nullable: true })
  errorCode: string | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage: string | null;

  @Column('binary', { name: 'lease_token', length: 16, nullable: true })
  leaseToken: Buffer | null;

  /** Written by the database's clock, which all instances share. */
  @Column('datetime', { name: 'lease_until', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('datetime', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  static create(
    { accountId, clientId, actor }: Principal,
    task: { line: string; formIds: readonly number[]; changes: BulkChanges; upTo: Buffer },
    total: number | null,
  ): BulkJob {
    return Object.assign(new BulkJob(), {
      id: makeUuid(),
      accountId,
      clientId,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name.slice(0, NAME_MAX),
      line: task.line,
      formIdList: task.formIds.join(','),
      changesJson: JSON.stringify(task.changes),
      upTo: task.upTo,
      position: Buffer.alloc(16),
      state: 'waiting',
      total,
      done: 0,
      changed: 0,
      errorCode: null,
      errorMessage: null,
      leaseToken: null,
      leaseUntil: null,
      endedAt: null,
    } as const);
  }

  get createdAt(): Date {
    return timeOf(this.id);
  }

  get maker(): JobMaker {
    const { accountId, clientId, actorKind: kind, actorId: id } = this;
    return { accountId, clientId, actor: { kind, id } };
  }

  get changes(): BulkChanges {
    return JSON.parse(this.changesJson) as BulkChanges;
  }

  get formIds(): number[] {
    return this.formIdList === '' ? [] : this.formIdList.split(',').map(Number);
  }

  get isOpen(): boolean {
    return OPEN_STATES.includes(this.state);
  }

  isBy({ kind, id }: Actor): boolean {
    return this.actorKind === kind && this.actorId === id;
  }

  /** Adds what a portion has done. */
  advance({ done, changed, position }: PortionDone, now: Date): void {
    this.done += done;
    this.changed += changed;
    this.position = position ?? this.upTo;
    if (position === null || position.compare(this.upTo) >= 0) this.end('finished', now);
  }

  /** Ends it because of a rule that it would break. */
  fail({ code, message }: DomainError, now: Date): void {
    this.errorCode = code;
    this.errorMessage = message;
    this.end('failed', now);
  }

  end(state: JobState, now: Date): void {
    this.state = state;
    this.endedAt = now;
  }
}
