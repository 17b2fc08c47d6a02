import type { Sums } from '../../statistics/sums.js';

/** Most forms of an account that a filter or an order goes through, oldest first. */
export const FORMS_COMPARED_MAX = 2_000;

/** Columns by which the fleet is sorted: names from A on, numbers and times from the greatest on. */
export const COLUMNS = ['created', 'name', 'client', 'submissions', 'recent', 'spam', 'failed', 'latest'] as const;
export type Column = (typeof COLUMNS)[number];

/** A column, and whether its order is turned round. */
export interface FleetOrder {
  column: Column;
  isReversed: boolean;
}

/** Orders as a request names them, turned round with a minus. */
export const ORDERS = COLUMNS.flatMap((column) => [column, `-${column}` as const]);
export type OrderName = (typeof ORDERS)[number];

/** Which forms of a scope are meant. */
export interface FleetFilter {
  /** Words of their names; empty for any. */
  q: string;
  /** The client that sees them; null for any. */
  clientId: number | null;
  /** Whether only those with warnings are meant. */
  hasProblems: boolean;
}

/** Reads an order that `ORDERS` has. */
export function orderOf(name: OrderName): FleetOrder {
  const isReversed = name.startsWith('-');
  return { column: (isReversed ? name.slice(1) : name) as Column, isReversed };
}

/** Names an order as `ORDERS` does. */
export function nameOf({ column, isReversed }: FleetOrder): OrderName {
  return isReversed ? `-${column}` : column;
}

/** Tells whether all forms of the scope are asked for, in the database's order. */
export function isPlain({ q, clientId, hasProblems }: FleetFilter, order: FleetOrder) {
  const isFiltered = q !== '' || clientId !== null || hasProblems;
  return !isFiltered && order.column === 'created' && !order.isReversed;
}

/** Sorts by what each form has in a column: texts from A on, numbers from the greatest on; equals stay as they are. */
export function sortedBy<T extends { id: number }>(
  forms: readonly T[],
  valueOf: (form: T) => string | number,
  isReversed: boolean,
): T[] {
  const sign = isReversed ? -1 : 1;
  const keyed = forms.map((form) => ({ form, value: valueOf(form) }));
  return keyed.sort((one, other) => sign * compare(one.value, other.value)).map(({ form }) => form);
}

function compare(one: string | number, other: string | number) {
  if (typeof one === 'number' && typeof other === 'number') return other - one;
  return COLLATOR.compare(String(one), String(other));
}

const COLLATOR = new Intl.Collator('en');

/** Returns which part of what came was spam, from 0 to 1; 0 where nothing came. */
export function spamShare({ submissions, spam }: Sums) {
  return spam === 0 ? 0 : spam / (submissions + spam);
}

/** Counts the deliveries that were given up. */
export function failedOf({ mailsFailed, callsFailed }: Sums) {
  return mailsFailed + callsFailed;
}
