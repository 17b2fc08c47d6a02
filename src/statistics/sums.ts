import type { Scope } from '../accounts/access/index.js';
import type { FormQueries } from '../forms/form-queries.service.js';

/** Names of what is counted. RECEIVED has the items of `Sums`; items of others are digests, and have texts. */
export const RECEIVED = 'received';
export const REFUSED = 'refused';
export const PAGES = 'page';
export const ORIGINS = 'origin';
export const COUNTRIES = 'country';
export const CAMPAIGNS = 'campaign';
/** Visits to pages with a form, the ones that began to fill it in, and submissions: by page and by campaign. */
export const VISITS = {
  pages: { views: 'views:page', starts: 'starts:page', submissions: PAGES },
  campaigns: { views: 'views:campaign', starts: 'starts:campaign', submissions: CAMPAIGNS },
} as const;
/** Beginning of the names of fields, whose items are their values. */
export const FIELDS = 'field:';

/** Returns what stands for all forms of an account where a form is meant. */
export function allFormsOf(accountId: number) {
  return -accountId;
}

/** Hours that one row counts; a day is one of UTC. */
export const HOUR = 1;
export const DAY = 24;

/** Items of what is received. */
export const SUM_NAMES = [
  /** Those that are not spam, and the imported ones among them. */
  ...(['submissions', 'imported', 'spam'] as const),
  /** At the first try, after one that failed, and not at all. */
  ...(['mailsDelivered', 'mailsLate', 'mailsFailed'] as const),
  ...(['callsDelivered', 'callsLate', 'callsFailed'] as const),
];
export type SumName = (typeof SUM_NAMES)[number];

/** A number for each of them. */
export type Sums = Record<SumName, number>;
export const NOTHING: Sums = sumsOf(() => 0);

/** Returns what a function says of each. */
export function sumsOf(valueOf: (name: SumName) => number): Sums {
  const sums = {} as Sums;
  for (const name of SUM_NAMES) sums[name] = valueOf(name);
  return sums;
}

/** Whose counters are read. */
export interface Whose {
  /** Forms, or all of an account. */
  ids: readonly number[];
  /** The client whose forms are meant instead, which are too many to be named. */
  client?: { accountId: number; clientId: number };
}

/** Returns whose counters tell of a form, or of all forms in the scope. @param form null for all */
export async function countersOf(forms: FormQueries, scope: Scope, form: { id: number } | null): Promise<Whose> {
  const { accountId, clientId } = scope;
  if (form) return { ids: [form.id] };
  if (clientId === null) return { ids: [allFormsOf(accountId)] };
  const few = await forms.few(scope);
  return few ? { ids: few.map(({ id }) => id) } : { ids: [], client: { accountId, clientId } };
}

/** Hours that one row counts: an hour, a day of UTC, and 32 days, so that a long span reads few rows. */
export const LENGTHS = [1, 24, 768] as const;

/** Rows of one length that begin from an hour on, until before another; with `hours`, only rows of these hours. */
export interface Stretch {
  length: number;
  from: number;
  to: number;
  hours?: readonly number[];
}

/** Returns the fewest rows that are the hours from one until before another, as stretches of one length each. */
export function stretchesOf(from: number, to: number, level = LENGTHS.length - 1): Stretch[] {
  const length = LENGTHS[level];
  if (length === undefined || from >= to) return [];
  const begin = Math.ceil(from / length) * length;
  const end = Math.floor(to / length) * length;
  if (begin >= end) return stretchesOf(from, to, level - 1);
  return [...stretchesOf(from, begin, level - 1), { length, from: begin, to: end }, ...stretchesOf(end, to, level - 1)];
}

/** Returns the begin of the row of a length that counts an hour. */
export function beginOf(hour: number, length: number) {
  return hour - (hour % length);
}
