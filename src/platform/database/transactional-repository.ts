import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReadManager } from './read-manager.js';

/** A repository that reads outside transactions, and takes part in one by `in`. */
@Injectable()
export abstract class TransactionalRepository {
  constructor(protected readonly source: ReadManager) {}

  /** Returns the same repository for a transaction. */
  in(tx: EntityManager): this {
    const Own = this.constructor as new (source: ReadManager) => this;
    return new Own({ manager: tx });
  }
}
