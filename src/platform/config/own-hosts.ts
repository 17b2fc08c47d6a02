import { commaList } from '../kernel/text/comma-list.js';
import { parseUrl } from '../kernel/text/parse-url.js';

/** Longest host name in characters (RFC 1035, section 2.3.4). */
const HOST_MAX = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
/** Matches what ends like an IPv4 address, which is no name. */
const NUMERIC = /\.\d+$/;

/** Returns a host name in lower case and in ASCII, without the dot at its end; null for what is none. */
export function parseHostName(value: unknown): string | null {
  // Longer names are none, and to prepare them takes long (RFC 3491).
  if (typeof value !== 'string' || value.length > HOST_MAX) return null;
  const typed = value.trim().replace(/\.$/, '');
  if (/[/?#@:\\\s%]/.test(typed)) return null;
  const { hostname = '' } = parseUrl(`http://${typed}`) ?? {};
  return hostname.length <= HOST_MAX && HOST.test(hostname) && !NUMERIC.test(hostname)
    ? hostname
    : null;
}

/** Reads a list as HOSTS takes it: `*`, host names, and `*.` with one. @returns null for anything else */
export function parseHosts(text: string): string[] | null {
  const entries = commaList(text);
  return entries.every((entry) => entry === '*' || parseHostName(entry.replace(/^\*\./, '')))
    ? entries
    : null;
}

/** Tells whether an entry of HOSTS is for a host: `*` is for all, `*.example.com` for those below it. */
export function isHostAmong(host: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    if (entry === '*') return true;
    if (!entry.startsWith('*.')) return parseHostName(entry) === host;
    return host.endsWith(`.${parseHostName(entry.slice(2)) ?? ''}`);
  });
}
