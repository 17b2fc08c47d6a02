import { Injectable } from '@nestjs/common';
import { relyingPartyOf } from '../../people/credentials/relying-party.js';
import { Config } from '../../platform/config/config.js';
import type { Check, Outcome } from './check.js';

/** How long an answer is waited for, in milliseconds. */
const TIMEOUT_MS = 5_000;
const PASSKEYS_OFF =
  'Passkeys are off: browsers keep them for an https:// address with a name, or for localhost.';
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
      return { state: 'warning', detail: `Nobody answers at ${url} (${reasonOf(error)}).` };
    }
    const text = await response.text().catch(() => '');
    if (response.status === 200 && text === '{"status":"ok"}') return this.judge(url);
    const detail = `${url} is answered ${response.status}, not by this service; set BASE_URL to where visitors reach it.`;
    // A proxy answers 5xx while its service is not running.
    return { state: response.status >= 500 ? 'warning' : 'failed', detail };
  }

  /** Judges an address that leads here from this machine, but perhaps not from where mails are read. */
  private judge(url: string): Outcome {
    const { baseUrl, mail } = this.config;
    const { hostname, protocol } = new URL(baseUrl);
    const answered = `${url} is answered by this service.`;
    const isLocal = LOCAL.test(hostname);
    const passkeys = relyingPartyOf(baseUrl) ? '' : ` ${PASSKEYS_OFF}`;
    if (isLocal && mail.smtpUrl !== undefined && !LOCAL.test(new URL(mail.smtpUrl).hostname)) {
      const detail = `${answered} Links in mails lead nowhere elsewhere: set BASE_URL to where visitors reach it.`;
      return { state: 'warning', detail };
    }
    if (!isLocal && protocol === 'http:') {
      const detail = `${answered} Passwords and the cookies of sessions are sent unencrypted: put a proxy with TLS in front and set BASE_URL to its https:// address.${passkeys}`;
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
