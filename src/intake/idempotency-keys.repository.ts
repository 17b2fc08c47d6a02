import { Injectable } from '@nestjs/common';
import { LessThan, type EntityManager, type Repository } from 'typeorm';
import { Reads } from '../database/reads.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

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

  /** @returns how many were removed */
  async removeOlderThan(time: Date): Promise<number> {
    const { affected } = await this.keys.delete({ createdAt: LessThan(time) });
    return affected ?? 0;
  }
}
