import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Uuid, UuidKey, WorkRow } from '../../../platform/database/index.js';
import type { Actor, Principal } from '../../../accounts/access/index.js';
import type { DomainError } from '../../../platform/index.js';
import { type Encoding, plainOptions, type ImportOptions } from './import-options.js';

/** Broken rows and missing files that are kept with their reasons; the others are counted. */
export const KEPT_MAX = 100;

/** Something that is wrong with the row that begins at a line. */
export interface RowProblem {
  line: number;
  reason: string;
}

/** Result of one portion of an import. */
export interface PortionDone {
  rows: number;
  /** Line where the last of them begins. */
  lastLine: number;
  /** Bytes of the file that were read so far. */
  readBytes: number;
  imported: number;
  skipped: number;
  broken: readonly RowProblem[];
  /** Files that could not be fetched. */
  missing: readonly RowProblem[];
}

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
    return Object.assign(new ImportPortion(), { ...{ importId, formId, position }, joinedIds: Buffer.concat(ids) });
  }

  get ids(): Buffer[] {
    const { joinedIds: all } = this;
    return Array.from({ length: all.length / ID_BYTES }, (_, at) => all.subarray(at * ID_BYTES, (at + 1) * ID_BYTES));
  }
}

/**
 * `draft` until somebody has looked at what it would store, then `waiting` and `running`; `undoing` while what it stored is
 * removed. The others are ends.
 */
export const IMPORT_STATES = ['draft', 'waiting', 'running', 'finished', 'failed', 'undoing', 'undone'] as const;

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
@Index('ix_imports_state', ['state'])
export class Import extends WorkRow<ImportState, Actor['kind']> {
  @Column('int') formId: number;
  /** The provider again, for queries. */
  @Column('varchar', { length: 32 }) provider: string;
  /** JSON of `ImportOptions`. */
  @Column('mediumtext', { name: 'options' }) private optionsJson: string;
  /** The file on disk; null once it is removed. */
  @Uuid({ nullable: true }) fileId: Buffer | null;
  @Column('varchar', { length: NAME_MAX, nullable: true }) fileName: string | null;
  @Column('bigint', { transformer: { from: Number, to: Number } }) fileBytes: number;
  @Column('varchar', { length: 16 }) encoding: Encoding;
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
  @Column('mediumtext', { name: 'missing_files', nullable: true }) private missingJson: string | null;
  /** Line where the last row begins that was gone through. */
  @Column('int', { default: 0 }) lastLine: number;

  static create(
    principal: Principal,
    formId: number,
    options: ImportOptions,
    file: ReceivedImport,
    state: 'draft' | 'waiting',
  ): Import {
    const entry = new Import();
    entry.startFor(principal, state);
    return Object.assign(entry, {
      formId,
      provider: options.provider,
      optionsJson: JSON.stringify(options),
      fileId: file.id,
      fileName: file.name?.slice(0, NAME_MAX).toWellFormed() ?? null,
      fileBytes: file.size,
      encoding: file.encoding,
      ...{ position: 0, readBytes: 0, imported: 0, skipped: 0, broken: 0, brokenJson: '[]' },
      ...{ filesMissing: 0, missingJson: null, lastLine: 0 },
    });
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
  get progress() {
    if (this.state === 'finished') return 1;
    return Math.round((this.readBytes / Math.max(this.fileBytes, 1)) * 1000) / 1000;
  }

  get isOpen() {
    return OPEN_STATES.includes(this.state);
  }

  /** Tells whether what it stored can be removed, or its file, when nobody has begun yet. */
  get mayBeUndone() {
    return this.state !== 'undoing' && this.state !== 'undone';
  }

  /** Takes another choice of how the file is read, before it begins. */
  choose(options: ImportOptions) {
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
      ...(missing.length > 0 && { missingJson: JSON.stringify([...this.missingFiles, ...missing].slice(0, KEPT_MAX)) }),
    });
  }

  /** Ends it, and lets go of its file. */
  override end(state: 'finished' | 'failed' | 'undone', now: Date) {
    super.end(state, now);
    this.fileId = null;
  }

  /** Ends it early; what it has stored stays until it is undone. */
  fail(error: DomainError, now: Date) {
    this.failAs('failed', error, now);
  }
}
