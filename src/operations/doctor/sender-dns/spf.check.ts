import ipaddr from 'ipaddr.js';
import type { Check, DnsRecord, Outcome } from '../check.js';
import { sendingAddresses, type SenderFacts } from './sender-facts.js';
import { mergedSpf, readSpf, SpfBroken, spfRecords } from './spf.js';

/** Checks that the domain of bounces, which receivers look at, lets the mail server send. */
export class SpfCheck implements Check {
  readonly name = 'SPF';
  readonly settings = ['MAIL_FROM', 'SMTP_URL'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, domain, provider } = this.facts;
    const records = spfRecords(await dns.txt(domain));
    const addresses = provider ? [] : await sendingAddresses(this.facts);
    const fix = (terms: string[], old: string[] = records): DnsRecord[] => [
      { name: `${domain}.`, type: 'TXT', value: mergedSpf(old, terms) },
    ];
    const terms = this.termsFor(addresses);
    if (records.length === 0) {
      const detail = `${domain} has no SPF record, so receivers do not know which servers send its emails.`;
      return { state: 'warning', detail, ...(terms.length > 0 && { records: fix(terms) }) };
    }
    try {
      const { allowed, names, hasMacros } = await readSpf(dns, domain, addresses);
      if (provider) {
        return names.has(provider.include)
          ? {
              state: 'ok',
              detail: `The SPF record of ${domain} includes ${provider.include}, which lists the servers of ${provider.name}. The addresses that it sends from cannot be known in advance.`,
            }
          : {
              state: 'warning',
              detail: `The SPF record of ${domain} does not include ${provider.include}, the servers of ${provider.name}.`,
              records: fix(terms),
            };
      }
      return this.judge(addresses, allowed, hasMacros, fix);
    } catch (error) {
      if (!(error instanceof SpfBroken)) throw error;
      const merged = records.length > 1 ? { records: fix(terms) } : {};
      return { state: 'warning', detail: error.message, ...merged };
    }
  }

  private judge(
    addresses: string[],
    allowed: string[],
    hasMacros: boolean,
    fix: (terms: string[]) => DnsRecord[],
  ): Outcome {
    const { domain, smtpHost, isLocal } = this.facts;
    const missing = addresses.filter((address) => !allowed.includes(address));
    const server = isLocal ? 'this machine' : smtpHost;
    if (addresses.length > 0 && missing.length === 0) {
      return {
        state: 'ok',
        detail: `The SPF record of ${domain} allows ${list(server, allowed)}.`,
      };
    }
    if (hasMacros || addresses.length === 0) {
      const reason = hasMacros
        ? 'the record depends on each email'
        : `the addresses of ${server} are not known`;
      const detail = `${domain} has an SPF record. Whether it allows the mail server cannot be known, because ${reason}.`;
      return { state: 'ok', detail };
    }
    const other = isLocal
      ? ''
      : ' Where it sends from other addresses, ask its operator for those.';
    return {
      state: 'warning',
      detail: `The SPF record of ${domain} does not allow ${list(server, missing)}.${other}`,
      records: fix(this.termsFor(missing)),
    };
  }

  /** Returns what allows the mail server. */
  private termsFor(addresses: readonly string[]): string[] {
    const { provider, isLocal, smtpHost } = this.facts;
    if (provider) return [`include:${provider.include}`];
    if (!isLocal && !ipaddr.isValid(smtpHost)) return [`a:${smtpHost}`];
    return addresses.map((ip) => `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`);
  }
}

function list(server: string, addresses: readonly string[]): string {
  return `${server} (${addresses.join(', ')})`;
}
