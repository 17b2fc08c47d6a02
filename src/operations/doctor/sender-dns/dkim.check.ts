import type { Check, Outcome } from '../check.js';
import { usualSelectors } from './providers.js';
import type { SenderFacts } from './sender-facts.js';

/** Checks that the domains of the sender have the key of their DKIM signatures. */
export class DkimCheck implements Check {
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
    if (wrong.length === 0) return { state: 'ok', detail: good.join(' ') };
    return { state: 'warning', detail: [...wrong, ...good].join(' ') };
  }

  private missing(domain: string, tried: string[]): string {
    const { selector, provider } = this.facts;
    const source = provider
      ? `${provider.name} shows the record to add`
      : 'Your mail server makes the key and shows the record to add';
    if (selector !== null) {
      return `${selector}._domainkey.${domain} has no DKIM key. ${source}.`;
    }
    const names =
      tried.length > 0
        ? `Tried ${tried.join(', ')}`
        : `${provider?.name ?? ''} gives each customer other names`;
    return `No DKIM key of ${domain} was found. The DNS does not list them (${names}). Set DKIM_SELECTOR to the selector of yours. If you have none: ${source.charAt(0).toLowerCase() + source.slice(1)}.`;
  }
}

/** Tells whether a text is a key. One with an empty `p=` is revoked (RFC 6376, section 3.6.1). */
function isKey(text: string): boolean {
  return /(?:^|;)\s*p=\s*[\w+/]/.test(text);
}
