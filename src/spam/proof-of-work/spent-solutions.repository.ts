import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/sql.js';
import { SpentSolution } from './spent-solution.entity.js';

/** Solutions that one statement removes. */
const DELETE_ROWS = 500;

/** Finds and removes spent solutions. The transaction that stores a submission writes them. */
@Injectable()
export class SpentSolutionsRepository extends TransactionalRepository {
  private readonly solutions = this.rowsOf(SpentSolution);

  isSpent(nonce: Buffer): Promise<boolean> {
    return this.solutions.existsBy({ nonce });
  }

  /** Removes a portion of those that ended before `now`. Returns how many. */
  async removeExpired(now: Date): Promise<number> {
    const old = await this.solutions.find({
      select: { submissionId: true },
      where: { expiresAt: LessThan(now) },
      take: DELETE_ROWS,
    });
    const ids = old.map(({ submissionId }) => submissionId);
    if (ids.length > 0) await this.solutions.delete({ submissionId: In(ids) });
    return ids.length;
  }
}
