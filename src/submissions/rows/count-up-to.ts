import type { Condition } from '../filter/submission-filter.js';

/**
 * Returns an expression for the number of rows, up to `max`. Whether there are as many is looked up first: of a SELECT with a
 * LIMIT servers copy the rows that they count.
 * @param from a FROM and a WHERE, whose rows an index alone tells
 */
export function countUpTo(from: string, parameters: readonly unknown[], max: number): Condition {
  return {
    sql: `COALESCE((SELECT ? ${from} LIMIT 1 OFFSET ?), (SELECT COUNT(*) ${from}))`,
    parameters: [max, ...parameters, max - 1, ...parameters],
  };
}
