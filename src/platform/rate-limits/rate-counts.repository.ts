import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey, Expires } from '../database/columns.js';
import { sqlDate } from '../database/sql.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** Stores the requests of one caller in one window, added up by instances that share a database. */
@Expires<RateCount>('endsAt')
@Entity('rate_counts')
@Index('ix_rate_counts_end', ['endsAt'])
class RateCount {
  /** A hash: neither addresses nor tokens are stored here. */
  @UuidKey() id: Buffer;
  @Column('int') requests: number;
  @Time() endsAt: Date;
}

/** Adds up counts that instances share. This default shares nothing. */
export class RateCountStore {
  /** Tells whether other instances add to the same counts. */
  isShared() {
    return false;
  }

  /**
   * Adds to the count of one key in one window.
   * @param id identifies limit, key and window
   * @param endsAt when the count is no longer needed
   * @returns the sum of all instances
   */
  add(_id: Buffer, requests: number, _endsAt: Date) {
    return Promise.resolve(requests);
  }
}

const ADD =
  'INSERT INTO rate_counts (id, requests, ends_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE requests = requests + ?';

/** Adds up the counts of instances that share a database server. */
export class RateCountsRepository extends RateCountStore {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override isShared() {
    return true;
  }

  override add(id: Buffer, requests: number, endsAt: Date) {
    return this.unitOfWork.run(async (tx) => {
      await tx.query(ADD, [id, requests, sqlDate(endsAt), requests]);
      const row = await tx.getRepository(RateCount).findOneBy({ id });
      return row?.requests ?? requests;
    });
  }
}
