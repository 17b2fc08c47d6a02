import { formatUuid } from '../../platform/index.js';
import type { Shown } from '../../submissions/dto/submission-json.js';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import type { Export } from './export.service.js';

/** Columns that every export has, before the form's fields. */
export const FIXED_COLUMNS = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'] as const;

/** The columns that a table has when somebody asks for them, or when its form uses what they are about. */
export const FURTHER_COLUMNS = ['confirmation_state'] as const;

export type FixedColumn = (typeof FIXED_COLUMNS | typeof FURTHER_COLUMNS)[number];

/** Prefix of field names that a request could otherwise read as something else. */
const FIELD_PREFIX = 'values.';

/** The column that fields share once there are too many for columns of their own. */
const SHARED_COLUMN = 'other fields';

/** A column that was chosen: a fixed one, or the field of a form. */
export type Column = { fixed: FixedColumn } | { field: string };

/** Returns the columns of these names in their order, each once: a fixed one by its name, else a field by its own. */
export function columnsOf(names: readonly string[]): Column[] {
  const columns = names.map((name): Column => {
    return isFixed(name) ? { fixed: name } : { field: fieldOfColumn(name) };
  });
  const byKey = new Map(columns.map((column) => [JSON.stringify(column), column]));
  return [...byKey.values()];
}

/** Returns the name that stands for a field in `columnsOf` and in the header of a table: that of no other column. */
export function columnNameOf(field: string) {
  const isTaken = isFixed(field) || field === SHARED_COLUMN || field.startsWith(FIELD_PREFIX);
  return isTaken ? FIELD_PREFIX + field : field;
}

/** Returns the field that a column of this name has the values of, where it is not fixed. */
export function fieldOfColumn(name: string) {
  return name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name;
}

function isFixed(name: string): name is FixedColumn {
  return ([...FIXED_COLUMNS, ...FURTHER_COLUMNS] as readonly string[]).includes(name);
}

/** How a format writes a table. Rows are numbered from 0, without the header. */
export interface TableFormat {
  /** Returns what it writes of the name of a column. */
  name: (text: string) => string;
  /** Writes what stands before the rows. */
  header(names: readonly string[]): string;
  /** Writes a row without its end. */
  row(cells: readonly Cell[], row: number): string;
  /** Writes the end of a row of so many cells, with empty ones up to as many as there are columns. */
  end(row: number, cells: number, columns: number): string;
}

/** Writes the header and the rows of chosen columns while they are read. @returns how many columns there are */
export async function* chosenText(
  source: Export,
  chosen: readonly Column[],
  format: TableFormat,
): AsyncGenerator<string, number> {
  const table = new Table(format.name, chosen);
  const columns = table.header.length;
  let row = 0;
  yield format.header(table.header);
  for await (const rows of source.rows()) {
    const texts = rows.map((shown) => {
      const text = format.row(table.row(shown), row);
      return text + format.end(row++, columns, columns);
    });
    yield texts.join('');
  }
  return columns;
}

/**
 * Writes the header and the rows of all columns. The last row may have a field that no other has, so there is no header
 * until all were read; the rows wait in a spool.
 * @returns how many columns there are
 */
export async function* completeText(source: Export, format: TableFormat): AsyncGenerator<string | Buffer, number> {
  const table = new Table(format.name, null, source.isAsking);
  const spool = source.spool();
  let row = 0;
  try {
    for await (const rows of source.rows()) {
      const spooled = rows.map((shown) => {
        const cells = table.row(shown);
        return { text: format.row(cells, row++), width: cells.length };
      });
      await spool.add(spooled);
    }
    const columns = table.header.length;
    const end = Buffer.from(format.end(0, columns, columns));
    yield format.header(table.header);
    const pieces = spool.read((at, width) => (width === columns ? end : Buffer.from(format.end(at, width, columns))));
    for await (const bytes of pieces) {
      source.unwanted.throwIfAborted();
      yield bytes;
    }
    return columns;
  } finally {
    await spool.close();
  }
}

/** Most field names that get a column of their own; a hostile visitor could send millions. Chosen; not measured. */
const COLUMNS_MAX = 2_000;

/** The text of a cell, and its type for readers that know more than text. */
export interface Cell {
  text: string;
  type: 'text' | 'number' | 'boolean' | 'date';
}

