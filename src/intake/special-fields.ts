import type { JsonMember } from '../platform/kernel/json-text.js';
import type { RawSubmission } from './raw-submission.js';

/** Hidden from people by the page; only bots fill one in. */
const HONEYPOTS = new Set(['formbackend_nono', '_gotcha']);
/** Put into the form by captcha scripts. */
const CAPTCHA_TOKENS = new Set([
  'g-recaptcha-response',
  'h-captcha-response',
  'cf-turnstile-response',
]);
/** Says when the page was opened; see `FormTokens`. */
export const TOKEN_FIELD = '_token';
const IDEMPOTENCY_KEY = '_idempotency_key';
const BLANK = new Set(['""', 'null', 'false', '[]', '{}']);

/** The visitor's fields, and the values of the page's special fields. */
export interface ParsedSubmission extends RawSubmission {
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** Of the form; null without. */
  token: string | null;
  idempotencyKey: string | null;
}

/**
 * Separates the known special fields; every other field stays, whatever its name.
 * @param own names of honeypots that the form has beside those of all forms
 */
export function extractSpecialFields(
  { members, files }: RawSubmission,
  own: readonly string[],
): ParsedSubmission {
  const kept: JsonMember[] = [];
  let honeypot: string | null = null;
  let token: string | null = null;
  let idempotencyKey: string | null = null;
  for (const member of members) {
    if (HONEYPOTS.has(member.name) || own.includes(member.name)) {
      if (!BLANK.has(member.json)) honeypot ??= member.name;
    } else if (member.name === TOKEN_FIELD) {
      if (!BLANK.has(member.json)) token = textOf(member.json);
    } else if (member.name === IDEMPOTENCY_KEY) {
      if (!BLANK.has(member.json)) idempotencyKey = textOf(member.json);
    } else if (!CAPTCHA_TOKENS.has(member.name)) kept.push(member);
  }
  return { members: kept, files, honeypot, token, idempotencyKey };
}

function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}
