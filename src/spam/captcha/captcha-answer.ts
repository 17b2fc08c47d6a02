import { takesHost } from '../signals/origin.js';
import {
  failed,
  misconfigured,
  PASS,
  UNREACHABLE,
  type CaptchaFailure,
  type CaptchaOutcome,
} from '../evidence/captcha-outcome.js';
import type { FormCaptcha } from '../evidence/form-captcha.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/** Words of providers about tokens. The same words have the same meaning at all of them. */
const OF_TOKENS = new Map<string, CaptchaFailure>([
  ['missing-input-response', 'refused'],
  ['invalid-input-response', 'refused'],
  ['response_invalid', 'refused'],
  ['response_missing', 'refused'],
  ['timeout-or-duplicate', 'expired'],
  ['expired-input-response', 'expired'],
  ['already-seen-response', 'expired'],
  ['invalid-or-already-seen-response', 'expired'],
  ['response_timeout', 'expired'],
  ['response_duplicate', 'expired'],
]);
/** Their words about the keys of a form, for which no visitor can be blamed. */
const OF_KEYS = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'invalid-sitekey',
  'not-using-dummy-passcode',
  'not-using-dummy-secret',
  'auth_required',
  'auth_invalid',
  'sitekey_invalid',
]);
const TOO_MANY = 429;

type Members = Record<string, unknown>;

/**
 * Reads what a provider answers about a token. Whatever is not understood says nothing about the visitor.
 * @param domains that the form may be sent from, with commas between; null for all
 */
export function outcomeOf(
  { status, body }: { status: number; body: string },
  captcha: FormCaptcha,
  domains: string | null,
): CaptchaOutcome {
  const isJudged = status === 200 || (status >= 400 && status < 500 && status !== TOO_MANY);
  const answer = isJudged ? objectIn(body) : null;
  if (answer === null) return UNREACHABLE;
  if (answer.success === true && status === 200) return checked(answer, captcha, domains);
  return answer.success === false ? refused(errorsOf(answer)) : UNREACHABLE;
}

function refused(errors: readonly string[]): CaptchaOutcome {
  const ofKeys = errors.find((error) => OF_KEYS.has(error));
  if (ofKeys !== undefined) return misconfigured(ofKeys);
  const ofToken = errors.flatMap((error) => OF_TOKENS.get(error) ?? [])[0];
  return ofToken === undefined ? UNREACHABLE : failed(ofToken);
}

/** Checks that a good token was made for this form: the key that makes tokens is public. */
function checked(
  answer: Members,
  { provider, action, minScore }: FormCaptcha,
  domains: string | null,
): CaptchaOutcome {
  const host = hostIn(answer);
  if (host !== null && !takesHost(domains, host)) return failed('elsewhere');
  const isNamed = provider === 'turnstile' || provider === 'recaptcha_v3';
  if (isNamed && action !== null && answer.action !== action) return failed('other_use');
  if (provider !== 'recaptcha_v3') return PASS;
  if (typeof answer.score !== 'number') return misconfigured('keys of another version');
  return answer.score < minScore ? failed('low') : PASS;
}

/** Returns the host of the page with the widget; null where the provider does not tell. */
function hostIn({ hostname, data }: Members): string | null {
  if (typeof hostname === 'string') return hostname === '' ? null : hostname;
  const challenge = isObject(data) ? data.challenge : null;
  const origin = isObject(challenge) ? challenge.origin : null;
  if (typeof origin !== 'string' || origin === '') return null;
  return parseUrl(origin)?.hostname ?? origin;
}

function errorsOf(answer: Members): string[] {
  const codes: unknown = answer['error-codes'];
  const { error } = answer;
  const all: unknown[] = Array.isArray(codes) ? codes : [isObject(error) ? error.error_code : null];
  return all.filter((code) => typeof code === 'string');
}

function objectIn(body: string): Members | null {
  try {
    const answer: unknown = JSON.parse(body);
    return isObject(answer) ? answer : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
