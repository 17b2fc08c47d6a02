import { HOUR_MS, MINUTE_MS } from '../../platform/kernel/time/durations.js';
import type { WarningCode } from '../../warnings/warning.js';

/** How long a warning must stand until owners are told, in milliseconds; what is missing is shown on pages alone. */
const PATIENCE_MS: Partial<Record<WarningCode, number>> = {
  form_silent: 0,
  never_connected: 0,
  page_broken: 0,
  canary_failing: 0,
  visitors_refused: 0,
  verdicts_changed: 0,
  spam_rising: 0,
  recipient_bounces: 0,
  origins_refused: HOUR_MS,
  captcha_unverified: HOUR_MS,
  secret_unreadable: HOUR_MS,
  owner_email_failing: HOUR_MS,
  submitter_email_failing: HOUR_MS,
  webhook_failing: HOUR_MS,
  destination_failing: HOUR_MS,
  opt_in_failing: HOUR_MS,
};
/** How long a warning must be gone until that is told, in milliseconds. */
export const OVER_MS = 30 * MINUTE_MS;
/** Warnings of silence, which say little while the whole service hears nothing. */
const OF_SILENCE: readonly WarningCode[] = ['form_silent', 'never_connected'];

/** Returns how long a warning must stand until it is told; null for never. */
export function patienceOf(code: WarningCode): number | null {
  return PATIENCE_MS[code] ?? null;
}

export function isOfSilence(code: WarningCode): boolean {
  return OF_SILENCE.includes(code);
}
