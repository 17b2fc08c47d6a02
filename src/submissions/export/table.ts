import type { SubmissionInFull } from '../submissions.service.js';
import { formatUuid } from '../../shared/uuid.js';

/** What every row begins with. */
const FIXED = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'];
/** Field names that get a column of their own; a hostile sender could make millions. */
export const COLUMNS_MAX = 2_000;
const OTHER = 'other fields';
/** Signs that make a spreadsheet run a cell, also behind blanks and control characters (CWE-1236). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/u;

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front; this includes harmless
 * ones such as `-5`. Exports that must be exact are the JSON ones.
 */
function defuse(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Submissions as a table: one row each, one column for every field name that occurs. */
export class Table {
  private readonly columns: Map<string, number>;
  private readonly hasOthers: boolean;
  readonly header: string[];

  /** @param names of fields; those past COLUMNS_MAX share the last column */
  constructor(names: string[]) {
    const own = names.slice(0, COLUMNS_MAX);
    this.columns = new Map(own.map((name, index) => [name, index]));
    this.hasOthers = names.length > COLUMNS_MAX;
    this.header = [...FIXED, ...own, ...(this.hasOthers ? [OTHER] : [])].map(defuse);
  }

  /** The rows of submissions, one for each but those that have joined since the names were read. */
  rows(submissions: SubmissionInFull[]): string[][] {
    return submissions.flatMap((submission) => {
      const row = this.row(submission);
      return row ? [row] : [];
    });
  }

  /**
   * Puts several values of one field on lines of their own.
   * @returns null for a submission with a field that has no column: it has joined since the names
   *   were read
   */
  private row({ submission, files }: SubmissionInFull): string[] | null {
    const cells = Array.from({ length: this.header.length - FIXED.length }, () => '');
    for (const { name, text } of submission.values.toText()) {
      const column = this.columns.get(name);
      const index = column ?? cells.length - 1;
      const added = column === undefined ? `${name}: ${text}` : text;
      if (column === undefined && !this.hasOthers) return null;
      cells[index] = cells[index] ? `${cells[index] ?? ''}\n${added}` : added;
    }
    return [
      formatUuid(submission.id),
      submission.createdAt.toISOString(),
      String(submission.spam),
      String(submission.trash),
      submission.origin ?? '',
      files.map(({ name }) => name).join('\n'),
      ...cells,
    ].map(defuse);
  }
}
