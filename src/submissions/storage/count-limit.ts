import { databaseErrorCode } from '../../platform/database/database.errors.js';

/** A transaction would bring a form above the number of submissions that it takes. */
export class CountLimitReached extends Error {}

/**
 * Returns what a transaction adds to the count of a form, as an expression. Above the limit it is NULL, which the column
 * refuses, so the limit is exact however many instances store at once.
 */
export function addedUpTo(limit: number | null, added: number): string {
  if (limit === null) return String(added);
  return `CASE WHEN submission_count + ${added} > ${limit} THEN NULL ELSE ${added} END`;
}

/** Tells whether a transaction was refused because a count in it would be above its limit. */
export function isOverLimit(error: unknown): boolean {
  return (
    /^(?:ER_BAD_NULL_ERROR|SQLITE_CONSTRAINT_NOTNULL)$/.test(databaseErrorCode(error)) &&
    String(error).includes('submission_count')
  );
}
