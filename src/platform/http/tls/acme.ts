import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/durations.js';
import { AcmeFolder, makeKey } from './acme-folder.js';
import { covers, factsOf } from './key-pair.js';
import { PlainPort } from './plain-port.js';

/** A certificate is renewed when this part of its life is left. */
const RENEW_AT = 1 / 3;
/** Wait after a failed order, in milliseconds; it doubles with each up to the longest. */
const RETRY_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_MS = 6 * HOUR_MS;
/** Longest wait for an answer of the authority, in milliseconds. */
const ANSWER_MS = 30 * SECOND_MS;
/** How often the authority is asked whether it has checked a domain, and how long apart, in milliseconds. */
const POLLS = { backoffAttempts: 10, backoffMin: SECOND_MS, backoffMax: 10 * SECOND_MS };

/** Orders the certificate for ACME_DOMAIN, and renews it, over HTTP-01 challenges (RFC 8555). */
@Injectable()
export class Acme {
  private readonly logger = new Logger('Certificate');
  private failures = 0;
  private notBefore = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly port: PlainPort,
  ) {}

  /** Orders a certificate when there is none, when it is not for all names, or when it is old. */
  async renewIfDue(now: Date): Promise<void> {
    const dueAt = renewalOf(this.config);
    if (now.getTime() < Math.max(dueAt.getTime(), this.notBefore)) return;
    const { acmeDomains: domains, acmeDirectoryUrl: directory } = this.config.tls;
    this.logger.log('Ordering a certificate', { domains, directory });
    const folder = AcmeFolder.of(this.config);
    try {
      await this.order(folder);
      this.failures = 0;
      this.notBefore = -Infinity;
    } catch (error) {
      const waitMs = Math.min(RETRY_MS * 2 ** this.failures++, LONGEST_RETRY_MS);
      this.notBefore = now.getTime() + waitMs;
      const reason = reasonOf(error);
      folder.saveFailure(reason);
      this.logger.error('The certificate could not be ordered', {
        reason,
        retryAt: new Date(this.notBefore).toISOString(),
        hint: `The authority must reach HTTP_PORT ${this.config.tls.httpPort} of this service as port 80 of ${domains.join(', ')}`,
      });
    }
  }

  private async order(folder: AcmeFolder): Promise<void> {
    const { acmeDomains: altNames, acmeDirectoryUrl: directoryUrl, acmeEmail } = this.config.tls;
    await tryDirectory(directoryUrl);
    const { default: acme } = await import('acme-client');
    // By itself it would wait as long as the authority says, without a word.
    const acmeSettings = { retryMaxAttempts: 0 };
    Object.assign(acme.axios.defaults, { timeout: ANSWER_MS, acmeSettings });
    const client = new acme.Client({ directoryUrl, accountKey: folder.accountKey(), ...POLLS });
    const [key, csr] = await acme.crypto.createCsr({ altNames }, makeKey());
    const { challenges } = this.port;
    const cert = await client.auto({
      csr,
      email: acmeEmail,
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // The authority looks from outside; from here the name may lead elsewhere.
      skipChallengeVerification: true,
      challengeCreateFn: ({ identifier }, { token }, keyAuthorization) => {
        challenges.set(token, keyAuthorization);
        this.logger.log('Answering the challenge', { domain: identifier.value });
        return Promise.resolve();
      },
      challengeRemoveFn: (_, { token }) => Promise.resolve(challenges.delete(token)),
    });
    folder.save(cert, key.toString());
  }
}

/** Returns when the certificate is to be renewed: the epoch when there is none for these names. */
export function renewalOf(config: Config): Date {
  const pair = AcmeFolder.of(config).read();
  if (!pair || !config.tls.acmeDomains.every((name) => covers(pair, name))) return new Date(0);
  const { validFrom, validTo } = factsOf(pair);
  const lifeMs = validTo.getTime() - validFrom.getTime();
  return new Date(validTo.getTime() - lifeMs * RENEW_AT);
}

/**
 * Asks whether the authority is there: acme-client hides why it does not respond.
 * @throws Error with the cause
 */
async function tryDirectory(url: string): Promise<void> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.body?.cancel();
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    throw new Error(`${url} does not respond (${reason}).`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return name === 'TypeError' ? 'The authority stopped responding.' : message;
}
