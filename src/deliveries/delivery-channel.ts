import type { Delivery, DeliveryKind } from './delivery.entity.js';
import type { AttemptResult } from './attempt-result.js';

/** Pays deliveries of some kinds. */
export interface DeliveryChannel {
  readonly kinds: readonly DeliveryKind[];
  /**
   * Makes one try. What it throws counts as a fault of ours, and is tried again.
   * @param signal ends the try at once, whatever it waits for
   */
  send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult>;
  /** Is told how a try ended once that is noted; for what follows from it. */
  onSettled?(delivery: Delivery, result: AttemptResult, now: Date): Promise<void>;
}
