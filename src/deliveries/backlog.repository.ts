import { Injectable } from '@nestjs/common';
import { In, LessThan, LessThanOrEqual, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { Delivery, type DeliveryState } from './model/delivery.entity.js';

/** States of deliveries in the outbox. */
const UNFINISHED: DeliveryState[] = ['pending', 'delivering'];

/** Counts the outbox for the metrics and the doctor. Every query uses the index on what is due. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly source: ReadManager) {}

  private get deliveries(): Repository<Delivery> {
    return this.source.manager.getRepository(Delivery);
  }

  countUnfinished(): Promise<number> {
    return this.deliveries.countBy({ state: In(UNFINISHED) });
  }

  /** Returns when the delivery that has been due the longest became due; null when none is due. */
  async oldestDue(now: Date): Promise<Date | null> {
    const times: number[] = [];
    for (const state of UNFINISHED) {
      const found = await this.deliveries.findOne({
        select: { id: true, nextAttemptAt: true },
        where: { state, nextAttemptAt: LessThanOrEqual(now) },
        order: { nextAttemptAt: 'ASC' },
      });
      if (found?.nextAttemptAt) times.push(found.nextAttemptAt.getTime());
    }
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  /** Counts deliveries that were due before `time` and are not started, or whose lease ended before it. */
  countStuck(time: Date): Promise<number> {
    return this.deliveries.countBy([
      { state: 'pending', nextAttemptAt: LessThan(time) },
      { state: 'delivering', leaseUntil: LessThan(time) },
    ]);
  }
}
