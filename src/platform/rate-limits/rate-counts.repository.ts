import { In, LessThan } from 'typeorm';
import { sqlDate } from '../database/sql.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { inPortions } from '../background/pace.js';
import { RateCount } from './rate-count.entity.js';

/** Adds up counts that instances share. This default shares nothing. */
export class RateCountStore {
  /** Tells whether other instances add to the same counts. */
  isShared(): boolean {
    return false;
  }

  /**
   * Adds to the count of one key in one window.
   * @param id identifies limit, key and window
   * @param endsAt when the count is no longer needed
   * @returns the sum of all instances
   */
  add(_id: Buffer, requests: number, _endsAt: Date): Promise<number> {
    return Promise.resolve(requests);
  }

  /**
   * Removes counts of past windows.
   * @param _signal stops it between two transactions
   * @returns how many
   */
  forgetOld(_now: Date, _signal?: AbortSignal): Promise<number> {
    return Promise.resolve(0);
  }
}

const ADD =
  'INSERT INTO rate_counts (id, requests, ends_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE requests = requests + ?';
const READ = 'SELECT requests FROM rate_counts WHERE id = ?';

/** Counts that one statement removes. */
const DELETE_ROWS = 500;

/** Adds up the counts of instances that share a database server. */
export class RateCountsRepository extends RateCountStore {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override isShared(): boolean {
    return true;
  }

  override add(id: Buffer, requests: number, endsAt: Date): Promise<number> {
    return this.unitOfWork.run(async (tx) => {
      await tx.query(ADD, [id, requests, sqlDate(endsAt), requests]);
      const [row] = await tx.query<{ requests: number }[]>(READ, [id]);
      return row?.requests ?? requests;
    });
  }

  override forgetOld(now: Date, signal?: AbortSignal): Promise<number> {
    return inPortions(
      () =>
        this.unitOfWork.run(async (tx) => {
          const counts = tx.getRepository(RateCount);
          const where = { endsAt: LessThan(now) };
          const old = await counts.find({ select: { id: true }, where, take: DELETE_ROWS });
          if (old.length > 0) await counts.delete({ id: In(old.map(({ id }) => id)) });
          return old.length;
        }),
      signal,
    );
  }
}
