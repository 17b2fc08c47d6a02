import { siteHostOf, parseUrl } from '../../platform/index.js';
import type { SpamSignal } from '../evidence/spam-evidence.js';

const UNKNOWN = 'The browser did not name the page of the form, and this form only accepts certain domains.';

/** Says that the page it was sent from is not one that the form names. A form that names none takes all. */
export const origin: SpamSignal = {
  name: 'origin',
  points: 10,
  enabled: true,
  again: true,
  look: ({ origin: from, isOwnPage }, settings) => {
    if (isOwnPage || allowsOrigin(settings.allowedDomains, from)) return null;
    const reason = from === null ? UNKNOWN : `It came from ${from}, which is not an allowed domain.`;
    return settings.part('origin', reason);
  },
};

/**
 * Tells whether allowed domains take an origin; they do not take an unknown one.
 * @param domains the entries, with commas between; null for all
 */
export function allowsOrigin(domains: string | null, from: string | null) {
  if (domains === null) return true;
  return from !== null && domains.split(',').some((entry) => isFrom(from, entry));
}

/**
 * Tells whether allowed domains take a host, whatever its scheme and port.
 * @param domains the entries, with commas between; null for all
 */
export function takesHost(domains: string | null, host: string) {
  if (domains === null) return true;
  const site = siteHostOf(host);
  return domains.split(',').some((entry) => {
    return isHost(site, entry.includes('://') ? new URL(entry).hostname : entry);
  });
}

/** Tells whether an origin matches an entry of the list: an origin, a host, or all hosts below one. */
function isFrom(origin: string, entry: string) {
  if (entry.includes('://')) return origin === entry;
  // A stored origin may be cut.
  const url = parseUrl(origin);
  return url !== null && isHost(url.hostname, entry);
}

function isHost(host: string, entry: string) {
  const name = host.replace(/\.$/, '');
  return entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry;
}
