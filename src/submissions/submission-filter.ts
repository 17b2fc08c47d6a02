import { firstUuidAt } from '../platform/kernel/uuid.js';

/** Selects submissions of a form. */
export interface SubmissionFilter {
  /** Null: both. */
  spam: boolean | null;
  /** Null: both. */
  trash: boolean | null;
  /** Received at this time or later. */
  from: Date | null;
  /** Received before this time. */
  to: Date | null;
  /** Occurs in a value, in any case of letters. */
  query: string | null;
}

/** Where a page begins in the order of time: older than an id, newer than one, or by number. */
export interface PagePosition {
  /** From 1. */
  page: number;
  perPage: number;
  before: Buffer | null;
  after: Buffer | null;
}

/** One combination of the two marks; the index keeps each folder in the order of time. */
export interface Folder {
  spam: boolean;
  trash: boolean;
}

export function foldersOf({ spam, trash }: Pick<SubmissionFilter, 'spam' | 'trash'>): Folder[] {
  const spams = spam === null ? [false, true] : [spam];
  const trashes = trash === null ? [false, true] : [trash];
  return trashes.flatMap((inTrash) => spams.map((isSpam) => ({ spam: isSpam, trash: inTrash })));
}

/** Tells whether the filter selects whole folders. */
export function coversWholeFolders({ from, to, query }: SubmissionFilter): boolean {
  return from === null && to === null && query === null;
}

/** A condition in SQL with its parameters. */
export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** Returns the filter as a condition on some of its folders. */
export function conditionOf(
  formId: number,
  { from, to, query }: SubmissionFilter,
  folders: Folder[],
): Condition {
  const sql = ['form_id = ?'];
  const parameters: unknown[] = [formId];
  const add = (text: string, ...values: unknown[]) => {
    sql.push(text);
    parameters.push(...values);
  };
  for (const mark of ['trash', 'spam'] as const) {
    const values = [...new Set(folders.map((folder) => (folder[mark] ? 1 : 0)))];
    add(`${mark} IN (${values.map(() => '?').join(',')})`, ...values);
  }
  if (from) add('id >= ?', firstUuidAt(from));
  if (to) add('id < ?', firstUuidAt(to));
  // LIKE takes quadratic time on SQLite, and ends at the first NUL.
  if (query !== null) add('INSTR(search_text, ?) > 0', query.toLowerCase());
  return { sql: sql.join(' AND '), parameters };
}
