import type { TimelineEntry } from '../../triage/timeline/timeline.service.js';
import type { words } from '../words.js';

/** A delivery with its attempts. */
export interface DeliveryShown {
  id: string;
  kind: keyof typeof words.submission.kinds;
  recipient: string;
  /** Name of its destination; null for none. */
  destinationName: string | null;
  state: keyof typeof words.submission.states;
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
