import { Column, Entity, Index } from 'typeorm';
import { Time, Uuid, Expires, WorkRow } from '../../platform/database/index.js';
import { DAY_MS, type DomainError } from '../../platform/index.js';
import type { Actor, Principal } from '../../accounts/access/index.js';
import type { ExportLayout } from '../exports/export-file.js';
import type { BulkChanges } from '../changes/bulk-changes.js';

/** `waiting` for its first portion, then `running`; the others are ends. */
export const JOB_STATES = ['waiting', 'running', 'finished', 'stopped', 'failed'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** The states of a job that is not over. */
export const OPEN_STATES: readonly JobState[] = ['waiting', 'running'];

/** Kind of jobs that a worker takes: jobs that change submissions, or exports. */
export type JobKind = 'change' | 'export';

/** Result of one portion of a job. */
export interface PortionDone {
  /** How many were looked at that the filter means. */
  done: number;
  /** Up to where the filter was gone through; null when that was all of it. */
  position: Buffer | null;
}

/** Days that a job is kept after its end. */
export const KEPT_DAYS = 7;
/** Later than any lease. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** Settings of an export: the form and the format. */
export interface ExportTask {
  formId: number;
  layout: ExportLayout;
}

/** Changes all submissions that a filter means, portion by portion; or writes them into a file. */
@Expires<BulkJob>('endedAt', KEPT_DAYS * DAY_MS)
@Entity('bulk_jobs')
@Index('ix_bulk_jobs_state', ['state', 'formerLeaseUntil'])
@Index('ix_bulk_jobs_account', ['accountId', 'id'])
@Index('ix_bulk_jobs_ended', ['endedAt'])
@Index('ix_bulk_jobs_export', ['exportFormId'])
export class BulkJob extends WorkRow<JobState, Actor['kind']> {
  /** The filter. */
  @Column('text') line: string;
  /** Ids of the forms that the filter meant when the job was made, divided by commas. */
  @Column('mediumtext', { name: 'form_ids' }) private formIdList: string;
  /** JSON of `BulkChanges`. */
  @Column('text', { name: 'changes' }) private changesJson: string;
  /** Id of the last submission that the job covers. */
  @Uuid() upTo: Buffer;
  /** Id up to which the filter was gone through, oldest first. */
  @Uuid() position: Buffer;
  /** How many the filter meant when the job was made; null when that would have been long to count. */
  @Column('int', { nullable: true }) total: number | null;
  /** How many were gone through so far. */
  @Column('int') done: number;
  /** How many of them were not so before. */
  @Column('int') changed: number;
  /** The form that an export is of; null for a job that changes submissions. */
  @Column('int', { nullable: true }) exportFormId: number | null;
  /** JSON of `ExportLayout`. */
  @Column('mediumtext', { name: 'export_layout', nullable: true }) private exportLayoutJson: string | null;
  /** The file that an export made; null before that, and once it was removed. */
  @Uuid({ nullable: true }) fileId: Buffer | null;
  /** In bytes. */
  @Column('bigint', {
    nullable: true,
    transformer: {
      from: (bytes: string | number | null) => bytes && Number(bytes),
      to: (bytes: number | null) => bytes,
    },
  })
  fileBytes: number | null;
  /** How often something of its form had been erased when the export that made the file began to read. */
  @Column('int', { default: 0 }) erasures: number;
  /** Keeps instances of the version before from it. */
  @Time({ name: 'lease_until', nullable: true, select: false }) formerLeaseUntil?: Date | null;
  @Uuid({ name: 'lease_token', nullable: true, select: false }) formerLeaseToken?: Buffer | null;

  static create(
    principal: Principal,
    task: { line: string; formIds: readonly number[]; changes: BulkChanges; upTo: Buffer; export?: ExportTask },
    total: number | null,
  ): BulkJob {
    const job = new BulkJob();
    job.startFor(principal, 'waiting');
    return Object.assign(job, {
      line: task.line,
      formIdList: task.formIds.join(','),
      changesJson: JSON.stringify(task.changes),
      upTo: task.upTo,
      position: Buffer.alloc(16),
      ...{ total, done: 0, changed: 0 },
      exportFormId: task.export?.formId ?? null,
      exportLayoutJson: task.export ? JSON.stringify(task.export.layout) : null,
      ...{ fileId: null, fileBytes: null, erasures: 0, formerLeaseUntil: NEVER },
    } as const);
  }

  get changes(): BulkChanges {
    return JSON.parse(this.changesJson) as BulkChanges;
  }

  get formIds(): number[] {
    return this.formIdList === '' ? [] : this.formIdList.split(',').map(Number);
  }

  /** Returns the export of the job; null when it changes submissions. */
  get export(): ExportTask | null {
    const { exportFormId: formId, exportLayoutJson: layout } = this;
    if (formId === null || layout === null) return null;
    return { formId, layout: JSON.parse(layout) as ExportLayout };
  }

  /** The kind of its job. */
  get kind(): JobKind {
    return this.exportFormId === null ? 'change' : 'export';
  }

  get isOpen() {
    return OPEN_STATES.includes(this.state);
  }

  isBy({ kind, id }: Actor) {
    return this.actorKind === kind && this.actorId === id;
  }

  /** Adds what a portion has done. */
  advance({ done, position }: PortionDone, now: Date) {
    this.done += done;
    this.position = position ?? this.upTo;
    if (position === null || position.compare(this.upTo) >= 0) this.end('finished', now);
  }

  /** Ends an export with its file, which holds what was there after so many erasures. */
  finish(file: { id: Buffer; size: number }, erasures: number, now: Date) {
    this.erasures = erasures;
    this.position = this.upTo;
    this.fileId = file.id;
    this.fileBytes = file.size;
    this.end('finished', now);
  }

  /** Ends it because of a rule that it would break. */
  fail(error: DomainError, now: Date) {
    this.fileId = null;
    this.fileBytes = null;
    this.failAs('failed', error, now);
  }
}
