import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { GuardedHttpClient } from '../../platform/http-client/guarded-http-client.js';
import { outcomeOf } from './captcha-answer.js';
import { failed, UNREACHABLE, type CaptchaOutcome } from '../evidence/captcha-outcome.js';
import type { FormCaptcha } from '../evidence/form-captcha.js';

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
