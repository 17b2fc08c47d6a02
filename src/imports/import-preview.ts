import type { DomainError } from '../platform/kernel/errors.js';
import type { ImportedSubmission } from '../submissions/storage/imported-submissions.service.js';
import { KEPT_MAX, type RowProblem } from './model/portion-done.js';
import type { ImportReader } from './reading/import-reader.js';
import type { ReadRow } from './reading/row-reader.js';
import { notesOn, type ReadingNote } from './reading-notes.js';
import type { PlannedColumn } from './columns/column-plan.js';

/** Rows that are shown as they would be stored. */
const SHOWN_MAX = 5;

/** Result of going through a file without storing anything. */
export class ImportPreview {
  /** Rows that were gone through. */
  total = 0;
  /** How many of them would be stored, were there already, and cannot be stored. */
  imported = 0;
  skipped = 0;
  broken = 0;
  /** How many of those to be stored are spam, and how many the retention of the form would remove. */
  spam = 0;
  expired = 0;
  /** Whether the whole file was gone through. */
  isWhole = false;
  readonly first: ImportedSubmission[] = [];
  readonly brokenRows: RowProblem[] = [];
  /** Why the file cannot be read to its end; null when it can. */
  problem: DomainError | null = null;

  /** @param keptFrom from when on the form keeps submissions; null for all */
  constructor(
    private readonly reader: ImportReader,
    private readonly keptFrom: Date | null,
  ) {}

  /** Returns the columns of a CSV; none of other files. */
  get columns(): readonly PlannedColumn[] {
    return this.reader.plan?.columns ?? [];
  }

  /** Returns how the file is read: as somebody chose, as it says, or as was guessed. */
  get reading() {
    const { encoding, isEncodingGuessed, header, days } = this.reader;
    return {
      ...{ encoding, isEncodingGuessed },
      separator: header?.separator ?? null,
      headerLine: header?.line ?? null,
      dates: days.order,
    };
  }

  /** Returns what is to be said about that: guesses, and questions. */
  get notes(): readonly ReadingNote[] {
    return notesOn(this.reader);
  }

  /** Counts rows, of which these submissions are new. */
  add(rows: readonly ReadRow[], fresh: readonly ImportedSubmission[]): void {
    this.total += rows.length;
    this.imported += fresh.length;
    for (const { line, submission, problem } of rows) {
      if (submission) {
        if (this.first.length < SHOWN_MAX) this.first.push(submission);
        continue;
      }
      this.broken++;
      if (this.brokenRows.length < KEPT_MAX) this.brokenRows.push({ line, reason: problem });
    }
    this.skipped = this.total - this.imported - this.broken;
    for (const { spam, createdAt } of fresh) {
      if (spam) this.spam++;
      if (this.keptFrom && createdAt < this.keptFrom) this.expired++;
    }
  }
}
