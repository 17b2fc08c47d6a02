import { InvalidInputError } from '../../platform/kernel/errors.js';
import { parseEntry, type ListEntry } from './list-entry.js';

/** Most entries of a list. */
const ENTRIES_MAX = 100_000;
/** Wrong lines that an error names, and how much of each, in characters. */
const NAMED_LINES = 5;
const NAMED_CHARS = 60;

class ListUnclear extends InvalidInputError {
  constructor(field: string, wrong: readonly string[]) {
    const more = wrong.length > NAMED_LINES ? ` and ${wrong.length - NAMED_LINES} more` : '';
    const message = `cannot be read in ${wrong.slice(0, NAMED_LINES).join(', ')}${more}`;
    super('spam_list_unclear', `${field} ${message}.`, [
      { field, code: 'spam_list_unclear', message: `${field} ${message}.` },
    ]);
  }
}

class ListTooLong extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} has more than ${ENTRIES_MAX} entries.`;
    super('spam_list_too_long', message, [{ field, code: 'spam_list_too_long', message }]);
  }
}

/**
 * Brings a list into its normal form: each entry once, on a line of its own; blank lines go.
 * @param field names it in errors
 * @throws ListUnclear naming lines, ListTooLong
 */
export function normalList(text: string, field: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const entries = new Map<string, string>();
  const wrong: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const entry = parseEntry(line);
    if (entry) entries.set(`${entry.kind} ${entry.key}`, entry.text);
    else wrong.push(`line ${index + 1} (“${line.trim().slice(0, NAMED_CHARS).toWellFormed()}”)`);
  }
  if (wrong.length > 0) throw new ListUnclear(field, wrong);
  if (entries.size > ENTRIES_MAX) throw new ListTooLong(field);
  return [...entries.values()].join('\n');
}

/**
 * Adds an entry to a list, both in their normal form; a blank one is none.
 * @throws ListTooLong
 */
export function withEntry(text: string, entry: string, field: string): string {
  const lines = text === '' ? [] : text.split('\n');
  if (entry === '' || lines.includes(entry)) return text;
  if (lines.length === ENTRIES_MAX) throw new ListTooLong(field);
  return [...lines, entry].join('\n');
}

/** Yields the entries of a list in its normal form. */
export function* entriesOf(text: string): Generator<ListEntry> {
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry) yield entry;
  }
}
