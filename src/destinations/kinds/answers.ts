import type { AttemptResult } from '../../deliveries/model/attempt-result.js';

/** Statuses that stay until a person changes the destination: a secret that is wrong, or a channel that is gone. */
const FINAL: readonly (number | null)[] = [400, 401, 403, 404, 410];

/** Makes a refusal final by which nothing comes of another attempt. */
export function finalBy(ended: AttemptResult): AttemptResult {
  return ended.verdict === 'deferred' && FINAL.includes(ended.code)
    ? { ...ended, verdict: 'refused' }
    : ended;
}

/** Makes a refusal of an answer whose status says that it was taken, and whose body does not. */
export function refusedIn(ended: AttemptResult, isTaken: (body: string) => boolean): AttemptResult {
  if (ended.verdict !== 'delivered' || isTaken(ended.answer ?? '')) return ended;
  return { ...ended, verdict: 'deferred', outcome: 'refused' };
}

/** Reads an object of JSON; an empty one where there is none. */
export function objectIn(body: string | null): Record<string, unknown> {
  try {
    const read = JSON.parse(body ?? '') as unknown;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Adds how long a body asks us to wait, in seconds, where no header said it. */
export function waiting(ended: AttemptResult, seconds: unknown): AttemptResult {
  if (typeof seconds !== 'number' || !(seconds > 0) || ended.verdict !== 'deferred') return ended;
  return { ...ended, retryAfterMs: Math.max(ended.retryAfterMs ?? 0, Math.ceil(seconds * 1_000)) };
}
