import { Injectable } from '@nestjs/common';
import { relyingPartyOf } from '../../people/credentials/ceremonies.service.js';
import { Config, Clock, OidcClient } from '../../platform/index.js';
import { ChecksService, type Outcome, warns, passes, fails } from './check.js';
import {
  AcmeFolder,
  daysLeft,
  daysText,
  doubtsOf,
  factsOf,
  readKeyPair,
  renewalOf,
} from '../../platform/http/index.js';

/** How long an answer is waited for, in milliseconds. */
const TIMEOUT_MS = 5_000;
const PASSKEYS_OFF = 'Passkeys are off, because browsers require an https:// address with a host name, or localhost.';
/** Host names of the machine itself. */
const LOCAL = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/;

/** Checks how visitors and providers reach the service. */
@Injectable()
export class AddressChecks {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly provider: OidcClient,
  ) {}

  /**
   * Checks that BASE_URL leads to this service from here. No answer is only a warning: the service need not run meanwhile,
   * and some networks do not let a machine call itself. Another service that answers is a failure, since links in mails
   * lead there.
   */
  @ChecksService({ name: 'address', settings: ['BASE_URL'], isSlow: true })
  async address(): Promise<Outcome> {
    const url = `${this.config.baseUrl}/health/live`;
    let response: Response;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      response = await fetch(url, { redirect: 'manual', signal });
    } catch (error) {
      return warns(`${url} does not respond (${reasonOf(error)}). Check BASE_URL and the proxy.`);
    }
    const text = await response.text().catch(() => '');
    if (response.status === 200 && text.startsWith('{"status":"ok"')) return this.judge(url);
    const detail = `${url} answers ${response.status}, and not from this service. Set BASE_URL to the address that visitors use.`;
    // A proxy answers 5xx while its service is not running.
    return { state: response.status >= 500 ? 'warning' : 'failed', detail };
  }

  /** Checks that the certificate is valid for a while, and that its renewal works. */
  @ChecksService({ name: 'certificate', settings: ['TLS_CERT', 'TLS_KEY', 'ACME_DOMAIN'] })
  certificate(): Outcome {
    const now = this.clock.now();
    const { tls } = this.config;
    if (!tls.isOn) {
      return passes('Neither TLS_CERT nor ACME_DOMAIN is set. HTTPS is left to a proxy.');
    }
    const pair = readKeyPair(this.config);
    const failure = tls.acmeDomains.length > 0 ? AcmeFolder.of(this.config).failure : null;
    const failed = failure === null ? '' : ` The last order failed: ${failure}`;
    if (!pair) {
      return fails(`There is no certificate for ${tls.acmeDomains.join(', ')} yet.${failed}`);
    }
    const facts = factsOf(pair);
    const days = daysLeft(facts, now);
    const doubts = doubtsOf(pair, this.config, now).map((doubt) => `The certificate ${doubt}.`);
    const detail = [
      `The certificate for ${facts.names.join(', ')} from ${facts.issuer} is valid for ${daysText(Math.max(days, 0))}.`,
      ...doubts,
      this.renewal(),
    ].join(' ');
    const isDoubtful = doubts.length > 0 || failure !== null;
    return { state: days < 0 ? 'failed' : isDoubtful ? 'warning' : 'ok', detail: detail + failed };
  }

  private renewal() {
    const { certFile, acmeDomains } = this.config.tls;
    if (acmeDomains.length === 0) return `Renew ${certFile} before: the service reads the new file within a minute.`;
    const at = renewalOf(this.config).toISOString().slice(0, 10);
    return `The service renews it from ${at} on.`;
  }

  /** Asks the OpenID Connect provider for its configuration. */
  @ChecksService({
    name: 'sign-in provider',
    settings: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    isSlow: true,
  })
  async oidc(): Promise<Outcome> {
    const { issuer } = this.config.oidc;
    if (issuer === undefined) {
      return passes('OIDC_ISSUER is not set. Sign-in with an identity provider is off.');
    }
    try {
      await this.provider.verify();
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
      return fails(
        `${issuer} does not respond as an identity provider: ${reason}. Other ways to sign in work. Check OIDC_ISSUER and the firewall.`,
      );
    }
    const { redirectUri } = this.provider;
    return passes(`${issuer} responds. Register ${redirectUri} there as a redirect URI.`);
  }

  /** Judges an address that leads here from this machine, but perhaps not from where mails are read. */
  private judge(url: string) {
    const { baseUrl, mail } = this.config;
    const { hostname, protocol } = new URL(baseUrl);
    const answered = `This service answers at ${url}.`;
    const isLocal = LOCAL.test(hostname);
    const passkeys = relyingPartyOf(baseUrl) ? '' : ` ${PASSKEYS_OFF}`;
    if (isLocal && mail.smtpUrl !== undefined && !LOCAL.test(new URL(mail.smtpUrl).hostname)) {
      return warns(
        `${answered} Links in emails work only on this machine. Set BASE_URL to the address that visitors use.`,
      );
    }
    if (!isLocal && protocol === 'http:') {
      return warns(
        `${answered} Passwords and session cookies travel unencrypted. Set up HTTPS by a proxy, by ACME_DOMAIN or by TLS_CERT, and set BASE_URL to the https:// address.${passkeys}`,
      );
    }
    return passes(answered + passkeys);
  }
}

/** Returns the cause, which fetch hides behind "fetch failed". */
function reasonOf(error: unknown) {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
