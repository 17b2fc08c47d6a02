import { isLoopback, Config, parseEmailAddress } from '../../../platform/index.js';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import os from 'node:os';
import { domainToASCII } from 'node:url';
import { type Check, type Outcome, type DnsRecord, warns, passes } from '../check.js';
import { Dns, DnsSilent, type SenderFacts, sendingAddresses } from './dns.js';
import { providerOf, usualSelectors } from './providers.js';
import { SpfCheck } from './spf.check.js';

/** Checks what the DNS says of the sender of mails. Asks nothing while mails are not sent. */
@Injectable()
export class SenderDns {
  constructor(private readonly config: Config) {}

  /** Returns the checks that make sense for the settings; none without a mail server or a domain that sends. */
  checks(): Check[] {
    const { mail, mailFrom, baseUrl, dnsServers } = this.config;
    const address = parseEmailAddress(mailFrom.address);
    if (mail.smtpUrl === undefined || address === null) return [];
    const [domain = '', ...others] = [address.replace(/^.*@/, ''), ...mail.fromDomains].map(domainToASCII);
    const smtpHost = new URL(mail.smtpUrl).hostname.replace(/^\[|\]$/g, '');
    const facts: SenderFacts = {
      dns: new Dns(dnsServers),
      domain,
      domains: [...new Set([domain, ...others])].filter((name) => name !== ''),
      smtpHost,
      isLocal: isLoopback(smtpHost),
      baseHost: new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''),
      publicAddresses: publicAddresses(),
      provider: providerOf(smtpHost),
      selector: mail.dkimSelector ?? null,
    };
    const checks = [new MxCheck(facts), new SpfCheck(facts), new DkimCheck(facts)];
    const all: Check[] = [...checks, new DmarcCheck(facts)];
    if (facts.isLocal) all.push(new PtrCheck(facts));
    return all.map(warnWhenSilent);
  }
}

/** Warns when the DNS does not answer: nothing is missing then, as far as is known. */
function warnWhenSilent(check: Check): Check {
  const run = async (): Promise<Outcome> => {
    try {
      return await check.run();
    } catch (error) {
      if (!(error instanceof DnsSilent)) throw error;
      return warns(`${error.message} Run the check again, or check DNS_SERVERS and the firewall.`);
    }
  };
  return { name: check.name, settings: [...check.settings, 'DNS_SERVERS'], run };
}

/** Returns the addresses of this machine that others can see; none behind a router. */
function publicAddresses() {
  const found = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
  return found
    .map(({ address }) => address)
    .filter((address) => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast');
}

/** Checks that the domains of the sender take mail, so that bounces and replies arrive. */
class MxCheck implements Check {
  readonly name = 'MX';
  readonly settings = ['MAIL_FROM', 'MAIL_FROM_DOMAINS'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, domains } = this.facts;
    const good: string[] = [];
    const wrong: string[] = [];
    for (const domain of domains) {
      const servers = await dns.mx(domain);
      // A domain that takes no mail names a server without a name (RFC 7505).
      const [server] = servers.filter((name) => name !== '' && name !== '.');
      if (server !== undefined) good.push(`${domain} receives email at ${server}.`);
      else if (servers.length > 0) {
        wrong.push(`${domain} accepts no email, by its MX record. Bounces and replies are lost.`);
      } else if ((await dns.addresses(domain)).length > 0) {
        wrong.push(
          `${domain} has no MX record, so bounces and replies go to the host itself. Add an MX record that names its mail server.`,
        );
      } else {
        wrong.push(
          `${domain} has neither an MX record nor an address, so bounces and replies are lost, and some receivers reject its emails. Add an MX record that names its mail server.`,
        );
      }
    }
    if (wrong.length === 0) return passes(good.join(' '));
    return warns(wrong.join(' '));
  }
}

/** Checks that the domains of the sender have the key of their DKIM signatures. */
class DkimCheck implements Check {
  readonly name = 'DKIM';
  readonly settings = ['DKIM_SELECTOR'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, domains, selector, provider } = this.facts;
    const tried = selector === null ? usualSelectors(provider) : [selector];
    const good: string[] = [];
    const wrong: string[] = [];
    for (const domain of domains) {
      const keys = await Promise.all(tried.map((each) => dns.txt(`${each}._domainkey.${domain}`)));
      const found = tried.filter((_, n) => keys[n]?.some(isKey));
      if (found.length > 0) good.push(`${domain} has a DKIM key: ${found.join(', ')}.`);
      else wrong.push(this.missing(domain, tried));
    }
    if (wrong.length === 0) return passes(good.join(' '));
    return warns([...wrong, ...good].join(' '));
  }

  private missing(domain: string, tried: string[]) {
    const { selector, provider } = this.facts;
    const source = provider
      ? `${provider.name} shows the record to add`
      : 'Your mail server makes the key and shows the record to add';
    if (selector !== null) {
      return `${selector}._domainkey.${domain} has no DKIM key. ${source}.`;
    }
    const names =
      tried.length > 0 ? `Tried ${tried.join(', ')}` : `${provider?.name ?? ''} gives each customer other names`;
    return `No DKIM key of ${domain} was found. The DNS does not list them (${names}). Set DKIM_SELECTOR to the selector of yours. If you have none: ${source.charAt(0).toLowerCase() + source.slice(1)}.`;
  }
}

