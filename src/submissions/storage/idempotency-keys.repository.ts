import { Injectable } from '@nestjs/common';
import { LessThan, type FindOptionsWhere } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

type KeyOfForm = Pick<IdempotencyKey, 'formId' | 'keyHash'>;

/** Reads and removes idempotency keys. The transaction that stores a submission writes them. */
@Injectable()
export class IdempotencyKeysRepository extends TransactionalRepository {
  private readonly keys = this.rowsOf(IdempotencyKey);

  find(formId: number, keyHash: Buffer): Promise<IdempotencyKey | null> {
    return this.keys.findOneBy({ formId, keyHash });
  }

  async remove(formId: number, keyHash: Buffer): Promise<void> {
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

  async removeAll(keys: KeyOfForm[]): Promise<void> {
    const any = keys.map(() => '(form_id = ? AND key_hash = ?)').join(' OR ');
    const values = keys.flatMap(({ formId, keyHash }) => [formId, keyHash]);
    await this.source.manager.query(`DELETE FROM idempotency_keys WHERE ${any}`, values);
  }

  private some(where: FindOptionsWhere<IdempotencyKey>, take: number): Promise<KeyOfForm[]> {
    return this.keys.find({ select: { formId: true, keyHash: true }, where, take });
  }
}
