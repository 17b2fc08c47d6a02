import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/index.js';
import { DAY_MS, HOUR_MS, Config, GuardedHttpClient, parseUrl } from '../../platform/index.js';
import { CaptchaTrouble } from './captcha-trouble.entity.js';
import { CaptchaTroublesRepository } from './captcha-troubles.repository.js';
import { Projected, type Projection } from '../../forms/projections.js';
import {
  failed,
  UNREACHABLE,
  type CaptchaOutcome,
  misconfigured,
  PASS,
  type CaptchaFailure,
  type FormCaptcha,
  type SpamEvidence,
  type FormRules,
  type FoundPart,
  type SlowSignal,
} from '../evidence/spam-evidence.js';
import { takesHost } from '../signals/origin.js';
import { captcha } from '../signals/captcha.js';
import { UNKNOWN_SHARE } from '../evidence/verdict.js';

/** How long one is told of, and how often it is written while it lasts, in milliseconds. */
const RECENT_MS = DAY_MS;
const AGAIN_MS = HOUR_MS;
/** Forms whose trouble is remembered here; beyond it they are written again. */
const NOTED_MAX = 1_000;

/** Remembers which forms have a captcha whose keys the provider refuses. */
@Injectable()
@Projected({ tables: ['captcha_troubles'] })
export class CaptchaTroubles implements Projection {
  /** When this process wrote that a form has trouble, in milliseconds since 1970. */
  private readonly noted = new Map<number, number>();

