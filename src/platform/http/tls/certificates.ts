import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:https';
import { Config, ConfigError } from '../../config/config.js';
import { Clock } from '../../kernel/time/clock.js';
import { MINUTE_MS } from '../../kernel/time/durations.js';
import { Acme } from './acme.js';
import { doubtsOf, factsOf, readKeyPair, type CertificateFacts, type KeyPair } from './key-pair.js';
import { PlainPort } from './plain-port.js';

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

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly adapter: HttpAdapterHost,
    private readonly acme: Acme,
    private readonly port: PlainPort,
  ) {}

  /** Facts of the certificate that is served; null without TLS, and before the first certificate. */
  get facts(): CertificateFacts | null {
    return this.served && factsOf(this.served);
  }

  /** Gives the server its certificate before it listens. The command line has no server. */
  onModuleInit(): void {
    if (this.config.tls.isOn && (this.adapter.httpAdapter as unknown)) this.load();
  }

  /** Opens HTTP_PORT, and begins to look after the certificate. */
  async begin(): Promise<void> {
    if (!this.config.tls.isOn) return;
    await this.port.open();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void this.look();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Renews the certificate if it is due, and serves what is new. */
  look(now = this.clock.now()): Promise<void> {
    this.looking ??= this.lookNow(now).finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookNow(now: Date): Promise<void> {
    try {
      if (this.config.tls.acmeDomains.length > 0) await this.acme.renewIfDue(now);
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
  private load(): void {
    const pair = readKeyPair(this.config);
    if (!pair || (pair.cert === this.served?.cert && pair.key === this.served.key)) return;
    (this.adapter.httpAdapter.getHttpServer() as Server).setSecureContext(pair);
    this.served = pair;
    this.refused = '';
    const { names, issuer, validTo } = factsOf(pair);
    this.logger.log('Serving a certificate', { names, issuer, validTo: validTo.toISOString() });
    for (const doubt of doubtsOf(pair, this.config, this.clock.now()))
      this.logger.warn(`The certificate ${doubt}`);
  }
}
