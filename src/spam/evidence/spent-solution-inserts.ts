import { isDuplicate } from '../../platform/database/database.errors.js';
import { insertStatement, sqlDate, type Statement } from '../../platform/database/statement.js';

const COLUMNS = ['submission_id', 'nonce', 'expires_at'];

/** A solution that counts for one submission alone. */
export interface Solution {
  /** Nonce of its challenge. */
  nonce: Buffer;
  expiresAt: Date;
}

/** Returns the statements that spend the solutions of submissions, for the transaction that stores them. */
export function spentSolutionInserts(
  submissions: readonly { id: Buffer; solution: Solution | null }[],
): Statement[] {
  const spent = submissions.flatMap(({ id, solution }) => (solution ? [{ id, ...solution }] : []));
  // In one order everywhere, so that two transactions with the same solutions cannot deadlock.
  spent.sort((one, other) => one.nonce.compare(other.nonce));
  const rows = spent.map(({ id, nonce, expiresAt }) => [id, nonce, sqlDate(expiresAt)]);
  return insertStatement('spent_solutions', COLUMNS, rows);
}

/** Tells whether a transaction was refused because a solution in it is spent. */
export function isSpentTwice(error: unknown): boolean {
  return isDuplicate(error, 'uq_spent_solutions_nonce', 'spent_solutions.nonce');
}