  constructor(
    private readonly troubles: CaptchaTroublesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Notes that the keys of a form were refused; once an hour is enough. */
  async note(formId: number, code: string) {
    const lastAt = this.unitOfWork.now();
    if ((this.noted.get(formId) ?? 0) > lastAt.getTime() - AGAIN_MS) return;
    if (this.noted.size >= NOTED_MAX) this.noted.clear();
    this.noted.set(formId, lastAt.getTime());
    const trouble = Object.assign(new CaptchaTrouble(), { formId, code, lastAt });
    await this.unitOfWork.run((tx) => this.troubles.in(tx).save(trouble));
  }

  /** Notes that they were taken after all. */
  async clear(formId: number) {
    if (this.noted.has(formId)) await this.forgetForm(formId);
  }

  /** Returns what providers said of the keys of these forms lately, by the form; without those where all is well. */
  async recentAmong(formIds: readonly number[]): Promise<Map<number, string>> {
    const from = new Date(this.unitOfWork.now().getTime() - RECENT_MS);
    const found = await this.troubles.listSince(formIds, from);
    return new Map(found.map(({ formId, code }) => [formId, code]));
  }

  /** Removes the trouble of a form that is deleted, or has new keys. */
  async forgetForm(formId: number) {
    this.noted.delete(formId);
    await this.unitOfWork.run((tx) => this.troubles.in(tx).remove(formId));
  }
}

/** Longer text is no token, in characters; some providers' tokens have up to 4,000. */
const TOKEN_MAX = 8_192;
/** Tokens that are verified at a time; others wait, for as long as their visitors do. */
const CONNECTIONS = 32;

/** A question to a provider. The secret is in its head or body, since addresses are logged. */
interface Question {
  url: string;
  headers: Record<string, string>;
  body: string;
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
function outcomeOf({ status, body }: { status: number; body: string }, captcha: FormCaptcha, domains: string | null) {
  const isJudged = status === 200 || (status >= 400 && status < 500 && status !== TOO_MANY);
  const answer = isJudged ? objectIn(body) : null;
  if (answer === null) return UNREACHABLE;
  if (answer.success === true && status === 200) return checked(answer, captcha, domains);
  return answer.success === false ? refused(errorsOf(answer)) : UNREACHABLE;
}

function refused(errors: readonly string[]) {
  const ofKeys = errors.find((error) => OF_KEYS.has(error));
  if (ofKeys !== undefined) return misconfigured(ofKeys);
  const ofToken = errors.flatMap((error) => OF_TOKENS.get(error) ?? [])[0];
  return ofToken === undefined ? UNREACHABLE : failed(ofToken);
}

/** Checks that a good token was made for this form: the key that makes tokens is public. */
function checked(answer: Members, { provider, action, minScore }: FormCaptcha, domains: string | null) {
  const host = hostIn(answer);
  if (host !== null && !takesHost(domains, host)) return failed('elsewhere');
  const isNamed = provider === 'turnstile' || provider === 'recaptcha_v3';
  if (isNamed && action !== null && answer.action !== action) return failed('other_use');
  if (provider !== 'recaptcha_v3') return PASS;
  if (typeof answer.score !== 'number') return misconfigured('keys of another version');
  return answer.score < minScore ? failed('low') : PASS;
}

/** Returns the host of the page with the widget; null where the provider does not tell. */
function hostIn({ hostname, data }: Members) {
  if (typeof hostname === 'string') return hostname === '' ? null : hostname;
  const challenge = isObject(data) ? data.challenge : null;
  const origin = isObject(challenge) ? challenge.origin : null;
  if (typeof origin !== 'string' || origin === '') return null;
  return parseUrl(origin)?.hostname ?? origin;
}

function errorsOf(answer: Members) {
  const codes: unknown = answer['error-codes'];
  const { error } = answer;
  const all: unknown[] = Array.isArray(codes) ? codes : [isObject(error) ? error.error_code : null];
  return all.filter((code) => typeof code === 'string');
}

function objectIn(body: string) {
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

const REASONS: Record<CaptchaFailure, string> = {
  missing: 'The captcha is missing.',
  refused: 'The captcha was not solved.',
  expired: 'The captcha has expired or was used before.',
  elsewhere: 'The captcha was solved on a page outside the allowed domains.',
  other_use: 'The captcha was solved for another action.',
  low: 'The captcha rates the visitor as a bot.',
};
const PROVIDER_UNREACHABLE = 'The captcha could not be verified because the provider did not respond.';

/**
 * Says that a captcha was not solved. It is asked for at last, and only what is not spam yet: a provider takes a token
 * once. What cannot be verified is held, whatever the signal is worth, and is worth no more than that.
 */
@Injectable()
export class CaptchaSignal implements SlowSignal, OnApplicationShutdown {
  readonly name = captcha.name;
  readonly points = captcha.points;
  readonly enabled = captcha.enabled;
  readonly last = true;
  private readonly http: GuardedHttpClient;

  constructor(
    private readonly troubles: CaptchaTroubles,
    private readonly config: Config,
  ) {
    this.http = new GuardedHttpClient(config, CONNECTIONS);
  }

  readonly isUsedBy = (settings: FormRules): boolean => settings.captcha !== null;

  readonly look = async (
    { form, captcha: token }: SpamEvidence,
    settings: FormRules,
    late: AbortSignal,
  ): Promise<FoundPart | null> => {
    const { captcha: shown, allowedDomains } = settings;
    if (shown === null || token === null) return null;
    const outcome = await token.once((text) => this.verify(shown, text, allowedDomains, late));
    if (outcome.is === 'unknown') {
      if (outcome.trouble === null) return held(settings, PROVIDER_UNREACHABLE);
      await this.troubles.note(form.id, outcome.trouble);
      return held(settings, `The captcha could not be verified: ${outcome.trouble}.`);
    }
    await this.troubles.clear(form.id);
    return outcome.is === 'pass' ? null : settings.part(this.name, REASONS[outcome.why]);
  };

  readonly unanswered = (settings: FormRules): FoundPart => held(settings, PROVIDER_UNREACHABLE);

  onApplicationShutdown() {
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

function held(settings: FormRules, reason: string): FoundPart {
  return { ...settings.part(captcha.name, reason, UNKNOWN_SHARE), holds: true };
}
