import { insertStatement, sqlDate, type Statement } from '../../platform/database/statement.js';

/** The row that lets a repeated request get the first answer. */
export interface IdempotencyRecord {
  keyHash: Buffer;
  contentHash: Buffer;
  answer: string;
}

/** A submission that is being stored, with its key; null for one without. */
interface Keyed {
  formId: number;
  createdAt: Date;
  idempotency: IdempotencyRecord | null;
}

const COLUMNS = ['form_id', 'key_hash', 'content_hash', 'answer', 'created_at'];

/** Returns the statements that store the keys of submissions; none without keys. */
export function idempotencyKeyInserts(submissions: readonly Keyed[]): Statement[] {
  const rows = submissions.flatMap(({ formId, createdAt, idempotency }) => {
    if (!idempotency) return [];
    const { keyHash, contentHash, answer } = idempotency;
    return [[formId, keyHash, contentHash, answer, sqlDate(createdAt)]];
  });
  return insertStatement('idempotency_keys', COLUMNS, rows);
}
