import { Injectable } from '@nestjs/common';
import { isDuplicate, TransactionalRepository } from '../database/sql.js';
import { SigningKey } from './signing-key.entity.js';

const ONLY_ID = 1;

@Injectable()
export class SigningKeysRepository extends TransactionalRepository {
  find(): Promise<SigningKey | null> {
    return this.source.manager.getRepository(SigningKey).findOneBy({ id: ONLY_ID });
  }

  /** Stores a key unless another instance already did. */
  async insert(secret: Buffer) {
    try {
      const keys = this.source.manager.getRepository(SigningKey);
      await keys.insert({ id: ONLY_ID, secret });
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'signing_keys.id')) throw error;
    }
  }
}
