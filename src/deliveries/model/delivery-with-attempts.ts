import type { Attempt } from './attempt.entity.js';
import type { Delivery, DeliveryState } from './delivery.entity.js';

/** A delivery with its attempts, oldest first. */
export interface DeliveryWithAttempts {
  delivery: Delivery;
  attempts: Attempt[];
  /** Name of its destination; null for none, and for one that is deleted. Absent where none has one. */
  destinationName?: string | null;
}

/**
 * State as it is told. `summarised`: it is part of a digest, which is a delivery of its own and may still wait or fail.
 * `written`: without a mail server it went to a file, and to nobody.
 */
export type ToldState = DeliveryState | 'summarised' | 'written';

/** Returns the state of a delivery as it is told: only what reached its receiver was delivered. */
export function toldState({ delivery: { state }, attempts }: DeliveryWithAttempts): ToldState {
  const last = attempts.at(-1)?.outcome;
  return state === 'delivered' && (last === 'summarised' || last === 'written') ? last : state;
}
