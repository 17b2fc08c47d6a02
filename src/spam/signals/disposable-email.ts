import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { senderDomains, type SpamSignal } from '../evidence/spam-evidence.js';

/** Some thousand domains, read when the first address comes. */
let domains: ReadonlySet<string> | null = null;

/** Says that an address is of a service that gives addresses away for some minutes. */
export const disposableEmail: SpamSignal = {
  name: 'disposable_email',
  points: 2,
  enabled: true,
  again: true,
  look: ({ fields }, settings) => {
    const found = senderDomains(fields).find(isDisposable);
    if (found === undefined) return null;
    return settings.part('disposable_email', `${found} provides disposable email addresses.`);
  },
};

/** Tells whether a domain, or one that it is below, is in the list. */
function isDisposable(domain: string) {
  domains ??= disposableEmailBlocklistSet();
  for (let parent = domain; ;) {
    if (domains.has(parent)) return true;
    const dot = parent.indexOf('.');
    if (dot < 0) return false;
    parent = parent.slice(dot + 1);
  }
}
