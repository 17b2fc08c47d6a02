import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryWithAttempts } from './model/delivery-with-attempts.js';
import { Holds } from './holds/holds.service.js';
import type { Delivery } from './model/delivery.entity.js';
import type { NewestOfDestination } from './model/delivery-filter.js';
import { DeliveryWorker } from './queue/delivery-worker.js';

/** Deliveries changed by one transaction. */
const PORTION_ROWS = 500;

/** Keeps what destinations were sent. */
@Injectable()
export class DestinationDeliveries {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly holds: Holds,
    private readonly worker: DeliveryWorker,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the newest deliveries of a destination, newest first. */
  async newest(asked: NewestOfDestination): Promise<DeliveryWithAttempts[]> {
    return this.deliveries.withAttempts(await this.deliveries.newestOf(asked));
  }

  /** Returns all deliveries of a submission. @param tx the transaction that asks */
  madeFor(submissionId: Buffer, tx?: EntityManager): Promise<Delivery[]> {
    return (tx ? this.deliveries.in(tx) : this.deliveries).listFor([submissionId]);
  }

  /**
   * Schedules the failed deliveries of a destination again, from the start of the schedule; those of what is spam or
   * held now once it is released.
   * @param record runs in each transaction that does so for some
   * @returns how many
   */
  async retry(
    destinationId: Buffer,
    record: (tx: EntityManager, count: number) => Promise<void>,
  ): Promise<number> {
    let count = 0;
    let after: Buffer = Buffer.alloc(16);
    for (;;) {
      const ids = await this.deliveries.failedOf(destinationId, after, PORTION_ROWS);
      const last = ids.at(-1);
      if (!last) break;
      after = last;
      count += await this.unitOfWork.run(async (tx) => {
        await record(tx, ids.length);
        return this.holds.revive(tx, ids);
      });
    }
    this.worker.wake();
    return count;
  }
}
