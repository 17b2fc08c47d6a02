import type { Check, DnsRecord, Outcome } from '../check.js';
import type { SenderFacts } from './sender-facts.js';

/** Checks that the domains of the sender tell receivers what to do with forged mails. */
export class DmarcCheck implements Check {
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
        wrong.push(
          `${domain} has no DMARC record. Large receivers require one of those who send many emails.`,
        );
        records.push({ name: `_dmarc.${domain}.`, type: 'TXT', value: 'v=DMARC1; p=none' });
      } else if (found.records.length > 1) {
        const count = found.records.length;
        wrong.push(
          `_dmarc.${found.at} has ${count} DMARC records, so receivers ignore them. Keep one.`,
        );
      } else
        (policyOf(record, domain !== found.at) === null ? wrong : good).push(
          this.say(domain, found.at, record),
        );
    }
    const detail = [...wrong, ...good].join(' ');
    return wrong.length === 0 ? { state: 'ok', detail } : { state: 'warning', detail, records };
  }

  /** Finds the record of a domain or, without one, of those above it (RFC 9989, section 4.10). */
  private async find(domain: string): Promise<{ at: string; records: string[] }> {
    const labels = domain.split('.');
    for (let n = 0; n < labels.length - 1; n++) {
      const at = labels.slice(n).join('.');
      const texts = await this.facts.dns.txt(`_dmarc.${at}`);
      const records = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
      if (records.length > 0) return { at, records };
    }
    return { at: domain, records: [] };
  }

  private say(domain: string, at: string, record: string): string {
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
function policyOf(record: string, isBelow: boolean): string | null {
  const tag = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(none|quarantine|reject)\\s*(?:;|$)`, 'i').exec(
      record,
    )?.[1];
  return (isBelow ? tag('sp') : undefined) ?? tag('p') ?? null;
}
