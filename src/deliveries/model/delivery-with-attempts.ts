import type { Attempt } from './attempt.entity.js';
import type { Delivery } from './delivery.entity.js';

/** A delivery with its attempts, oldest first. */
export interface DeliveryWithAttempts {
  delivery: Delivery;
  attempts: Attempt[];
}
