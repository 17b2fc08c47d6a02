import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BackgroundTask, type TaskRun, inPortions } from '../platform/background/tasks.js';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS, Clock } from '../platform/kernel/time.js';
import { Projected, type Erased, type Projection } from '../forms/projections.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { DeliveriesRepository, ReturnedMailsRepository } from './deliveries.repository.js';
import { beginningOf, type OutcomeName, CALLS } from './model/outcome.js';
import type { Delivery } from './model/delivery.entity.js';

/** Deliveries that one transaction removes. */
const PORTION_ROWS = 500;

/** Forgets deliveries: with what they are of, and some time after they were delivered. */
@Injectable()
@Projected({ tables: ['deliveries'] })
export class DeliveryLog implements Projection {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly digests: DigestsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  async forget(tx: EntityManager, { ids }: Erased): Promise<void> {
    const found = await this.deliveries.in(tx).listFor(ids);
    await this.deliveries.in(tx).remove(found.map(({ id }) => id));
  }

  /** Removes all deliveries of a deleted form, such as notices to its owner. Digests that tell of others too stay. */
  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.digests.in(tx).passOn(formId));
    await inPortions(async () => this.removeAll(await this.deliveries.idsOf(formId, PORTION_ROWS)));
  }

  /** Removes deliveries that were delivered more than DELIVERY_LOG_DAYS ago. @returns how many */
  @BackgroundTask('prune the delivery log', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const time = new Date(now.getTime() - this.config.deliveries.logDays * DAY_MS);
    return inPortions(
      async () => this.removeAll(await this.deliveries.deliveredBefore(time, PORTION_ROWS)),
      signal,
    );
  }

  private async removeAll(ids: Buffer[]): Promise<number> {
    if (ids.length > 0) await this.unitOfWork.run((tx) => this.deliveries.in(tx).remove(ids));
    return ids.length;
  }
}

/** A report about a mail after a server had accepted it. */
export interface MailReport {
  outcome: Extract<OutcomeName, 'bounced' | 'delayed' | 'complained'>;
  code: number | null;
  /** The words of the receiver. */
  answer: string;
}

/** Records what became of mails after a server had accepted them. */
@Injectable()
export class ReturnedMails {
  constructor(
    private readonly mails: ReturnedMailsRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the mails with these ids, but those that are forgotten, and what is none. */
  async find(ids: Buffer[], tx?: EntityManager): Promise<Delivery[]> {
    const found = await (tx ? this.mails.in(tx) : this.mails).find(ids);
    return found.filter(({ kind }) => !CALLS.includes(kind));
  }

  /**
   * Adds a report to the attempts of a mail. One that bounced has failed.
   * @returns false when the same was reported before
   */
  async record(tx: EntityManager, delivery: Delivery, report: MailReport): Promise<boolean> {
    const { outcome, code } = report;
    const mails = this.mails.in(tx);
    const at = this.clock.now();
    const attempt = {
      ...{ deliveryId: delivery.id, at, durationMs: 0, trigger: 'scheduled' as const },
      ...{ outcome, code, answer: beginningOf(report.answer) },
    };
    if (await mails.isKnown(attempt)) return false;
    await mails.add(attempt);
    if (outcome === 'bounced') await mails.fail(delivery, delivery.comeBack(at));
    return true;
  }
}
