import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { AcmeFolder } from '../../platform/http/tls/acme-folder.js';
import { renewalOf } from '../../platform/http/tls/acme.js';
import {
  daysLeft,
  daysText,
  doubtsOf,
  factsOf,
  readKeyPair,
} from '../../platform/http/tls/key-pair.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { Check, Outcome } from './check.js';

/** Checks that the certificate is valid for a while, and that its renewal works. */
@Injectable()
export class CertificateCheck implements Check {
  readonly name = 'certificate';
  readonly settings = ['TLS_CERT', 'TLS_KEY', 'ACME_DOMAIN'];

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  run(): Promise<Outcome> {
    return Promise.resolve(this.judge(this.clock.now()));
  }

  private judge(now: Date): Outcome {
    const { tls } = this.config;
    if (!tls.isOn) {
      const detail = 'Neither TLS_CERT nor ACME_DOMAIN is set. HTTPS is left to a proxy.';
      return { state: 'ok', detail };
    }
    const pair = readKeyPair(this.config);
    const failure = tls.acmeDomains.length > 0 ? AcmeFolder.of(this.config).failure : null;
    const failed = failure === null ? '' : ` The last order failed: ${failure}`;
    if (!pair) {
      const detail = `There is no certificate for ${tls.acmeDomains.join(', ')} yet.${failed}`;
      return { state: 'failed', detail };
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
    return {
      state: days < 0 ? 'failed' : isDoubtful ? 'warning' : 'ok',
      detail: detail + failed,
    };
  }

  private renewal(): string {
    const { certFile, acmeDomains } = this.config.tls;
    if (acmeDomains.length === 0)
      return `Renew ${certFile} before: the service reads the new file within a minute.`;
    const at = renewalOf(this.config).toISOString().slice(0, 10);
    return `The service renews it from ${at} on.`;
  }
}
