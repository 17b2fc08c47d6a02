import type { EntityManager } from 'typeorm';
import { inSlices } from '../kernel/slices.js';
import { onConflictSql } from './select-rows.js';

/** Rows that one statement writes, which takes a millisecond. */
const ROWS_AT_ONCE = 250;

/** A table of counters, by the names of its columns. */
export interface CounterTable {
  name: string;
  key: readonly string[];
  counters: readonly string[];
  /** Further columns, which a row gets when it is new. */
  more?: readonly string[];
}

/** Amounts to add to a row. */
export interface CounterChange {
  /** Values of the columns of the key. */
  key: readonly (number | string | Buffer)[];
  /** One for each counter. */
  amounts: readonly number[];
  /** Values of the further columns. */
  more?: readonly number[];
}

/**
 * Adds to counters of rows that are there or not. Equal amounts go together, as most are 1: an amount has one place in a
 * statement. Rows of one amount are written in the order of their keys, so that transactions wait for them in one order.
 */
export async function addToCounters(
  manager: EntityManager,
  table: CounterTable,
  changes: readonly CounterChange[],
): Promise<void> {
  const groups = new Map<string, CounterChange[]>();
  for (const change of summedUp(changes)) {
    const amounts = change.amounts.join(' ');
    const group = groups.get(amounts);
    if (group) group.push(change);
    else groups.set(amounts, [change]);
  }
  for (const group of groups.values()) {
    for (const some of inSlices(group, ROWS_AT_ONCE)) await upsert(manager, table, some);
  }
}

/** @param changes with the same amounts, and no key twice */
async function upsert(
  manager: EntityManager,
  { name, key, counters, more = [] }: CounterTable,
  changes: readonly CounterChange[],
): Promise<void> {
  const amounts = changes[0]?.amounts ?? [];
  const sums = counters.flatMap((counter, at) =>
    amounts[at] ? [`${counter} = ${counter} + ${amounts[at]}`] : [],
  );
  if (sums.length === 0) return;
  const texts: string[] = [];
  // Numbers and bytes are written into the statement: there are too many to look for their places.
  const literal = (value: number | string | Buffer) => {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string') return `X'${value.toString('hex')}'`;
    texts.push(value);
    return '?';
  };
  const rows = changes.map((change) =>
    [...change.key.map(literal), ...(change.more ?? []), ...amounts].join(','),
  );
  await manager.query(
    `INSERT INTO ${name} (${[...key, ...more, ...counters].join(',')}) VALUES (${rows.join('),(')})
      ${onConflictSql(manager.dataSource, key, sums.join(', '))}`,
    texts,
  );
}

/** Adds up what goes to the same row, in the order of the keys. */
function summedUp(changes: readonly CounterChange[]): CounterChange[] {
  const sums = new Map<string, CounterChange>();
  for (const change of changes) {
    const { key, amounts } = change;
    const text = key.map((part) => (Buffer.isBuffer(part) ? part.toString('hex') : part)).join(' ');
    const known = sums.get(text);
    const sum = known ? known.amounts.map((amount, at) => amount + (amounts[at] ?? 0)) : amounts;
    sums.set(text, { ...change, amounts: sum });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}