/** A number of JSON without an exponent. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?$/;
/** Most digits before the point that Excel shows, and most in all that it keeps (Excel specifications and limits). */
const WHOLE_MAX = 11;
const DIGITS_MAX = 15;

const EMPTY: Cell = { text: '', type: 'text' };

const FIXED_CELLS: Record<FixedColumn, (shown: Shown) => Cell> = {
  id: ({ submission }) => textCell(formatUuid(submission.id)),
  created_at: ({ submission }) => ({ text: submission.createdAt.toISOString(), type: 'date' }),
  spam: ({ submission }) => ({ text: String(submission.spam), type: 'boolean' }),
  trash: ({ submission }) => ({ text: String(submission.trash), type: 'boolean' }),
  origin: ({ submission }) => textCell(submission.origin ?? ''),
  confirmation_state: ({ confirmation }) => textCell(confirmation ?? ''),
  files: ({ files }) => textCell(files.map(({ name }) => name).join('\n')),
};

function textCell(text: string): Cell {
  return { text, type: 'text' };
}

/** Returns the type of a JSON value; a number that a spreadsheet would round, or show in another way, is text. */
function typeOf(json: string): Cell['type'] {
  if (json === 'true' || json === 'false') return 'boolean';
  const [, whole, fraction = ''] = NUMBER.exec(json) ?? [];
  if (whole === undefined || String(Number(json)) !== json) return 'text';
  const isShown = whole.length <= WHOLE_MAX && whole.length + fraction.length <= DIGITS_MAX;
  return isShown ? 'number' : 'text';
}

/** Lays submissions out as a table: a row for each, and a column for every field, or those that were chosen. */
class Table {
  readonly header: string[] = [];
  private readonly fixed: [index: number, cell: (shown: Shown) => Cell][] = [];
  private readonly fields = new Map<string, number>();
  private readonly grows: boolean;
  /** Index of the column that fields share; null until there is one. */
  private shared: number | null = null;
  /** Names of the header, as whoever opens the file reads them. */
  private readonly names = new Set<string>();

  /**
   * @param legible returns what a format writes of a name
   * @param chosen null: all; fields get their columns as they occur, and those after COLUMNS_MAX share the last one
   * @param isAsking whether the form has its visitors confirm, which all columns tell
   */
  constructor(
    private readonly legible: (name: string) => string,
    chosen: readonly Column[] | null,
    isAsking = false,
  ) {
    this.grows = chosen === null;
    const all = [...FIXED_COLUMNS, ...(isAsking ? FURTHER_COLUMNS : [])];
    for (const column of chosen ?? all.map((fixed) => ({ fixed }))) {
      if ('fixed' in column) this.fixed.push([this.header.length, FIXED_CELLS[column.fixed]]);
      else this.fields.set(column.field, this.header.length);
      this.addColumn('fixed' in column ? column.fixed : columnNameOf(column.field));
    }
  }

  /**
   * Returns the cells of a submission, for all columns that there are so far; several values of one field stand on
   * lines of their own.
   */
  row(shown: Shown): Cell[] {
    const cells = new Array<Cell>(this.header.length).fill(EMPTY);
    for (const [index, cell] of this.fixed) cells[index] = cell(shown);
    for (const { name, text, json } of SubmittedValues.textsIn(shown.submission.payload)) {
      const index = this.fields.get(name) ?? this.newColumn(name);
      if (index === null) continue;
      const isShared = index === this.shared;
      const added = isShared ? `${name}: ${text}` : text;
      const before = cells[index]?.text;
      const type = isShared || before ? 'text' : typeOf(json);
      cells[index] = { text: before ? `${before}\n${added}` : added, type };
    }
    return cells;
  }

  /** Returns the index of the column for a field that had none; null when it gets none. */
  private newColumn(field: string) {
    if (!this.grows) return null;
    const index = this.header.length;
    if (this.fields.size < COLUMNS_MAX) this.fields.set(field, index);
    else if (this.shared !== null) return this.shared;
    else this.shared = index;
    this.addColumn(this.shared === null ? columnNameOf(field) : SHARED_COLUMN);
    return index;
  }

  /** Gives a column a name that no other has once the format wrote it. */
  private addColumn(name: string) {
    const legible = this.legible(name);
    if (this.names.has(legible)) {
      this.addColumn(FIELD_PREFIX + name);
      return;
    }
    this.names.add(legible);
    this.header.push(name);
  }
}