/** Tells whether a text is a key. One with an empty `p=` is revoked (RFC 6376, section 3.6.1). */
function isKey(text: string) {
  return /(?:^|;)\s*p=\s*[\w+/]/.test(text);
}

/** Checks that the domains of the sender tell receivers what to do with forged mails. */
class DmarcCheck implements Check {
  readonly name = 'DMARC';
  readonly settings = ['MAIL_FROM', 'MAIL_FROM_DOMAINS'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const good: string[] = [];
    const wrong: string[] = [];
    const records: DnsRecord[] = [];
    for (const domain of this.facts.domains) {
      const found = await this.find(domain);
      const [record] = found.records;
      if (record === undefined) {
        wrong.push(`${domain} has no DMARC record. Large receivers require one of those who send many emails.`);
        records.push({ name: `_dmarc.${domain}.`, type: 'TXT', value: 'v=DMARC1; p=none' });
      } else if (found.records.length > 1) {
        const count = found.records.length;
        wrong.push(`_dmarc.${found.at} has ${count} DMARC records, so receivers ignore them. Keep one.`);
      } else (policyOf(record, domain !== found.at) === null ? wrong : good).push(this.say(domain, found.at, record));
    }
    const detail = [...wrong, ...good].join(' ');
    return wrong.length === 0 ? passes(detail) : { state: 'warning', detail, records };
  }

  /** Finds the record of a domain or, without one, of those above it (RFC 9989, section 4.10). */
  private async find(domain: string) {
    const labels = domain.split('.');
    for (let n = 0; n < labels.length - 1; n++) {
      const at = labels.slice(n).join('.');
      const texts = await this.facts.dns.txt(`_dmarc.${at}`);
      const records = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
      if (records.length > 0) return { at, records };
    }
    return { at: domain, records: [] };
  }

  private say(domain: string, at: string, record: string) {
    const { domain: ofBounces } = this.facts;
    const policy = policyOf(record, domain !== at);
    if (policy === null) return `The DMARC record of ${at} has no valid policy. Add p=none to it.`;
    const from = domain === at ? '' : ` from ${at}`;
    const told = `The DMARC policy of ${domain}${from} is p=${policy}.`;
    if (domain === ofBounces) return `${told} SPF and DKIM of ${domain} satisfy it.`;
    // The envelope has the domain of MAIL_FROM, so SPF says nothing about another one.
    return `${told} Only a DKIM signature of ${domain} satisfies it, because bounces go to ${ofBounces}.`;
  }
}

/** Returns the policy of a record, for a domain below it where it has one for those; null when it has none. */
function policyOf(record: string, isBelow: boolean) {
  const tag = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(none|quarantine|reject)\\s*(?:;|$)`, 'i').exec(record)?.[1];
  return (isBelow ? tag('sp') : undefined) ?? tag('p') ?? null;
}

/** Checks that the addresses of this machine, which sends mails itself, have a name that leads back to them. */
class PtrCheck implements Check {
  readonly name = 'PTR';
  readonly settings = ['SMTP_URL', 'BASE_URL'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, baseHost } = this.facts;
    const addresses = await sendingAddresses(this.facts);
    if (addresses.length === 0) {
      return warns(`The address that this machine sends from is not known: ${baseHost} has none.`);
    }
    const good: string[] = [];
    const wrong: string[] = [];
    const records: DnsRecord[] = [];
    for (const address of addresses) {
      const names = await dns.names(address);
      const [name] = names;
      if (name === undefined) {
        wrong.push(`${address} has no name (PTR), so many receivers reject its emails.`);
      } else if (await this.leadBack(names, address)) {
        good.push(`${address} is ${name}, and back.`);
        continue;
      } else {
        wrong.push(`${address} is named ${name}, which does not lead back to it.`);
      }
      records.push({ name: reverseNameOf(address), type: 'PTR', value: `${baseHost}.` });
    }
    if (wrong.length === 0) return passes(good.join(' '));
    const detail = `${wrong.join(' ')} Ask the provider of the machine to set it.`;
    return { state: 'warning', detail, records };
  }

  private async leadBack(names: readonly string[], address: string) {
    for (const name of names) {
      if ((await this.facts.dns.addresses(name)).includes(address)) return true;
    }
    return false;
  }
}

function reverseNameOf(address: string) {
  const bytes = ipaddr.parse(address).toByteArray().reverse();
  if (bytes.length === 4) return `${bytes.join('.')}.in-addr.arpa.`;
  const nibbles = bytes.flatMap((byte) => [byte & 15, byte >> 4]);
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa.`;
}
