import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TransactionalRepository } from '../platform/database/transactional-repository.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { Attempt } from './model/attempt.entity.js';
import { QueuedChange } from './model/counter-change.entity.js';
import { Delivery } from './model/delivery.entity.js';
import type { CounterChange } from './model/fate.js';

/** Stores what became of mails after a server had accepted them. */
@Injectable()
export class ReturnedMailsRepository extends TransactionalRepository {
  private readonly deliveries = this.rowsOf(Delivery);
  private readonly attempts = this.rowsOf(Attempt);

  find(ids: Buffer[]): Promise<Delivery[]> {
    return this.deliveries.findBy({ id: In(ids) });
  }

  /** Tells whether the same was stored before: reports come twice. */
  isKnown({ deliveryId, outcome, answer }: Omit<Attempt, 'id'>): Promise<boolean> {
    return this.attempts
      .findBy({ deliveryId, outcome })
      .then((found) => found.some((attempt) => attempt.answer === answer));
  }

  add(attempt: Omit<Attempt, 'id'>): Promise<unknown> {
    return this.attempts.insert({ ...attempt, id: makeUuid() });
  }

  /** Stores that a delivery failed, unless it failed already or is being tried again now. */
  async fail(delivery: Delivery, changes: readonly CounterChange[]): Promise<void> {
    const { id, state, nextAttemptAt, settledAt, fate } = delivery;
    const { affected } = await this.deliveries.update(
      { id, state: In(['pending', 'delivered']) },
      { state, nextAttemptAt, settledAt, fate },
    );
    if (affected === 0 || changes.length === 0) return;
    const queued = changes.map((change) => ({ ...change, id: makeUuid() }));
    await this.source.manager.getRepository(QueuedChange).insert(queued);
  }
}
