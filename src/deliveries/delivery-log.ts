import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BackgroundTask, type TaskRun, inPortions, Config, DAY_MS, HOUR_MS } from '../platform/index.js';
import { UnitOfWork } from '../platform/database/index.js';
import { Projected, type Erased, type Projection } from '../forms/projections.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';

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

  async forget(tx: EntityManager, { ids }: Erased) {
    const found = await this.deliveries.in(tx).listFor(ids);
    await this.deliveries.in(tx).remove(found.map(({ id }) => id));
  }

  /** Removes all deliveries of a deleted form, such as notices to its owner. Digests that tell of others too stay. */
  async forgetForm(formId: number) {
    await this.unitOfWork.run((tx) => this.digests.in(tx).passOn(formId));
    await inPortions(async () => this.removeAll(await this.deliveries.idsOf(formId, PORTION_ROWS)));
  }

  /** Removes deliveries that were delivered more than DELIVERY_LOG_DAYS ago. @returns how many */
  @BackgroundTask('prune the delivery log', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const time = new Date(now.getTime() - this.config.deliveries.logDays * DAY_MS);
    return inPortions(async () => this.removeAll(await this.deliveries.deliveredBefore(time, PORTION_ROWS)), signal);
  }

  private async removeAll(ids: Buffer[]) {
    if (ids.length > 0) await this.unitOfWork.run((tx) => this.deliveries.in(tx).remove(ids));
    return ids.length;
  }
}
