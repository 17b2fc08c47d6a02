import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/sql.js';
import { QueuedChange } from './delivery.entity.js';
import type { CounterChange } from './outcome.js';

/** Takes what is to be added to the counts. */
@Injectable()
export class CounterChangesRepository extends TransactionalRepository {
  /**
   * Removes the oldest changes and returns them.
   * @throws ChangesTaken when another instance was faster
   */
  async take(limit: number): Promise<CounterChange[]> {
    const rows = this.source.manager.getRepository(QueuedChange);
    const found = await rows.find({ order: { id: 'ASC' }, take: limit });
    if (found.length === 0) return [];
    const { affected } = await rows.delete({ id: In(found.map(({ id }) => id)) });
    if (affected !== found.length) throw new ChangesTaken();
    return found;
  }
}

/** Thrown to roll back: another instance took some of these changes. */
export class ChangesTaken extends Error {}
