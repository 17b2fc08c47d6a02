import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/kernel/time.js';

/**
 * Waits before the second and each further attempt, in milliseconds: 75 hours in all (Standard Webhooks
 * 1.0.0).
 */
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
/**
 * Largest share of a wait that is added at random, so that deliveries which failed together do not return
 * together.
 */
const JITTER = 0.1;
/** Longest wait that a receiver may ask for, in milliseconds. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Attempts of the schedule before a delivery fails. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/**
 * Returns when to attempt it again.
 * @param attempts how many were made so far
 * @param retryAfterMs how long the receiver asked us to wait
 */
export function nextAttemptAt(attempts: number, retryAfterMs: number | null, now: Date): Date {
  const wait = WAITS_MS[Math.max(attempts - 1, 0)] ?? 0;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return new Date(now.getTime() + Math.max(wait * (1 + Math.random() * JITTER), asked));
}
