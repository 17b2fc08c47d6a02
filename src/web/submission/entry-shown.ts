import {
  toldState,
  type DeliveryWithAttempts,
} from '../../deliveries/model/delivery-with-attempts.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { TimelineEntry } from '../../triage/timeline/timeline.service.js';
import type { callWords } from '../deliveries/words.js';
import type { submissionWords } from './words.js';

/** A delivery with its attempts. */
export interface DeliveryShown {
  id: string;
  kind: keyof typeof submissionWords.kinds;
  recipient: string;
  /** Name of its destination; null for none. */
  destinationName: string | null;
  state: keyof typeof callWords.states;
  nextAttemptAt: Date | null;
  /** Whether it waits for the visitor to confirm. */
  isWaiting: boolean;
  /** False for a call of a webhook that is switched off, and while it is under way. */
  canBeTried: boolean;
  attempts: {
    at: Date;
    durationMs: number;
    outcome: string;
    code: number | null;
    answer: string | null;
  }[];
}

/** An entry of the timeline, with what can be done about a delivery. */
export type EntryShown =
  | Exclude<TimelineEntry, { what: 'delivery' }>
  | { at: Date; what: 'delivery'; delivery: DeliveryShown };

/**
 * Returns a delivery as the page shows it.
 * @param isOff whether the form calls its webhook no more
 * @param waits whether the submission waits for its visitor
 */
export function deliveryShown(
  sent: DeliveryWithAttempts,
  isOff: boolean,
  waits: boolean,
): DeliveryShown {
  const { delivery, attempts, destinationName = null } = sent;
  const { id, kind, recipient, nextTryAt: nextAttemptAt } = delivery;
  const state = toldState(sent);
  const isWaiting = waits && kind !== 'opt_in';
  return {
    ...{ kind, recipient, destinationName, state, nextAttemptAt, isWaiting },
    id: formatUuid(id),
    canBeTried: !isWaiting && state !== 'delivering' && !(isOff && kind === 'webhook'),
    attempts: attempts.map(({ at, durationMs, outcome, code, answer }) => ({
      ...{ at, durationMs, outcome, code, answer },
    })),
  };
}
