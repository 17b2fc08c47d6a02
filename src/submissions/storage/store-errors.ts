import { databaseErrorCode, PacketTooLarge } from '../../platform/database/sql.js';
import { isSpentTwice, SolutionSpent } from '../../spam/evidence/spam-evidence.js';
import { CountLimitReached, isOverLimit } from './idempotency.js';
import { IdempotencyKeyTaken, SubmissionTooLong } from '../model/submission.errors.js';

/**
 * Tells whether a row exists already. Ids are random, so it is an idempotency key, or our own row of a commit
 * whose answer was lost.
 */
export function isDuplicateRow(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_PRIMARYKEY)$/.test(databaseErrorCode(error));
}

/** Returns the error for the visitor whose submission the database refused. */
export function refusalOf(error: unknown): Error {
  if (isSpentTwice(error)) return new SolutionSpent();
  if (isOverLimit(error)) return new CountLimitReached();
  if (isDuplicateRow(error)) return new IdempotencyKeyTaken();
  if (error instanceof PacketTooLarge) return new SubmissionTooLong();
  return error instanceof Error ? error : new Error(String(error));
}
