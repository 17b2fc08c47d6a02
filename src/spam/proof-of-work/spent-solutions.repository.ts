import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/index.js';
import { SpentSolution } from './spent-solution.entity.js';

/** Finds and removes spent solutions. The transaction that stores a submission writes them. */
@Injectable()
export class SpentSolutionsRepository extends TransactionalRepository {
  private readonly solutions = this.rowsOf(SpentSolution);

  isSpent(nonce: Buffer) {
    return this.solutions.existsBy({ nonce });
  }
}
