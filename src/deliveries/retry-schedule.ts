const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits before the second and each further try (Standard Webhooks 1.0.0, 75 hours in all). */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Share of a wait that is added at random, so that what failed together does not return together. */
const JITTER = 0.1;
/** A receiver may ask for more patience, up to this. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Tries of the schedule before a delivery is given up. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/**
 * When to try again.
 * @param tries that have been made
 * @param retryAfterMs what the receiver asked for
 */
export function nextAttemptAt(tries: number, retryAfterMs: number | null, now: Date): Date {
  const wait = WAITS_MS[Math.max(tries - 1, 0)] ?? 0;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return new Date(now.getTime() + Math.max(wait * (1 + Math.random() * JITTER), asked));
}
