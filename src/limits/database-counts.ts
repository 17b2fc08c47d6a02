import { LessThan } from 'typeorm';
import { sqlDate } from '../database/statement.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { RateCount } from './rate-count.entity.js';
import { SharedCounts } from './shared-counts.js';

const ADD =
  'INSERT INTO rate_counts (id, requests, ends_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE requests = requests + ?';
const READ = 'SELECT requests FROM rate_counts WHERE id = ?';

/** Counts of instances that share a database server. */
export class DatabaseCounts extends SharedCounts {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override isReady(): boolean {
    return true;
  }

  override add(id: Buffer, requests: number, endsAt: Date): Promise<number> {
    return this.unitOfWork.run(async (tx) => {
      await tx.query(ADD, [id, requests, sqlDate(endsAt), requests]);
      const [row] = await tx.query<{ requests: number }[]>(READ, [id]);
      return row?.requests ?? requests;
    });
  }

  override forgetOld(now: Date): Promise<number> {
    return this.unitOfWork.run(async (tx) => {
      const { affected } = await tx.getRepository(RateCount).delete({ endsAt: LessThan(now) });
      return affected ?? 0;
    });
  }
}
