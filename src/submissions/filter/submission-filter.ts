import { firstUuidAt, LOWEST_UUID } from '../../platform/index.js';
import type { OptInState } from '../../deliveries/model/outcome.js';
import type { Lookup } from '../model/submitted-values.js';
import { placeholders } from '../../platform/database/index.js';

/** Selects submissions of a form. */
export interface SubmissionFilter {
  /** Null: both. */
  spam: boolean | null;
  /** Null: both. */
  trash: boolean | null;
  /** Null: both. */
  done: boolean | null;
  /** Received at this time or later. */
  from: Date | null;
  /** Received before this time. */
  to: Date | null;
  /** Each occurs in a value or in the name of a file, in any case of letters. */
  words: readonly string[];
  /** Marks it has, such as `starred`; all of them. */
  marks: readonly string[];
  /** True: only what is assigned to nobody. */
  unassigned: boolean;
  /** Lookups that its values must match, all of them. */
  values: readonly Lookup[];
  /** True: only with a file. */
  hasFile: boolean;
  /** True: only what is held. */
  held: boolean;
  /** Only what waits for its visitor, or what was confirmed; null: all. */
  confirmation: OptInState | null;
  /** True: only what caused a mail or a call that failed; `shown`: one that a client may know of. */
  failed: boolean | 'shown';
  /** Only these; empty: all. */
  ids: readonly Buffer[];
  /** For whom it is unread; null: read or not. */
  unread: ReadState | null;
}

/** Read state of a reader. */
export interface ReadState {
  reader: string;
  /** By the id of the form; without one nothing is read but the exceptions. */
  positions: ReadonlyMap<number, Buffer>;
  /** The forms where something differs from the position. */
  differing: ReadonlySet<number>;
}

/** Selects every submission. */
export const EVERYTHING: SubmissionFilter = {
  spam: null,
  trash: null,
  done: null,
  from: null,
  to: null,
  words: [],
  marks: [],
  unassigned: false,
  values: [],
  hasFile: false,
  held: false,
  confirmation: null,
  failed: false,
  ids: [],
  unread: null,
};

/** Selects what is neither spam nor in the trash. */
export const RECEIVED: SubmissionFilter = { ...EVERYTHING, spam: false, trash: false };

/** Lower than any id: nothing is read. */
export const NOTHING_READ = LOWEST_UUID;

/** Where a page begins in the order of time: older than an id, newer than one, or by number. */
export interface PagePosition {
  /** From 1. */
  page: number;
  perPage: number;
  before: Buffer | null;
  after: Buffer | null;
}

/** One combination of these marks; the index keeps each folder in the order of time. */
export interface Folder {
  spam: boolean;
  trash: boolean;
  done: boolean;
}

/** Marks that a folder is a combination of, in the order of the index. */
const FOLDER_MARKS = ['trash', 'spam', 'done'] as const;

/** Returns the folders that a filter is about. */
export function foldersOf(filter: Pick<SubmissionFilter, keyof Folder>): Folder[] {
  const [trashes, spams, dones] = FOLDER_MARKS.map((mark) => {
    const wanted = filter[mark];
    return wanted === null ? [false, true] : [wanted];
  }) as [boolean[], boolean[], boolean[]];
  return trashes.flatMap((trash) => spams.flatMap((spam) => dones.map((done) => ({ trash, spam, done }))));
}

/** Tells whether the filter selects whole folders. */
export function coversWholeFolders(filter: SubmissionFilter) {
  return filter.from === null && filter.to === null && isInIndex(filter);
}

/** Tells whether the index of lists alone answers the filter; otherwise rows have to be looked at. */
export function isInIndex(filter: SubmissionFilter) {
  const { words, marks, values, ids, unassigned, hasFile, held, failed, unread } = filter;
  if (filter.confirmation !== null) return false;
  const isPlain = words.length + marks.length + values.length + ids.length === 0;
  return isPlain && !unassigned && !hasFile && !held && !failed && unread === null;
}

/** Tells the same of the submissions of a form: what is unread where nothing differs from the position is newer. */
export function isInIndexOf(formId: number, filter: SubmissionFilter) {
  const { unread } = filter;
  const isByPosition = !unread?.differing.has(formId);
  return isByPosition && isInIndex({ ...filter, unread: null });
}

