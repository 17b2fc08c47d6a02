import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answers, WebhookReceiver, type Behaviour, type ReceivedCall } from './webhook-receiver.js';

export const SITE_KEY = 'site-key';
export const SECRET = 'a-secret-key';

/** A token that a provider gave to a page. */
interface Given {
  hostname: string;
  action: string;
  score: number;
  /** Tells whether it is too late for it. */
  isOver: boolean;
}

/** The providers, each by the path that it answers at. */
const STUBS = {
  turnstile: '/turnstile',
  hcaptcha: '/hcaptcha',
  recaptcha_v2: '/recaptcha',
  recaptcha_v3: '/recaptcha',
  friendly_captcha: '/friendly',
} as const;

/** How each of them says that a token is unknown, used or too old. */
const WORDS: Record<string, [unknown: string, used: string, over: string]> = {
  '/turnstile': ['invalid-input-response', 'timeout-or-duplicate', 'timeout-or-duplicate'],
  '/hcaptcha': ['invalid-input-response', 'already-seen-response', 'expired-input-response'],
  '/recaptcha': ['invalid-input-response', 'timeout-or-duplicate', 'timeout-or-duplicate'],
  '/friendly': ['response_invalid', 'response_duplicate', 'response_timeout'],
};

/** Stands for the providers of captchas: their tables of answers, with tokens that are good once and not for ever. */
export class CaptchaStub {
  private readonly given = new Map<string, Given>();
  private readonly used = new Set<string>();
  private readonly behaviours = new Map<string, Behaviour>();

  private constructor(private readonly receiver: WebhookReceiver) {}

  static async start(): Promise<CaptchaStub> {
    const receiver = await WebhookReceiver.start();
    const stub = new CaptchaStub(receiver);
    receiver.behaviour = (response, request) => {
      const call = receiver.calls.at(-1);
      if (call) stub.answer(response, request.url ?? '', call, request);
    };
    return stub;
  }

  /** The settings of a service that asks here. */
  get settings(): Record<string, string> {
    return {
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      CAPTCHA_TURNSTILE_URL: this.at('/turnstile'),
      CAPTCHA_HCAPTCHA_URL: this.at('/hcaptcha'),
      CAPTCHA_RECAPTCHA_URL: this.at('/recaptcha'),
      CAPTCHA_FRIENDLY_CAPTCHA_URL: this.at('/friendly'),
    };
  }

  get calls(): readonly ReceivedCall[] {
    return this.receiver.calls;
  }

  /** Gives a page a token for a visitor who solved it. */
  solve(given: Partial<Given> = {}): string {
    const token = randomBytes(300).toString('base64url');
    const usual = { hostname: 'shop.test', action: '', score: 0.9, isOver: false };
    this.given.set(token, { ...usual, ...given });
    return token;
  }

  /** Gives a token whose verification ends as a provider's may. */
  trouble(behaviour: Behaviour): string {
    const token = this.solve();
    this.behaviours.set(token, behaviour);
    return token;
  }

  stop(): Promise<void> {
    return this.receiver.close();
  }

  private at(path: string): string {
    return new URL(path, this.receiver.url).href;
  }

  private answer(
    response: ServerResponse,
    path: string,
    { headers, body }: ReceivedCall,
    request: Parameters<Behaviour>[1],
  ): void {
    const isFriendly = path === STUBS.friendly_captcha;
    const asked = isFriendly
      ? new Map(Object.entries(JSON.parse(body) as Record<string, string>))
      : new URLSearchParams(body);
    const token = asked.get('response') ?? '';
    const behaviour = this.behaviours.get(token);
    if (behaviour) {
      behaviour(response, request);
      return;
    }
    const key = isFriendly ? headers['x-api-key'] : asked.get('secret');
    const refused = this.refusalOf(path, key ?? '', asked.get('sitekey') ?? SITE_KEY, token);
    this.used.add(token);
    const given = this.given.get(token);
    const [status, answer] =
      refused === null && given
        ? [200, isFriendly ? friendly(given) : { success: true, ...given, 'error-codes': [] }]
        : isFriendly
          ? [refused === 'auth_invalid' ? 401 : 200, { success: false, error: { error_code: refused } }]
          : [200, { success: false, 'error-codes': [refused] }];
    answers(status, JSON.stringify(answer), { 'content-type': 'application/json' })(response, request);
  }

  private refusalOf(path: string, key: string, siteKey: string, token: string): string | null {
    const [unknown, used, over] = WORDS[path] ?? ['', '', ''];
    if (key !== SECRET) return path === '/friendly' ? 'auth_invalid' : 'invalid-input-secret';
    if (siteKey !== SITE_KEY) return path === '/friendly' ? 'sitekey_invalid' : 'sitekey-secret-mismatch';
    const given = this.given.get(token);
    if (!given) return unknown;
    if (this.used.has(token)) return used;
    return given.isOver ? over : null;
  }
}

function friendly({ hostname }: Given): object {
  const challenge = { timestamp: '2030-01-31T12:00:00Z', origin: `https://${hostname}` };
  return { success: true, data: { event_id: 'ev_1', challenge } };
}
