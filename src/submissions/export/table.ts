import { formatUuid } from '../../platform/kernel/uuid.js';
import type { Shown } from '../submission-json.js';
import { SubmittedValues } from '../values/submitted-values.js';

/** Columns before those of the form's fields. */
const FIXED = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'];
/**
 * Most field names that get a column of their own; a hostile visitor could send millions. Chosen; not
 * measured.
 */
export const COLUMNS_MAX = 2_000;
const OTHER = 'other fields';

/** The text of a cell, and its type for readers that know more than text. */
export interface Cell {
  text: string;
  type: 'text' | 'number' | 'boolean' | 'date';
}

const EMPTY: Cell = { text: '', type: 'text' };

/** Lays submissions out as a table: one row each, and one column for every field name. */
export class Table {
  private readonly columns: Map<string, number>;
  private readonly hasOthers: boolean;
  readonly header: string[];

  /** @param names of fields; those after COLUMNS_MAX share the last column */
  constructor(names: string[]) {
    const own = names.slice(0, COLUMNS_MAX);
    this.columns = new Map(own.map((name, index) => [name, index]));
    this.hasOthers = names.length > COLUMNS_MAX;
    this.header = [...FIXED, ...own, ...(this.hasOthers ? [OTHER] : [])];
  }

  /**
   * Returns the rows of submissions. A submission whose field has no column was stored after the names were
   * read; it is left out.
   */
  rows(submissions: Shown[]): Cell[][] {
    return submissions.flatMap((submission) => {
      const row = this.row(submission);
      return row ? [row] : [];
    });
  }

  /**
   * Returns one row; several values of one field stand on lines of their own.
   * @returns null for a submission with a field that has no column
   */
  private row({ submission, files }: Shown): Cell[] | null {
    const cells = new Array<Cell>(this.header.length - FIXED.length).fill(EMPTY);
    const values = SubmittedValues.decode(submission.payload);
    const { members } = values;
    for (const [position, { name, text }] of values.toText().entries()) {
      const column = this.columns.get(name);
      if (column === undefined && !this.hasOthers) return null;
      const index = column ?? cells.length - 1;
      const added = column === undefined ? `${name}: ${text}` : text;
      const before = cells[index]?.text;
      const alone = column !== undefined && !before;
      const type = alone ? typeOf(members[position]?.json ?? '') : 'text';
      cells[index] = { text: before ? `${before}\n${added}` : added, type };
    }
    return [
      textCell(formatUuid(submission.id)),
      { text: submission.createdAt.toISOString(), type: 'date' },
      { text: String(submission.spam), type: 'boolean' },
      { text: String(submission.trash), type: 'boolean' },
      textCell(submission.origin ?? ''),
      textCell(files.map(({ name }) => name).join('\n')),
      ...cells,
    ];
  }
}

function textCell(text: string): Cell {
  return { text, type: 'text' };
}

/** Returns the type of a JSON value; a number that a spreadsheet would round is text. */
function typeOf(json: string): Cell['type'] {
  if (json === 'true' || json === 'false') return 'boolean';
  return /^-?\d/.test(json) && String(Number(json)) === json ? 'number' : 'text';
}
