import { databaseErrorCode, PacketTooLarge } from '../platform/database/database.errors.js';
import { IdempotencyKeyTaken, SubmissionTooLong } from './submission.errors.js';

/** Ids are random: what collides is an idempotency key, or our own row from a lost commit. */
export function isDuplicateRow(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_PRIMARYKEY)$/.test(databaseErrorCode(error));
}

/** What the visitor of a submission is told that the database did not take. */
export function refusalOf(error: unknown): Error {
  if (isDuplicateRow(error)) return new IdempotencyKeyTaken();
  if (error instanceof PacketTooLarge) return new SubmissionTooLong();
  return error instanceof Error ? error : new Error(String(error));
}
