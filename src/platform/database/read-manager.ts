import type { EntityManager } from 'typeorm';

/**
 * Reads outside a transaction. On the embedded database it has a connection of its own: TypeORM shares one
 * connection per data source there, so a read beside a running transaction would see rows that may be rolled
 * back.
 */
export abstract class ReadManager {
  abstract readonly manager: EntityManager;
}
