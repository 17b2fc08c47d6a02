import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { Reads } from '../../platform/database/read-manager.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

type KeyOfForm = Pick<IdempotencyKey, 'formId' | 'keyDigest'>;

/** Keys and their answers; they are written by the transaction that stores the submission. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly source: Reads) {}

  in(tx: EntityManager): IdempotencyKeysRepository {
    return new IdempotencyKeysRepository({ manager: tx });
  }

  private get keys(): Repository<IdempotencyKey> {
    return this.source.manager.getRepository(IdempotencyKey);
  }

  find(formId: number, keyDigest: Buffer): Promise<IdempotencyKey | null> {
    return this.keys.findOneBy({ formId, keyDigest });
  }

  async remove(formId: number, keyDigest: Buffer): Promise<void> {
    await this.keys.delete({ formId, keyDigest });
  }

  /** Keys that were used before `time`. */
  olderThan(time: Date, limit: number): Promise<KeyOfForm[]> {
    return this.some({ createdAt: LessThan(time) }, limit);
  }

  /** Keys that were used with a form. */
  ofForm(formId: number, limit: number): Promise<KeyOfForm[]> {
    return this.some({ formId }, limit);
  }

  async removeAll(keys: KeyOfForm[]): Promise<void> {
    const any = keys.map(() => '(form_id = ? AND key_digest = ?)').join(' OR ');
    const values = keys.flatMap(({ formId, keyDigest }) => [formId, keyDigest]);
    await this.source.manager.query(`DELETE FROM idempotency_keys WHERE ${any}`, values);
  }

  private some(where: FindOptionsWhere<IdempotencyKey>, take: number): Promise<KeyOfForm[]> {
    return this.keys.find({ select: { formId: true, keyDigest: true }, where, take });
  }
}
