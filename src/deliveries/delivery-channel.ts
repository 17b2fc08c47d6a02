import type { Delivery, DeliveryKind } from './delivery.entity.js';
import type { Outcome } from './attempt-result.js';

/** Pays deliveries of some kinds. */
export interface Payer {
  readonly kinds: readonly DeliveryKind[];
  /**
   * Makes one try. What it throws counts as a fault of ours, and is tried again.
   * @param signal ends the try at once, whatever it waits for
   */
  pay(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
  /** Is told how a try ended once that is noted; for what follows from it. */
  settled?(delivery: Delivery, outcome: Outcome, now: Date): Promise<void>;
}
