import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, LessThanOrEqual, Not, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/sql.js';
import { CALLS } from './model/outcome.js';
import { Delivery, type DeliveryState } from './model/delivery.entity.js';
import { isMailAboutSubmission } from './model/fate.js';

/** States of deliveries in the outbox. */
const UNFINISHED: DeliveryState[] = ['pending', 'delivering'];

/** Deliveries that are looked at for mails that wait: those that are due next. */
const NEXT_ROWS = 1_000;

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

  /** Counts the mails about submissions that wait after a try that failed, or were due before `time`, among the next ones. */
  async countMailsWaiting(time: Date): Promise<number> {
    const next = await this.deliveries.find({
      select: { id: true, kind: true, fate: true, nextAttemptAt: true },
      where: { state: 'pending', nextAttemptAt: Not(IsNull()) },
      order: { nextAttemptAt: 'ASC' },
      take: NEXT_ROWS,
    });
    return next.filter(
      ({ kind, fate, nextAttemptAt }) =>
        isMailAboutSubmission(kind) &&
        (fate === 'deferred' || (nextAttemptAt !== null && nextAttemptAt < time)),
    ).length;
  }

  /**
   * Counts deliveries whose lease ended before `time`, and mails that were due before it and are not started: a call waits
   * longer where its own receiver is slow, which says nothing of the workers.
   */
  countStuck(time: Date): Promise<number> {
    return this.deliveries.countBy([
      { state: 'pending', nextAttemptAt: LessThan(time), kind: Not(In([...CALLS])) },
      { state: 'delivering', leaseUntil: LessThan(time) },
    ]);
  }
}
