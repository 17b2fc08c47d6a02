import { cutAt } from '../../platform/kernel/text/beginning.js';

/** Longest reason of a verdict, in characters. */
const REASON_MAX = 255;

/** Returns a reason as long as a verdict takes. */
export function shortReason(reason: string): string {
  return cutAt(reason, REASON_MAX - 1);
}
