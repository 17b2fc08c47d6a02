import { attemptResult } from '../model/attempt-result.js';
import type { DueDelivery } from './capacity.js';
import type { DeliveryQueueRepository } from './delivery-queue.repository.js';

/** Recorded for an attempt whose lease expired. */
export const LOST = attemptResult(
  'interrupted',
  'lost',
  'The service stopped during the attempt. It may or may not have been delivered.',
);
/** Lost attempts in a row after which a delivery fails: the last one was tried alone, so it is what ends the process. */
export const LOST_MAX = 2;

/**
 * Lets deliveries that are one loss short of failing be tried one at a time: one of them may be what ends the
 * process, and would fail those that are under way with it.
 */
export class Suspects {
  private underWay = false;

  constructor(private readonly queue: DeliveryQueueRepository) {}

  /** Leaves out all suspects but one, and that one too while another is under way. */
  async select(
    deliveries: DueDelivery[],
  ): Promise<{ startable: DueDelivery[]; suspect: Buffer | undefined }> {
    const ids = deliveries.map(({ id }) => id);
    const suspects = await this.queue.lostAtLeast(LOST_MAX - 1, ids);
    const suspect = this.underWay ? undefined : suspects[0];
    const left = suspects.filter((id) => id !== suspect);
    const startable = deliveries.filter(({ id }) => !left.some((other) => other.equals(id)));
    return { startable, suspect };
  }

  begin(): void {
    this.underWay = true;
  }

  end(): void {
    this.underWay = false;
  }
}
