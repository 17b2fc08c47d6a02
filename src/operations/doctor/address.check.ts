import { Injectable } from '@nestjs/common';
import { relyingPartyOf } from '../../people/credentials/relying-party.js';
import { Config } from '../../platform/config/config.js';
import type { Check, Outcome } from './check.js';

/** How long an answer is waited for, in milliseconds. */
const TIMEOUT_MS = 5_000;
const PASSKEYS_OFF =
  'Passkeys are off, because browsers require an https:// address with a host name, or localhost.';
/** Host names of the machine itself. */
const LOCAL = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/;

/**
 * Checks that BASE_URL leads to this service from here. No answer is only a warning: the service need not
 * run meanwhile, and some networks do not let a machine call itself. Another service that answers is a
 * failure, since links in mails lead there.
 */
@Injectable()
export class AddressCheck implements Check {
  readonly name = 'address';
  readonly settings = ['BASE_URL'];

  constructor(private readonly config: Config) {}

  async run(): Promise<Outcome> {
    const url = `${this.config.baseUrl}/health/live`;
    let response: Response;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      response = await fetch(url, { redirect: 'manual', signal });
    } catch (error) {
      return {
        state: 'warning',
        detail: `${url} does not respond (${reasonOf(error)}). Check BASE_URL and the proxy.`,
      };
    }
    const text = await response.text().catch(() => '');
    if (response.status === 200 && text.startsWith('{"status":"ok"')) return this.judge(url);
    const detail = `${url} answers ${response.status}, and not from this service. Set BASE_URL to the address that visitors use.`;
    // A proxy answers 5xx while its service is not running.
    return { state: response.status >= 500 ? 'warning' : 'failed', detail };
  }

  /** Judges an address that leads here from this machine, but perhaps not from where mails are read. */
  private judge(url: string): Outcome {
    const { baseUrl, mail } = this.config;
    const { hostname, protocol } = new URL(baseUrl);
    const answered = `This service answers at ${url}.`;
    const isLocal = LOCAL.test(hostname);
    const passkeys = relyingPartyOf(baseUrl) ? '' : ` ${PASSKEYS_OFF}`;
    if (isLocal && mail.smtpUrl !== undefined && !LOCAL.test(new URL(mail.smtpUrl).hostname)) {
      const detail = `${answered} Links in emails work only on this machine. Set BASE_URL to the address that visitors use.`;
      return { state: 'warning', detail };
    }
    if (!isLocal && protocol === 'http:') {
      const detail = `${answered} Passwords and session cookies travel unencrypted. Set up HTTPS by a proxy, by ACME_DOMAIN or by TLS_CERT, and set BASE_URL to the https:// address.${passkeys}`;
      return { state: 'warning', detail };
    }
    return { state: 'ok', detail: answered + passkeys };
  }
}

/** Returns the cause, which fetch hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    cause?: { code?: string; message?: string };
    message: string;
  };
  return cause?.code ?? cause?.message ?? message;
}
