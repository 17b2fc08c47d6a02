import { Injectable } from '@nestjs/common';
import { LessThan, type FindOptionsWhere } from 'typeorm';
import { TransactionalRepository, insertStatement, sqlDate, type Statement } from '../../platform/database/index.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

type KeyOfForm = Pick<IdempotencyKey, 'formId' | 'keyHash'>;

/** Reads and removes idempotency keys. The transaction that stores a submission writes them. */
@Injectable()
export class IdempotencyKeysRepository extends TransactionalRepository {
  private readonly keys = this.rowsOf(IdempotencyKey);

  find(formId: number, keyHash: Buffer): Promise<IdempotencyKey | null> {
    return this.keys.findOneBy({ formId, keyHash });
  }

  async remove(formId: number, keyHash: Buffer) {
    await this.keys.delete({ formId, keyHash });
  }

  /** Returns keys that were used before `time`. */
  olderThan(time: Date, limit: number): Promise<KeyOfForm[]> {
    return this.some({ createdAt: LessThan(time) }, limit);
  }

  /** Returns keys that were used with a form. */
  ofForm(formId: number, limit: number): Promise<KeyOfForm[]> {
    return this.some({ formId }, limit);
  }

  async removeAll(keys: KeyOfForm[]) {
    const any = keys.map(() => '(form_id = ? AND key_hash = ?)').join(' OR ');
    const values = keys.flatMap(({ formId, keyHash }) => [formId, keyHash]);
    await this.source.manager.query(`DELETE FROM idempotency_keys WHERE ${any}`, values);
  }

  private some(where: FindOptionsWhere<IdempotencyKey>, take: number): Promise<KeyOfForm[]> {
    return this.keys.find({ select: { formId: true, keyHash: true }, where, take });
  }
}

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
