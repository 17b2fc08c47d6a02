import type { Scope } from '../../access/principal.js';
import type { FormQueries } from '../../forms/form-queries.service.js';

/** The form of rows that count all forms of an account. */
export const ALL_FORMS = 0;
/** Hours that one row counts; a day is one of UTC. */
export const HOUR = 1;
export const DAY = 24;

/** Counters by the columns of the table. */
export const COUNTERS = {
  submissions: 'submissions',
  spam: 'spam',
  imported: 'imported',
  mailsDelivered: 'mails_delivered',
  mailsLate: 'mails_late',
  mailsFailed: 'mails_failed',
  callsDelivered: 'calls_delivered',
  callsLate: 'calls_late',
  callsFailed: 'calls_failed',
} as const;
export type Counter = keyof typeof COUNTERS;
export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

/** A number for each of them. */
export type Sums = Record<Counter, number>;
export const NOTHING: Sums = sumsOf(() => 0);

/** Returns what a function says of each. */
export function sumsOf(valueOf: (counter: Counter) => number): Sums {
  const sums = {} as Sums;
  for (const name of COUNTER_NAMES) sums[name] = valueOf(name);
  return sums;
}

/** Whose rows are read; ALL_FORMS is a form here. */
export interface Counters {
  accountId: number;
  formIds: readonly number[];
  /** The client whose forms are meant instead, which are too many to be named. */
  clientId?: number;
}

/** Returns whose rows tell of a form, or of all forms in the scope. @param form null for all */
export async function countersOf(
  forms: FormQueries,
  scope: Scope,
  form: { id: number } | null,
): Promise<Counters> {
  const { accountId, clientId } = scope;
  if (form) return { accountId, formIds: [form.id] };
  if (clientId === null) return { accountId, formIds: [ALL_FORMS] };
  const few = await forms.few(scope);
  if (few) return { accountId, formIds: few.map(({ id }) => id) };
  return { accountId, formIds: [], clientId };
}
