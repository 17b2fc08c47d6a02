import type { SpamSignal } from '../spam-signal.js';

const UNKNOWN =
  'The browser did not say which page it was sent from, and this form only accepts certain domains.';

/** Says that the page it was sent from is not one that the form names. A form that names none takes all. */
export const origin: SpamSignal = {
  name: 'origin',
  points: 10,
  enabled: true,
  again: true,
  look: ({ origin: from }, settings) => {
    if (allowsOrigin(settings.allowedDomains, from)) return null;
    const reason =
      from === null ? UNKNOWN : `It was sent from ${from}, which is not among the allowed domains.`;
    return settings.part('origin', reason);
  },
};

/**
 * Tells whether allowed domains take an origin; they do not take an unknown one.
 * @param domains the entries, with commas between; null for all
 */
export function allowsOrigin(domains: string | null, from: string | null): boolean {
  if (domains === null) return true;
  return from !== null && domains.split(',').some((entry) => isFrom(from, entry));
}

/** Tells whether an origin matches an entry of the list: an origin, a host, or all hosts below one. */
function isFrom(origin: string, entry: string): boolean {
  if (entry.includes('://')) return origin === entry;
  // A stored origin may be cut.
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).hostname.replace(/\.$/, '');
  return entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry;
}
