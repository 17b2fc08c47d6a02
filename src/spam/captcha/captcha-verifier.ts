import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { GuardedHttpClient } from '../../platform/http-client/guarded-http-client.js';
import {
  failed,
  UNREACHABLE,
  type CaptchaOutcome,
  misconfigured,
  PASS,
  type CaptchaFailure,
} from '../evidence/spam-evidence.js';
import type { FormCaptcha } from '../evidence/form-captcha.js';
import { takesHost } from '../signals/origin.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/** Longer text is no token, in characters; those of some providers have up to 4,000. */
const TOKEN_MAX = 8_192;
/** Tokens that are verified at a time; others wait, for as long as their visitors do. */
const CONNECTIONS = 32;

/** A question to a provider. The secret is in its head or body, since addresses are logged. */
interface Question {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Asks providers about tokens. The visitor's address is not given to them. */
@Injectable()
export class CaptchaVerifier implements OnApplicationShutdown {
  private readonly http: GuardedHttpClient;

  constructor(private readonly config: Config) {
    this.http = new GuardedHttpClient(config, CONNECTIONS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.http.onApplicationShutdown();
  }

  /**
   * Verifies a token, once: after an answer that was lost the provider would say that it is used. Does not throw.
   * @param domains that the form may be sent from, with commas between; null for all
   * @param late aborts the call
   */
  async verify(
    captcha: FormCaptcha,
    token: string,
    domains: string | null,
    late: AbortSignal,
  ): Promise<CaptchaOutcome> {
    if (token.length > TOKEN_MAX) return failed('refused');
    const { url, headers, body } = this.ask(captcha, token);
    try {
      return outcomeOf(await this.http.post(url, headers, body, late), captcha, domains);
    } catch {
      return UNREACHABLE;
    }
  }

  private ask({ provider, siteKey, secret }: FormCaptcha, response: string): Question {
    const urls = this.config.captcha;
    switch (provider) {
      case 'turnstile':
        return posted(urls.turnstileUrl, { secret, response });
      case 'hcaptcha':
        return posted(urls.hcaptchaUrl, { secret, response, sitekey: siteKey });
      case 'recaptcha_v2':
      case 'recaptcha_v3':
        return posted(urls.recaptchaUrl, { secret, response });
      case 'friendly_captcha':
        return {
          url: urls.friendlyCaptchaUrl,
          headers: { 'content-type': 'application/json', 'x-api-key': secret },
          body: JSON.stringify({ response, sitekey: siteKey }),
        };
    }
  }
}

function posted(url: string, fields: Record<string, string>): Question {
  return {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

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
function outcomeOf(
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
