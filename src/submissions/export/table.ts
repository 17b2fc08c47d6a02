import { formatUuid } from '../../platform/kernel/uuid.js';
import type { Shown } from '../submission-json.js';
import { SubmittedValues } from '../values/submitted-values.js';
import { FIXED_COLUMNS, type Column, type FixedColumn } from './columns.js';
import type { Export } from './export.service.js';

/**
 * Most field names that get a column of their own; a hostile visitor could send millions. Chosen; not
 * measured.
 */
const COLUMNS_MAX = 2_000;
const OTHER = 'other fields';

/** The text of a cell, and its type for readers that know more than text. */
export interface Cell {
  text: string;
  type: 'text' | 'number' | 'boolean' | 'date';
}

const EMPTY: Cell = { text: '', type: 'text' };

const FIXED_CELLS: Record<FixedColumn, (shown: Shown) => Cell> = {
  id: ({ submission }) => textCell(formatUuid(submission.id)),
  created_at: ({ submission }) => ({ text: submission.createdAt.toISOString(), type: 'date' }),
  spam: ({ submission }) => ({ text: String(submission.spam), type: 'boolean' }),
  trash: ({ submission }) => ({ text: String(submission.trash), type: 'boolean' }),
  origin: ({ submission }) => textCell(submission.origin ?? ''),
  files: ({ files }) => textCell(files.map(({ name }) => name).join('\n')),
};

/** What becomes of a field that has no column: it is left out, with its submission, or shares one with others. */
type Rest = 'ignored' | 'left out' | 'shared';

/** Lays submissions out as a table: a row for each, and a column for every field. */
export class Table {
  readonly header: string[] = [];
  private readonly fixed: [index: number, cell: (shown: Shown) => Cell][] = [];
  private readonly fields = new Map<string, number>();

  private constructor(
    columns: readonly Column[],
    private readonly rest: Rest,
  ) {
    for (const [index, column] of columns.entries()) {
      if ('field' in column) this.fields.set(column.field, index);
      else this.fixed.push([index, FIXED_CELLS[column.fixed]]);
      this.header.push('field' in column ? column.field : column.fixed);
    }
    if (rest === 'shared') this.header.push(OTHER);
  }

  /**
   * Lays out the columns that were chosen; without a choice all, whose names are read first. Fields after
   * COLUMNS_MAX share the last column.
   */
  static async of(source: Export, chosen: readonly Column[] | null): Promise<Table> {
    if (chosen) return new Table(chosen, 'ignored');
    const names = await source.fieldNames(COLUMNS_MAX + 1);
    const columns: Column[] = [
      ...FIXED_COLUMNS.map((fixed) => ({ fixed })),
      ...names.slice(0, COLUMNS_MAX).map((field) => ({ field })),
    ];
    return new Table(columns, names.length > COLUMNS_MAX ? 'shared' : 'left out');
  }

  /**
   * Returns the rows of submissions. Where all fields have a column, one whose field has none came after the names
   * were read; it is left out.
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
  private row(shown: Shown): Cell[] | null {
    const cells = new Array<Cell>(this.header.length).fill(EMPTY);
    for (const [index, cell] of this.fixed) cells[index] = cell(shown);
    for (const { name, text, json } of SubmittedValues.textsIn(shown.submission.payload)) {
      const column = this.fields.get(name);
      if (column === undefined && this.rest === 'left out') return null;
      if (column === undefined && this.rest === 'ignored') continue;
      const index = column ?? cells.length - 1;
      const added = column === undefined ? `${name}: ${text}` : text;
      const before = cells[index]?.text;
      const alone = column !== undefined && !before;
      const type = alone ? typeOf(json) : 'text';
      cells[index] = { text: before ? `${before}\n${added}` : added, type };
    }
    return cells;
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
