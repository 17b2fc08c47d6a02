import ipaddr from 'ipaddr.js';
import { type Check, type DnsRecord, type Outcome, passes } from '../check.js';
import { sendingAddresses, type SenderFacts, type Dns } from './dns.js';

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
          ? passes(
              `The SPF record of ${domain} includes ${provider.include}, which lists the servers of ${provider.name}. The addresses that it sends from cannot be known in advance.`,
            )
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
      return passes(`The SPF record of ${domain} allows ${list(server, allowed)}.`);
    }
    if (hasMacros || addresses.length === 0) {
      const reason = hasMacros ? 'the record depends on each email' : `the addresses of ${server} are not known`;
      return passes(
        `${domain} has an SPF record. Whether it allows the mail server cannot be known, because ${reason}.`,
      );
    }
    const other = isLocal ? '' : ' Where it sends from other addresses, ask its operator for those.';
    return {
      state: 'warning',
      detail: `The SPF record of ${domain} does not allow ${list(server, missing)}.${other}`,
      records: fix(this.termsFor(missing)),
    };
  }

  /** Returns what allows the mail server. */
  private termsFor(addresses: readonly string[]) {
    const { provider, isLocal, smtpHost } = this.facts;
    if (provider) return [`include:${provider.include}`];
    if (!isLocal && !ipaddr.isValid(smtpHost)) return [`a:${smtpHost}`];
    return addresses.map((ip) => `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`);
  }
}

function list(server: string, addresses: readonly string[]) {
  return `${server} (${addresses.join(', ')})`;
}

/** Most terms of a record, and of those it includes, that ask the DNS (RFC 7208, section 4.6.4). */
const LOOKUPS_MAX = 10;

type Qualifier = '+' | '-' | '~' | '?';

/** Receivers treat the record as an error, so that it allows nobody. */
class SpfBroken extends Error {}

/** The result of reading the SPF record of a domain. */
interface SpfReading {
  /** Addresses that may send. */
  allowed: string[];
  /** Names of the records that it is made of, in lower case. */
  names: ReadonlySet<string>;
  /** Whether a term depends on the mail, so that the rest is not known. */
  hasMacros: boolean;
}

/** Returns those texts that are SPF records. */
function spfRecords(texts: readonly string[]) {
  return texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
}

/**
 * Returns one record with all terms of some, and with further ones.
 * @param records may be none
 */
function mergedSpf(records: readonly string[], added: readonly string[]) {
  const terms = records.flatMap((record) => record.trim().split(/ +/).slice(1));
  const ends = terms.filter((term) => /^[+?~-]?all$/i.test(term));
  const others = terms.filter((term) => !ends.includes(term));
  return ['v=spf1', ...new Set([...added, ...others]), ends[0] ?? '~all'].join(' ');
}

/**
 * Reads the SPF record of a domain to its end, with those it includes.
 * @throws SpfBroken, DnsSilent
 */
async function readSpf(dns: Dns, domain: string, ips: string[]): Promise<SpfReading> {
  const reader = new SpfReader(dns, ips);
  const found = await reader.read(domain);
  const allowed = ips.filter((ip) => found.get(ip) === '+');
  return { allowed, names: reader.names, hasMacros: reader.hasMacros };
}

class SpfReader {
  readonly names = new Set<string>();
  hasMacros = false;
  private lookups = 0;

  constructor(
    private readonly dns: Dns,
    private readonly ips: readonly string[],
  ) {}

  /** Returns what a record says of each address that it says something of. */
  async read(domain: string): Promise<Map<string, Qualifier>> {
    this.names.add(domain.toLowerCase());
    const records = spfRecords(await this.dns.txt(domain));
    const [record] = records;
    if (record === undefined) throw new SpfBroken(`${domain} has no SPF record.`);
    if (records.length > 1) {
      throw new SpfBroken(`${domain} has ${records.length} SPF records, and receivers accept one.`);
    }
    const found = new Map<string, Qualifier>();
    let redirect: string | null = null;
    for (const term of record.trim().split(/ +/).slice(1)) {
      const [, modifier, target = ''] = /^([a-z][\w.-]*)=(.*)$/i.exec(term) ?? [];
      if (modifier !== undefined) {
        if (modifier.toLowerCase() === 'redirect') redirect = target;
        continue;
      }
      const [, qualifier = '+', mechanism = '', value = ''] = /^([+?~-]?)([a-z\d]+)(?![a-z\d])(.*)$/i.exec(term) ?? [];
      for (const ip of await this.matching(mechanism.toLowerCase(), value, domain, term)) {
        if (!found.has(ip)) found.set(ip, (qualifier || '+') as Qualifier);
      }
    }
    if (redirect !== null && !/ [+?~-]?all(?: |$)/i.test(record)) {
      this.count();
      const rest = this.isKnown(redirect) ? await this.read(redirect) : [];
      for (const [ip, qualifier] of rest) if (!found.has(ip)) found.set(ip, qualifier);
    }
    return found;
  }

  /** Returns the addresses that a term is about. @param value the rest of the term, such as `:example.com/24` */
  private async matching(mechanism: string, value: string, domain: string, term: string) {
    if (mechanism === 'all') return [...this.ips];
    if (mechanism === 'ip4' || mechanism === 'ip6') return this.within([value.slice(1)], '');
    if (!['include', 'a', 'mx', 'ptr', 'exists'].includes(mechanism)) {
      throw new SpfBroken(`The SPF record of ${domain} has a term that nobody knows: ${term}.`);
    }
    this.count();
    const [, name = '', lengths = ''] = /^(?::([^/]*))?(\/.*)?$/.exec(value) ?? [];
    const target = name === '' ? domain : name;
    // The names of addresses, and what exists, depend on the mail at hand.
    if (mechanism === 'ptr' || mechanism === 'exists') this.hasMacros = true;
    if (mechanism === 'ptr' || mechanism === 'exists' || !this.isKnown(target)) return [];
    if (mechanism === 'include') {
      const inner = await this.read(target);
      return this.ips.filter((ip) => inner.get(ip) === '+');
    }
    const hosts = mechanism === 'mx' ? await this.dns.mx(target) : [target];
    const addresses: string[] = [];
    for (const host of hosts.slice(0, LOOKUPS_MAX)) {
      addresses.push(...(await this.dns.addresses(host)));
    }
    return this.within(addresses, lengths);
  }

  /** Returns the addresses within these networks. @param lengths such as `/24//64`, for those without one */
  private within(networks: readonly string[], lengths: string) {
    const [, four = '32', six = '128'] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(lengths) ?? [];
    return this.ips.filter((ip) =>
      networks.some((network) => {
        const [base = '', own] = network.split('/');
        const length = own ?? (base.includes(':') ? six : four);
        if (!ipaddr.isValid(base) || !ipaddr.isValid(ip)) return false;
        const [one, other] = [ipaddr.parse(ip), ipaddr.parse(base)];
        return one.kind() === other.kind() && one.match(other, Number(length));
      }),
    );
  }

  private count() {
    this.lookups++;
    if (this.lookups <= LOOKUPS_MAX) return;
    throw new SpfBroken(
      `The SPF record needs more than ${LOOKUPS_MAX} DNS lookups, so receivers ignore it. Remove includes that you do not use.`,
    );
  }

  private isKnown(name: string) {
    if (name.includes('%')) this.hasMacros = true;
    return !name.includes('%');
  }
}
