import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { type Config, siteAddressOf, parseUrl, parseWebUrl, isPlainOrigin } from '../platform/index.js';
import { languageOf, preferredLanguage } from '../languages/words.js';
import { plainAddress } from '../platform/http/index.js';
import type { SubmissionSource } from '../submissions/model/submission.entity.js';
import { SUBJECT_MAX, pageOf, parseCountry } from '../submissions/model/page-address.js';
import { PAGE_FIELD, type ParsedSubmission } from './model/special-fields.js';

const ORIGIN_MAX = 255;
const REFERER_MAX = 2048;
const USER_AGENT_MAX = 512;
/** Codes that proxies send for addresses of unknown countries. */
const UNKNOWN_COUNTRIES = new Set(['XX', 'ZZ']);
/** Stored part of a truncated IPv6 address, in groups of 16 bits: a network, not a household. */
const IPV6_KEPT_GROUPS = 3;

/**
 * Returns the source of a submission as it is stored.
 * @param said what the page says of itself
 */
export function sourceOf(
  request: IncomingMessage,
  address: string,
  config: Config,
  { page, subject, language }: Pick<ParsedSubmission, 'page' | 'subject' | 'language'>,
): SubmissionSource {
  const { origin, referer } = request.headers;
  const shown = pageOrigin(origin, referer);
  // A page that a translator or a cache shows is one of its site.
  const from = shown && siteAddressOf(shown);
  // Our page that has answers corrected says where the visitor came from.
  const isOurs = page !== null && isOwn(from, request, config);
  const said = isOurs ? carriedPage(page) : saidPage(page, from);
  const site = isOurs && said !== null ? new URL(said).origin : from;
  return {
    origin: site?.slice(0, ORIGIN_MAX) ?? null,
    referer: (said ?? referer)?.slice(0, REFERER_MAX) ?? null,
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    address: keptAddress(address, config.intake.storeIp),
    country: countryOf(request, config),
    language:
      (languageOf(language) && language?.toLowerCase()) ?? preferredLanguage(request.headers['accept-language']),
    subject: subject?.slice(0, SUBJECT_MAX).toWellFormed() ?? null,
  };
}

/** Returns the special fields that go along with corrected answers; the page is what was found out of it. */
export function carriedFields({ carried }: ParsedSubmission, source: SubmissionSource): ParsedSubmission['carried'] {
  const page = pageOf(source) === '' ? source.origin : source.referer;
  return page === null ? carried : [...carried, { name: PAGE_FIELD, text: page }];
}

/** Tells whether an origin is the service itself: under BASE_URL, or under the host that it was asked at. */
function isOwn(from: string | null, { headers }: IncomingMessage, { baseUrl }: Config) {
  if (from === null || from === new URL(baseUrl).origin) return from !== null;
  return parseUrl(from)?.host === headers.host;
}

/**
 * Returns the address that a page says of itself, without what only browsers see; null unless it is of the origin that
 * the browser says.
 */
function saidPage(page: string | null, from: string | null) {
  const url = parseWebUrl(page);
  if (!url) return null;
  const { origin, pathname, search } = url;
  if (from !== null && from !== siteAddressOf(origin)) return null;
  // An origin alone is what browsers say of any page.
  return pathname === '/' && search === '' ? `${origin}/#` : origin + pathname + search;
}

/** Returns the address that our own page says of the visitor's: the origin alone where no more was known. */
function carriedPage(page: string) {
  const said = saidPage(page, null);
  return said === `${page}/#` ? page : said;
}

/** Returns the country that a trusted proxy names; null where none does, or nothing of the address is to be kept. */
function countryOf(request: IncomingMessage, config: Config) {
  const { countryHeader, storeIp } = config.intake;
  if (countryHeader === undefined || storeIp === 'none') return null;
  const peer = plainAddress(request.socket.remoteAddress);
  const said = request.headers[countryHeader.toLowerCase()];
  if (typeof said !== 'string' || !config.http.trustedProxies(peer, 0)) return null;
  const country = parseCountry(said.trim());
  return country === null || UNKNOWN_COUNTRIES.has(country) ? null : country;
}

function keptAddress(address: string, how: Config['intake']['storeIp']) {
  if (how === 'none' || address === '') return null;
  return how === 'full' ? address : truncate(address);
}

/** Truncates an address: `203.0.113.7` becomes `203.0.113.0`; `2001:db8:1:2::3` becomes `2001:db8:1::`. */
function truncate(address: string) {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0`;
  const [head = ''] = address.split('::');
  const groups = head.split(':').slice(0, IPV6_KEPT_GROUPS);
  return `${groups.filter((group) => group !== '').join(':')}::`;
}

/**
 * Returns the origin of the page: the Origin header, or else the origin of the Referer. Null when neither
 * says it. `Origin: null` means that the browser may not say.
 */
function pageOrigin(origin: string | undefined, referer: string | undefined) {
  const header = origin ?? referer;
  if (header === undefined) return null;
  if (isPlainOrigin(header)) return header;
  return parseWebUrl(header)?.origin ?? null;
}