/** A condition in SQL with its parameters. */
export interface Condition {
  sql: string;
  parameters: unknown[];
}

/**
 * Returns the condition that a table has a row about the submission. It is counted, since servers may answer EXISTS by
 * reading all such rows of the table first.
 */
export function there(table: string, condition = '1 = 1') {
  return `((SELECT COUNT(*) FROM ${table} WHERE submission_id = submissions.id AND ${condition}) > 0)`;
}

/** Adds a condition with its parameters to others. */
type Add = (text: string, ...values: unknown[]) => void;

/** Adds what a filter asks of a submission besides its form, folder, time, words, values and whether it is read. */
function addMarks(filter: SubmissionFilter, add: Add) {
  const { marks, unassigned, hasFile, held, confirmation, failed, ids } = filter;
  for (const mark of marks) {
    add(there('submission_marks', 'mark = ?'), mark);
  }
  if (unassigned) {
    add(`NOT ${there('submission_marks', `mark >= '${ASSIGNED}' AND mark < '${ASSIGNED}~'`)}`);
  }
  if (ids.length > 0) add(`id IN (${placeholders(ids)})`, ...ids);
  if (hasFile) add(there('files'));
  if (held) add(there('submission_verdicts', "band = 'held'"));
  if (confirmation) add(there('opt_ins', 'state = ?'), confirmation);
  if (failed) {
    const shown = failed === 'shown' ? ' AND of_account = 0' : '';
    add(there('deliveries', `state = 'failed' AND kind <> 'mention'${shown}`));
  }
}

/**
 * Returns the filter as a condition on some of its folders; words and exact values are for the caller to compare.
 * @param formId null for whatever forms: where the reader is in each is then looked up
 */
export function conditionOf(formId: number | null, filter: SubmissionFilter, folders: Folder[]): Condition {
  const { from, to, unread } = filter;
  const sql: string[] = [];
  const parameters: unknown[] = [];
  const add: Add = (text, ...values) => {
    sql.push(text);
    parameters.push(...values);
  };
  if (formId !== null) add('form_id = ?', formId);
  for (const mark of FOLDER_MARKS) {
    const values = [...new Set(folders.map((folder) => (folder[mark] ? 1 : 0)))];
    add(`${mark} IN (${placeholders(values)})`, ...values);
  }
  if (from) add('id >= ?', firstUuidAt(from));
  if (to) add('id < ?', firstUuidAt(to));
  addMarks(filter, add);
  if (unread && formId !== null) {
    add(
      `(id > ?) <> ${there('read_exceptions', 'form_id = ? AND reader = ?')}`,
      unread.positions.get(formId) ?? NOTHING_READ,
      formId,
      unread.reader,
    );
  } else if (unread) {
    const { reader } = unread;
    const position = 'SELECT read_up_to FROM read_positions WHERE form_id = submissions.form_id AND reader = ?';
    const exception = there('read_exceptions', 'form_id = submissions.form_id AND reader = ?');
    add(`(id > COALESCE((${position}), ?)) <> ${exception}`, reader, NOTHING_READ, reader);
  }
  return { sql: sql.join(' AND '), parameters };
}

/** The mark of a star. */
export const STARRED = 'starred';
/** The mark of what somebody has answered. */
export const ANSWERED = 'answered';

/** Tells whether marks say that somebody took a submission for one of a person. */
export function isValued(marks: readonly string[]) {
  return marks.includes(STARRED) || marks.includes(ANSWERED);
}

/** Most tags of a submission. */
export const TAGS_MAX = 20;
const TAG = 'tag:';

/** Returns the mark of a tag. */
export const tagged = (tag: string) => TAG + tag;

/** Prefix of assignment marks, followed by the id of a person. */
export const ASSIGNED = 'assigned:';

/** Returns the mark of what is assigned to a person. */
export const assignedTo = (personId: number) => `${ASSIGNED}${personId}`;

/** Returns the id of the person that a mark assigns to; null for nobody. */
export function assigneeIn(marks: readonly string[]): number | null {
  const mark = marks.find((each) => each.startsWith(ASSIGNED));
  return mark === undefined ? null : Number(mark.slice(ASSIGNED.length));
}

/** Returns the tags among marks. */
export function tagsIn(marks: readonly string[]): string[] {
  return marks.filter((mark) => mark.startsWith(TAG)).map((mark) => mark.slice(TAG.length));
}
