import { Injectable } from '@nestjs/common';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/**
 * Reads outside a transaction. On the embedded database it has a connection of its own: TypeORM shares one
 * connection per data source there, so a read beside a running transaction would see rows that may be rolled
 * back.
 */
export abstract class ReadManager {
  abstract readonly manager: EntityManager;
}

/** A repository that reads outside transactions, and takes part in one by `in`. */
@Injectable()
export abstract class TransactionalRepository {
  constructor(protected readonly source: ReadManager) {}

  /** Returns the same repository for a transaction. */
  in(tx: EntityManager): this {
    const Own = this.constructor as new (source: ReadManager) => this;
    return new Own({ manager: tx });
  }

  protected rowsOf<Row extends ObjectLiteral>(entity: EntityTarget<Row>): Repository<Row> {
    return this.source.manager.getRepository(entity);
  }
}
