import type { Sums } from '../../statistics/counts/sums.js';

/** Returns which part of what came was spam, from 0 to 1; 0 where nothing came. */
export function spamShare({ submissions, spam }: Sums): number {
  return spam === 0 ? 0 : spam / (submissions + spam);
}

/** Counts the deliveries that were given up. */
export function failedOf({ mailsFailed, callsFailed }: Sums): number {
  return mailsFailed + callsFailed;
}
