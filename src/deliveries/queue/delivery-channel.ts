import type { Delivery, DeliveryKind } from '../model/delivery.entity.js';
import type { AttemptResult } from '../model/attempt-result.js';

/** Sends deliveries of some kinds. */
export interface DeliveryChannel {
  readonly kinds: readonly DeliveryKind[];
  /**
   * Makes one attempt. An error that it throws counts as a fault of ours, and the attempt is repeated.
   * @param signal aborts the attempt at once
   */
  send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult>;
  /** Reacts to the result of an attempt, after it was stored. */
  onSettled?(delivery: Delivery, result: AttemptResult, now: Date): Promise<void>;
}
