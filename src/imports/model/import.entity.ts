import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { UuidKey, Time, Uuid } from '../../platform/database/columns.js';
import type { Actor, Principal, Scope } from '../../access/principal.js';
import type { DomainError } from '../../platform/kernel/errors.js';
import { makeUuid, timeOf } from '../../platform/kernel/uuid.js';
import { type Encoding, plainOptions, type ImportOptions } from './import-options.js';
import { KEPT_MAX, type PortionDone, type RowProblem } from './portion-done.js';

const ID_BYTES = 16;

/** Names the submissions that one transaction of an import has stored, so that they can be removed together. */
@Entity('import_portions')
@Index('ix_import_portions_form', ['formId'])
export class ImportPortion {
  @UuidKey() importId: Buffer;
  /** Rows of the file that were gone through after it. */
  @PrimaryColumn('int') position: number;
  @Column('int') formId: number;
  /** Ids of the submissions, 16 bytes each. */
  @Column('blob', { name: 'submission_ids' }) private joinedIds: Buffer;

  static of(
    { id: importId, formId, position }: { id: Buffer; formId: number; position: number },
    ids: readonly Buffer[],
  ): ImportPortion {
    return Object.assign(new ImportPortion(), {
      ...{ importId, formId, position },
      joinedIds: Buffer.concat(ids),
    });
  }

  get ids(): Buffer[] {
    const { joinedIds: all } = this;
    return Array.from({ length: all.length / ID_BYTES }, (_, at) =>
      all.subarray(at * ID_BYTES, (at + 1) * ID_BYTES),
    );
  }
}

/**
 * `draft` until somebody has looked at what it would store, then `waiting` and `running`; `undoing` while what it stored is
 * removed. The others are ends.
 */
export const IMPORT_STATES = [
  'draft',
  'waiting',
  'running',
  'finished',
  'failed',
  'undoing',
  'undone',
] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/** The states in which a worker has something to do. */
export const OPEN_STATES: readonly ImportState[] = ['waiting', 'running', 'undoing'];

const NAME_MAX = 255;

/** The file of an import, as it was received. */
export interface ReceivedImport {
  id: Buffer;
  size: number;
  encoding: Encoding;
  /** Its name where it comes from; null when that was not said. */
  name: string | null;
}

