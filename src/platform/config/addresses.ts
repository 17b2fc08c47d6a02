import { isAbsolute } from 'node:path';
import ipaddr from 'ipaddr.js';
import { Resolver } from 'node:dns';
import proxyaddr from 'proxy-addr';
import { parseUrl, parseWebUrl } from '../kernel/text/addresses.js';
import { commaList } from '../kernel/text/text.js';

/** Where the database is: a file of our own, or a server that speaks MySQL's protocol. */
export type DatabaseAddress =
  | { kind: 'embedded'; file: string }
  | { kind: 'server'; host: string; port: number; user: string; password: string; name: string; tls: boolean };

/**
 * Reads `mysql://user:password@host:3306/name` (or `mariadb://`), user and password percent-encoded;
 * `?ssl=true` asks for TLS with a verified certificate.
 * @returns null for anything else: no host, no database name, an unknown query parameter
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  const server = parseServer(text, /^(?:mysql|mariadb):$/);
  if (!server) return null;
  const { url, path: name, host, user, password } = server;
  const parameters = [...url.searchParams];
  const known = parameters.every(([key, value]) => key === 'ssl' && /^(true|false)$/.test(value));
  if (!known || name === '' || name.includes('/')) return null;
  const port = Number(url.port) || 3306;
  const tls = url.searchParams.get('ssl') === 'true';
  return { kind: 'server', host, port, user, password, name, tls };
}

/** A mailbox on a server. */
export interface ImapMailbox {
  host: string;
  port: number;
  /** TLS from the first byte; else STARTTLS. */
  secure: boolean;
  user: string;
  password: string;
  folder: string;
}

/** Reads `imaps://user:password@host:993/INBOX`, or `imap://`; null for anything else. */
export function parseImapUrl(text: string): ImapMailbox | null {
  const server = parseServer(text, /^imaps?:$/);
  if (!server || server.user === '') return null;
  const { url, path, host, user, password } = server;
  const secure = url.protocol === 'imaps:';
  const port = Number(url.port) || (secure ? 993 : 143);
  return { host, port, secure, user, password, folder: path || 'INBOX' };
}

/** Tells whether a text is like `smtp://user:password@host:587`, or `smtps://`, user and password percent-encoded. */
export function isSmtpUrl(text: string) {
  return parseServer(text, /^smtps?:$/) !== null;
}

/** Reads the parts that addresses of servers share; null for another protocol, no host, or a wrong escape. */
function parseServer(text: string, protocol: RegExp) {
  const url = parseUrl(text);
  if (!url || !protocol.test(url.protocol) || url.hostname === '') return null;
  try {
    const [path = '', user = '', password = ''] = [url.pathname.slice(1), url.username, url.password].map(
      decodeURIComponent,
    );
    return { url, host: url.hostname.replace(/^\[|\]$/g, ''), path, user, password };
  } catch {
    return null;
  }
}

/** The port of clamd, unless another is named. */
const CLAMD_PORT = 3310;

/** Where clamd listens: on a port, or at a socket of this machine. */
export type ClamdAddress = { host: string; port: number } | { path: string };

/**
 * Reads `tcp://host:3310`, `host:3310`, `unix:/path/clamd.ctl` or `/path/clamd.ctl`.
 * @returns null for anything else
 */
export function parseClamdAddress(text: string): ClamdAddress | null {
  const path = text.replace(/^unix:(?:\/\/)?(?=\/)/, '');
  if (isAbsolute(path)) return path.length > 1 && !path.endsWith('/') ? { path } : null;
  const isUrl = text.startsWith('tcp://');
  const [, ipv6, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(isUrl ? text.slice(6) : text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || (digits === undefined && !isUrl)) return null;
  const port = digits === undefined ? CLAMD_PORT : Number(digits);
  return port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** Tells whether an address is one that links can begin with: of http or https, without a path. */
export function isBaseUrl(text: string) {
  return isPlain(parseWebUrl(text)) && /^\/*$/.test(parseWebUrl(text)?.pathname ?? '');
}

/** Tells whether a text is an http or https URL that can be called as it is: credentials would be refused then. */
export function isMonitorUrl(text: string) {
  const url = parseWebUrl(text);
  return url?.username === '' && url.password === '';
}

/** Reads an http or https address that paths are added to, without the slash at its end; null for anything else. */
export function parseServiceUrl(text: string): string | null {
  return isPlain(parseWebUrl(text)) ? text.replace(/\/$/, '') : null;
}

/** Tells whether an address has no user, password, query or fragment. */
export function isPlain(url: URL | null) {
  return url !== null && url.search + url.hash + url.username + url.password === '';
}

/** A block of addresses: its first address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads CIDR blocks or single addresses, separated by commas; null when one is neither. */
export function parseNetworks(text: string): Network[] | null {
  return orNull(() => commaList(text).map(parseNetwork));
}

function parseNetwork(block: string): Network {
  if (block.includes('/')) return ipaddr.parseCIDR(block);
  const address = ipaddr.parse(block);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Most proxies in a row: more is probably a port or a year. */
const MAX_HOPS = 10;

/** Tells whether the proxy of this address, `index` hops away, may name the client in X-Forwarded-For. */
export type TrustedProxies = (address: string, index: number) => boolean;

/** Trusts no proxy. */
export const NO_PROXIES: TrustedProxies = () => false;

/**
 * Reads which proxies are trusted: `off`, a number of hops from 1 to 10, or CIDR blocks separated by commas.
 * @returns null for anything else
 */
export function parseTrustProxy(text: string): TrustedProxies | null {
  if (text === 'off') return NO_PROXIES;
  if (/^\d{1,2}$/.test(text)) {
    const hops = Number(text);
    return hops >= 1 && hops <= MAX_HOPS ? (_, index) => index < hops : null;
  }
  return orNull(() => proxyaddr.compile(text.split(',').map((block) => block.trim())));
}

/** Reads addresses of DNS servers with optional ports, separated by commas; null when one is none. */
export function parseDnsServers(text: string): string[] | null {
  const servers = commaList(text);
  return orNull(() => {
    new Resolver().setServers(servers);
    return servers;
  });
}

function orNull<T>(read: () => T) {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Tells whether a host is this machine, so that nothing crosses a network. */
export function isLoopback(host: string) {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
