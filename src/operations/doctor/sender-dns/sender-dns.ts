import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import os from 'node:os';
import { domainToASCII } from 'node:url';
import { Config } from '../../../platform/config/config.js';
import { parseEmailAddress } from '../../../platform/kernel/text/email-address.js';
import type { Check, Outcome } from '../check.js';
import { Dns, DnsSilent } from './dns.js';
import { DmarcCheck } from './dmarc.check.js';
import { DkimCheck } from './dkim.check.js';
import { MxCheck } from './mx.check.js';
import { PtrCheck } from './ptr.check.js';
import { providerOf } from './providers.js';
import type { SenderFacts } from './sender-facts.js';
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
    const [domain = '', ...others] = [address.replace(/^.*@/, ''), ...mail.fromDomains].map(
      domainToASCII,
    );
    const smtpHost = new URL(mail.smtpUrl).hostname.replace(/^\[|\]$/g, '');
    const facts: SenderFacts = {
      dns: new Dns(dnsServers),
      domain,
      domains: [...new Set([domain, ...others])].filter((name) => name !== ''),
      smtpHost,
      isLocal: isThisMachine(smtpHost),
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
      const detail = `${error.message} Run the check again, or check DNS_SERVERS and the firewall.`;
      return { state: 'warning', detail };
    }
  };
  return { name: check.name, settings: [...check.settings, 'DNS_SERVERS'], run };
}

function isThisMachine(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Returns the addresses of this machine that others can see; none behind a router. */
function publicAddresses(): string[] {
  const found = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
  return found
    .map(({ address }) => address)
    .filter((address) => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast');
}