/** Stores the submissions of a file of another service in a form, portion by portion. */
@Entity('imports')
@Index('ix_imports_form', ['formId', 'id'])
@Index('ix_imports_state', ['state', 'leaseUntil'])
export class Import {
  /** A UUID version 7: its time is that of the import. */
  @UuidKey() id: Buffer;
  @Column('int') accountId: number;
  @Column('int') formId: number;
  /** Null for an import of the account itself. */
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 16 }) private actorKind: Actor['kind'];
  @Column('int', { nullable: true }) private actorId: number | null;
  @Column('varchar', { length: NAME_MAX }) actorName: string;
  /** The provider again, for queries. */
  @Column('varchar', { length: 32 }) provider: string;
  /** JSON of `ImportOptions`. */
  @Column('mediumtext', { name: 'options' }) private optionsJson: string;
  /** The file on disk; null once it is removed. */
  @Uuid({ nullable: true }) fileId: Buffer | null;
  @Column('varchar', { length: NAME_MAX, nullable: true }) fileName: string | null;
  @Column('bigint', { transformer: { from: Number, to: Number } }) fileBytes: number;
  @Column('varchar', { length: 16 }) encoding: Encoding;
  @Column('varchar', { length: 16 }) state: ImportState;
  /** Rows of the file that were gone through so far. */
  @Column('int') position: number;
  @Column('bigint', { transformer: { from: Number, to: Number } }) readBytes: number;
  @Column('int') imported: number;
  /** Rows that the form had already. */
  @Column('int') skipped: number;
  @Column('int') broken: number;
  /** JSON of the first KEPT_MAX broken rows. */
  @Column('mediumtext', { name: 'broken_rows' }) private brokenJson: string;
  /** Files that could not be fetched; their submissions have the addresses. */
  @Column('int', { default: 0 }) filesMissing: number;
  /** JSON of the first KEPT_MAX of them; null for none. */
  @Column('mediumtext', { name: 'missing_files', nullable: true }) private missingJson:
    | string
    | null;
  @Column('varchar', { length: 64, nullable: true }) errorCode: string | null;
  @Column('text', { nullable: true }) errorMessage: string | null;
  /** Line where the last row begins that was gone through. */
  @Column('int', { default: 0 }) lastLine: number;
  /** How often a process ended that worked on it, since it last got on. */
  @Column('int', { default: 0 }) lostLeases: number;
  @Uuid({ nullable: true }) leaseToken: Buffer | null;
  /** Written by the database's clock, which all instances share. */
  @Time({ nullable: true }) leaseUntil: Date | null;
  @Time({ nullable: true }) endedAt: Date | null;

  static create(
    { accountId, clientId, actor }: Principal,
    formId: number,
    options: ImportOptions,
    file: ReceivedImport,
    state: 'draft' | 'waiting',
  ): Import {
    return Object.assign(new Import(), {
      ...{ id: makeUuid(), accountId, clientId, formId, state },
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name.slice(0, NAME_MAX),
      provider: options.provider,
      optionsJson: JSON.stringify(options),
      fileId: file.id,
      fileName: file.name?.slice(0, NAME_MAX).toWellFormed() ?? null,
      fileBytes: file.size,
      encoding: file.encoding,
      ...{ position: 0, readBytes: 0, imported: 0, skipped: 0, broken: 0, brokenJson: '[]' },
      ...{ filesMissing: 0, missingJson: null, lastLine: 0, lostLeases: 0 },
      ...{ errorCode: null, errorMessage: null, leaseToken: null, leaseUntil: null, endedAt: null },
    });
  }

  get createdAt(): Date {
    return timeOf(this.id);
  }

  get maker(): Scope & { actor: Pick<Actor, 'kind' | 'id'> } {
    const { accountId, clientId, actorKind: kind, actorId: id } = this;
    return { accountId, clientId, actor: { kind, id } };
  }

  get options(): ImportOptions {
    // An older version wrote fewer of them.
    const options = JSON.parse(this.optionsJson) as ImportOptions;
    return { ...plainOptions(options.provider), ...options };
  }

  get brokenRows(): RowProblem[] {
    return JSON.parse(this.brokenJson) as RowProblem[];
  }

  get missingFiles(): RowProblem[] {
    return JSON.parse(this.missingJson ?? '[]') as RowProblem[];
  }

  /** Returns how many rows the file has; null until all were gone through. */
  get total(): number | null {
    return this.state === 'finished' ? this.position : null;
  }

  /** Returns the share of the file that was read, from 0 to 1. */
  get progress(): number {
    if (this.state === 'finished') return 1;
    return Math.round((this.readBytes / Math.max(this.fileBytes, 1)) * 1000) / 1000;
  }

  get isOpen(): boolean {
    return OPEN_STATES.includes(this.state);
  }

  /** Tells whether what it stored can be removed, or its file, when nobody has begun yet. */
  get mayBeUndone(): boolean {
    return this.state !== 'undoing' && this.state !== 'undone';
  }

  /** Takes another choice of how the file is read, before it begins. */
  choose(options: ImportOptions): void {
    this.provider = options.provider;
    this.optionsJson = JSON.stringify(options);
  }

  /** Returns how it is after a portion; a transaction that is run again must not count twice. */
  after({ rows, lastLine, readBytes, imported, skipped, broken, missing }: PortionDone): Import {
    return Object.assign(new Import(), this, {
      readBytes,
      lastLine,
      position: this.position + rows,
      imported: this.imported + imported,
      skipped: this.skipped + skipped,
      broken: this.broken + broken.length,
      brokenJson: JSON.stringify([...this.brokenRows, ...broken].slice(0, KEPT_MAX)),
      filesMissing: this.filesMissing + missing.length,
      ...(missing.length > 0 && {
        missingJson: JSON.stringify([...this.missingFiles, ...missing].slice(0, KEPT_MAX)),
      }),
    });
  }

  /** Ends it, and lets go of its file. */
  end(state: 'finished' | 'failed' | 'undone', now: Date): void {
    this.state = state;
    this.endedAt = now;
    this.fileId = null;
  }

  /** Ends it early; what it has stored stays until it is undone. */
  fail({ code, message }: DomainError, now: Date): void {
    this.errorCode = code;
    this.errorMessage = message;
    this.end('failed', now);
  }
}
