import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { Config, Clock, HOUR_MS, MINUTE_MS, typedAddress } from '../../platform/index.js';
import {
  senderDomains,
  type SpamEvidence,
  type FormRules,
  type FoundPart,
  type SlowSignal,
} from '../evidence/spam-evidence.js';
import { emailDomain } from '../signals/email-domain.js';

/** Resolves DNS records. Throws as Node's resolver does. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>;
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
}

/** Time of one question to one server, in milliseconds: all slow signals together have two seconds. */
const QUESTION_MS = 900;
/** How long an answer is kept, in milliseconds; and one that says nothing, so that a server that is away has peace. */
const KNOWN_MS = HOUR_MS;
const UNKNOWN_MS = MINUTE_MS;
/** Domains that are kept, the newest; and those that are asked for at once, of which more say nothing. */
const DOMAINS_MAX = 5_000;
const ASKED_MAX = 50;
/** Codes of a server for a name that does not exist or has no such record. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

interface Kept {
  /** Null: not known. */
  takesMail: Promise<boolean | null>;
  until: number;
}

/** Fields that hold the visitor's address. */
const ADDRESS_FIELD = /^(?:e-?mail|_replyto)$/i;

/** Says that what stands in the field of an address is none, or that its domain takes no mail. */
@Injectable()
export class EmailDomainSignal implements SlowSignal {
  readonly name = emailDomain.name;
  readonly points = emailDomain.points;
  readonly enabled = emailDomain.enabled;
  resolver: MailResolver;
  private readonly kept = new Map<string, Kept>();
  private asked = 0;

  constructor(
    private readonly clock: Clock,
    { dnsServers }: Config,
  ) {
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: 1 });
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    this.resolver = resolver;
  }

  readonly look = async ({ fields }: SpamEvidence, settings: FormRules): Promise<FoundPart | null> => {
    const wrong = fields.find(
      ({ name, text }) => ADDRESS_FIELD.test(name) && text.trim() !== '' && typedAddress(text) === null,
    );
    if (wrong) {
      return settings.part(this.name, `The field "${wrong.name}" does not contain a valid email address.`);
    }
    for (const domain of senderDomains(fields)) {
      if ((await this.takesMail(domain)) === false) {
        return settings.part(this.name, `${domain} does not accept email.`);
      }
    }
    return null;
  };

  /** Tells whether a domain takes mail; null when the DNS does not say. */
  takesMail(domain: string): Promise<boolean | null> {
    const now = this.clock.now().getTime();
    const known = this.kept.get(domain);
    if (known && known.until > now) return known.takesMail;
    if (this.asked >= ASKED_MAX) return Promise.resolve(null);
    const kept: Kept = { takesMail: this.ask(domain), until: now + KNOWN_MS };
    void kept.takesMail.then((answer) => {
      if (answer === null) kept.until = now + UNKNOWN_MS;
    });
    this.kept.delete(domain);
    this.kept.set(domain, kept);
    const [oldest] = this.kept.keys();
    if (this.kept.size > DOMAINS_MAX && oldest !== undefined) this.kept.delete(oldest);
    return kept.takesMail;
  }

  private async ask(domain: string) {
    this.asked++;
    try {
      const servers = await this.recordsOf(() => this.resolver.resolveMx(domain));
      // A domain that takes no mail names a server without a name (RFC 7505).
      if (servers.length > 0) return servers.some(({ exchange }) => !['', '.'].includes(exchange));
      // Without mail servers, mail goes to the host itself (RFC 5321, section 5.1).
      if ((await this.recordsOf(() => this.resolver.resolve4(domain))).length > 0) return true;
      return (await this.recordsOf(() => this.resolver.resolve6(domain))).length > 0;
    } catch {
      return null;
    } finally {
      this.asked--;
    }
  }

  /** Returns no records where the DNS says that there are none. */
  private async recordsOf<Record>(ask: () => Promise<Record[]>) {
    try {
      return await ask();
    } catch (error) {
      if (NOTHING_THERE.has(String((error as NodeJS.ErrnoException).code))) return [];
      throw error;
    }
  }
}
