import { setImmediate as nextTurn } from 'node:timers/promises';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { parseEntry, type ListEntry } from './list-entry.js';

/** Most entries of a list, and most lines of its text. */
const ENTRIES_MAX = 100_000;
/** Lines that are read in one turn of the event loop, which takes a few milliseconds. */
const LINES_A_TURN = 1_000;
const LINE_END = /\r\n|\r|\n/g;
/** Wrong lines that an error names, and how much of each, in characters. */
const NAMED_LINES = 5;
const NAMED_CHARS = 60;

class ListUnclear extends InvalidInputError {
  constructor(field: string, wrong: readonly string[]) {
    const more = wrong.length > NAMED_LINES ? ' and more' : '';
    const message = `cannot be read in ${wrong.slice(0, NAMED_LINES).join(', ')}${more}`;
    super('spam_list_unclear', `${field} ${message}.`, [
      { field, code: 'spam_list_unclear', message: `${field} ${message}.` },
    ]);
  }
}

class ListTooLong extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} has more than ${ENTRIES_MAX} lines.`;
    super('spam_list_too_long', message, [{ field, code: 'spam_list_too_long', message }]);
  }
}

/** Lists of all forms of an account together, in bytes: those of many accounts are kept ready at a time. */
export const ACCOUNT_LISTS_MAX_BYTES = 8 * 1024 * 1024;

export class SpamListsFull extends InvalidInputError {
  constructor() {
    const message = `All spam lists of an account together can have up to ${byteSize(ACCOUNT_LISTS_MAX_BYTES)}. Shorten some first.`;
    super('spam_lists_full', message, [{ field: 'lists', code: 'spam_lists_full', message }]);
  }
}

/**
 * Brings a list into its normal form: each entry once, on a line of its own; blank lines go. Lines are read in turns with
 * other work.
 * @param field names it in errors
 * @throws ListUnclear naming lines, ListTooLong
 */
export async function normalList(text: string, field: string): Promise<string> {
  const kept = text.trimEnd();
  if (hasMoreLines(kept)) throw new ListTooLong(field);
  const entries = new Map<string, string>();
  const wrong: string[] = [];
  for (const [index, line] of kept.split(LINE_END).entries()) {
    if (index % LINES_A_TURN === 0) await nextTurn();
    if (line.trim() === '') continue;
    const entry = parseEntry(line);
    if (entry) entries.set(`${entry.kind} ${entry.key}`, entry.text);
    else wrong.push(`line ${index + 1} (“${line.trim().slice(0, NAMED_CHARS).toWellFormed()}”)`);
    if (wrong.length > NAMED_LINES) break;
  }
  if (wrong.length > 0) throw new ListUnclear(field, wrong);
  return [...entries.values()].join('\n');
}

/** Tells whether a text has more lines than a list may have entries, without taking it apart. */
function hasMoreLines(text: string): boolean {
  let lines = 1;
  for (const _ of text.matchAll(LINE_END)) if (++lines > ENTRIES_MAX) return true;
  return false;
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
