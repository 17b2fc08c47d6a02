import type { Form } from '../forms/form.entity.js';
import type { SpamFinding } from './spam-finding.js';

const REASON_MAX = 255;

/** The facts that a submission is judged by, besides the settings of its form. */
export interface SpamEvidence {
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** Origin of the page it was sent from; null when the browser did not send it. */
  origin: string | null;
}

/**
 * Judges a submission, the same for every encoding. Spam is kept and explained, never refused.
 * @returns why it is spam; null when it is not
 */
export function spamVerdict(
  form: Pick<Form, 'whitelistedDomains'>,
  { honeypot, origin }: SpamEvidence,
): SpamFinding | null {
  if (honeypot !== null) {
    return { code: 'honeypot', reason: `The honeypot field "${honeypot}" was filled in.` };
  }
  if (form.whitelistedDomains === null) return null;
  if (origin === null) {
    return {
      code: 'origin_unknown',
      reason:
        'The browser did not say which page it was sent from, and this form only accepts certain domains.',
    };
  }
  if (allowsOrigin(form, origin)) return null;
  const reason = `It was sent from ${origin}, which is not among the allowed domains.`;
  return { code: 'origin_not_allowed', reason: reason.slice(0, REASON_MAX) };
}

/** Tells whether the allowed domains of a form take an origin; they do not take an unknown one. */
export function allowsOrigin(
  { whitelistedDomains: domains }: Pick<Form, 'whitelistedDomains'>,
  origin: string | null,
): boolean {
  if (domains === null) return true;
  return origin !== null && domains.split(',').some((entry) => isFrom(origin, entry));
}

/** Tells whether an origin matches an entry of the list: an origin, a host, or all hosts below one. */
function isFrom(origin: string, entry: string): boolean {
  if (entry.includes('://')) return origin === entry;
  // A stored origin may be cut.
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).hostname.replace(/\.$/, '');
  return entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry;
}
