import { gauge, Measured } from '../../metrics/metrics.js';
import { Injectable, type BeforeApplicationShutdown, Logger, type OnModuleInit } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:https';
import { isHostAmong, parseHostName } from '../../config/settings.js';
import { Config, ConfigError } from '../../config/config.js';
import { boundedOptions, boundServer } from '../requests/requests.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS, Clock } from '../../kernel/time.js';
import {
  AcmeFolder,
  makeKey,
  covers,
  factsOf,
  doubtsOf,
  readKeyPair,
  type CertificateFacts,
  type KeyPair,
} from './key-pair.js';

const CHALLENGES = '/.well-known/acme-challenge/';

/** Listens on HTTP_PORT: answers the challenges of an authority, and sends everybody else to https. */
@Injectable()
export class PlainPort implements BeforeApplicationShutdown {
  /** Token of each challenge that is under way -> its answer. */
  readonly challenges = new Map<string, string>();
  private readonly server;

  constructor(private readonly config: Config) {
    this.server = createServer(boundedOptions(config), (request, response) => {
      this.answer(request, response);
    });
  }

  /** Begins to listen, unless there is no HTTP_PORT. */
  async open() {
    const { tls, host } = this.config;
    if (tls.httpPort === undefined) return;
    boundServer(this.server, this.config);
    this.server.listen(tls.httpPort, host);
    await once(this.server, 'listening');
  }

  async beforeApplicationShutdown() {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer({ method = '', url = '/', headers }: IncomingMessage, response: ServerResponse) {
    if (url.startsWith(CHALLENGES)) {
      const answer = this.challenges.get(url.slice(CHALLENGES.length));
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'text/plain' });
      response.end(answer ?? 'No certificate is being ordered with this challenge.\n');
      return;
    }
    // 308 keeps the method and the body of a form that still names http.
    const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
    response.writeHead(status, { Location: this.targetOf(headers.host) + path, 'Content-Length': 0 }).end();
  }

  /** Returns where a request goes on: to its own host if clients can have that, else to BASE_URL. */
  private targetOf(host = '') {
    const name = parseHostName(host.replace(/:\d+$/, ''));
    if (name === null || !isHostAmong(name, this.config.http.hosts)) return this.config.baseUrl;
    const { port } = new URL(this.config.baseUrl);
    return `https://${name}${port === '' ? '' : `:${port}`}`;
  }
}

/** A certificate is renewed when this part of its life is left. */
const RENEW_AT = 1 / 3;
/** Wait after a failed order, in milliseconds; it doubles with each up to the longest. */
const RETRY_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_MS = 6 * HOUR_MS;
/** Longest wait for an answer of the authority, in milliseconds. */
const ANSWER_MS = 30 * SECOND_MS;
/** How often the authority is asked whether it has checked a domain, and how long apart, in milliseconds. */
const POLLS = { backoffAttempts: 10, backoffMin: SECOND_MS, backoffMax: 10 * SECOND_MS };

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
async function tryDirectory(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.body?.cancel();
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    throw new Error(`${url} does not respond (${reason}).`, { cause: error });
  }
}

function reasonOf(error: unknown) {
  const { name, message } = error as Error;
  return name === 'TypeError' ? 'The authority stopped responding.' : message;
}

/** How often the certificate is looked at, in milliseconds: whether its files changed, or it is to be renewed. */
const LOOK_EVERY_MS = MINUTE_MS;

/** Gives the server its certificate, and a new one as soon as there is one; open connections go on. */
@Injectable()
export class Certificates implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Certificate');
  private served: KeyPair | null = null;
  private refused = '';
  private timer?: NodeJS.Timeout;
  private looking: Promise<void> | null = null;
  private failures = 0;
  private notBefore = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly adapter: HttpAdapterHost,
    private readonly port: PlainPort,
  ) {}

  /** Facts of the certificate that is served; null without TLS, and before the first certificate. */
  get facts(): CertificateFacts | null {
    return this.served && factsOf(this.served);
  }

  @Measured()
  metrics() {
    const { facts } = this;
    return [
      gauge(
        'fcs_certificate_expires_seconds',
        'How long the certificate that this process serves is still valid; only with TLS_CERT or ACME_DOMAIN.',
        facts && (facts.validTo.getTime() - Date.now()) / 1_000,
      ),
    ];
  }

  /** Gives the server its certificate before it listens. The command line has no server. */
  onModuleInit() {
    if (this.config.tls.isOn && (this.adapter.httpAdapter as unknown)) this.load();
  }

  /** Opens HTTP_PORT, and begins to look after the certificate. */
  async begin() {
    if (!this.config.tls.isOn) return;
    await this.port.open();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void this.look();
  }

  beforeApplicationShutdown() {
    clearInterval(this.timer);
  }

  /** Renews the certificate if it is due, and serves what is new. */
  look(now = this.clock.now()) {
    this.looking ??= this.lookNow(now).finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookNow(now: Date) {
    try {
      if (this.config.tls.acmeDomains.length > 0) await this.renewIfDue(now);
      this.load();
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : String(error);
      // Said once: the files may stay as they are for long.
      if (reason !== this.refused)
        this.logger.error('The new certificate cannot be used; the old one stays', { reason });
      this.refused = reason;
    }
  }

  /** Serves what the files have now. */
  private load() {
    const pair = readKeyPair(this.config);
    if (!pair || (pair.cert === this.served?.cert && pair.key === this.served.key)) return;
    (this.adapter.httpAdapter.getHttpServer() as Server).setSecureContext(pair);
    this.served = pair;
    this.refused = '';
    const { names, issuer, validTo } = factsOf(pair);
    this.logger.log('Serving a certificate', { names, issuer, validTo: validTo.toISOString() });
    for (const doubt of doubtsOf(pair, this.config, this.clock.now())) this.logger.warn(`The certificate ${doubt}`);
  }

  /** Orders a certificate when there is none, when it is not for all names, or when it is old. */
  async renewIfDue(now: Date) {
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

  private async order(folder: AcmeFolder) {
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
