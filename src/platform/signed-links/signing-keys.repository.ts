import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDuplicate } from '../database/database.errors.js';
import { ReadManager } from '../database/read-manager.js';
import { SigningKey } from './signing-key.entity.js';

const ONLY_ID = 1;

@Injectable()
export class SigningKeysRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): SigningKeysRepository {
    return new SigningKeysRepository({ manager: tx });
  }

  find(): Promise<SigningKey | null> {
    return this.source.manager.getRepository(SigningKey).findOneBy({ id: ONLY_ID });
  }

  /** Stores a key unless another instance already did. */
  async insert(secret: Buffer): Promise<void> {
    try {
      const keys = this.source.manager.getRepository(SigningKey);
      await keys.insert({ id: ONLY_ID, secret });
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'signing_keys.id')) throw error;
    }
  }
}
