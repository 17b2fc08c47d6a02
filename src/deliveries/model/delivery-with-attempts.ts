import type { Attempt } from './attempt.entity.js';
import type { Delivery } from './delivery.entity.js';

/** A delivery with its attempts, oldest first. */
export interface DeliveryWithAttempts {
  delivery: Delivery;
  attempts: Attempt[];
  /** Name of its destination; null for none, and for one that is deleted. Absent where none has one. */
  destinationName?: string | null;
}
