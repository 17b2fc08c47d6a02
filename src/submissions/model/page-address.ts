import { parseWebUrl } from '../../platform/index.js';

/** Takes the place of a page, an origin or a country in a filter where none is known. */
export const NONE = 'none';

/** Longest subject of a page that is stored, in characters. */
export const SUBJECT_MAX = 255;

/** Longest address of a filter, in characters: encoding the marks of a long host takes seconds. */
const ADDRESS_MAX = 4_096;

/** Returns the page of an address, its path without query; null for what is no address of a page. */
function pathOf(address: string) {
  return parseWebUrl(address)?.pathname ?? null;
}

/**
 * Returns the page that a submission came from; empty when the browser did not say. To other sites browsers send the
 * origin alone (`strict-origin-when-cross-origin`), which is no page.
 */
export function pageOf({ referer }: { referer: string | null }) {
  if (referer === null || /^https?:\/\/[^/?#]*\/?$/i.test(referer)) return '';
  return pathOf(referer) ?? '';
}

/** Returns the campaign that led to the page of a submission, as its address says; empty without one. */
export function campaignOf({ referer }: { referer: string | null }) {
  if (!referer?.includes('utm_')) return '';
  const query = parseWebUrl(referer)?.searchParams;
  return ['utm_campaign', 'utm_source'].map((name) => query?.get(name)).find(Boolean) ?? '';
}

/** Reads a page of a filter: a path, a whole address, or `none`; null for anything else. */
export function parsePage(text: string): string | null {
  if (text.length > ADDRESS_MAX) return null;
  if (text.toLowerCase() === NONE) return '';
  const path = text.startsWith('/') ? pathOf(`http://page${text}`) : pathOf(text);
  return path;
}

/** Reads an origin of a filter: with its scheme or without, or `none`; null for anything else. */
export function parseOrigin(text: string): string | null {
  if (text.length > ADDRESS_MAX) return null;
  if (text.toLowerCase() === NONE) return '';
  return parseWebUrl(text.includes('://') ? text : `https://${text}`)?.origin ?? null;
}

/** Reads a country: its two letters (ISO 3166-1); null for anything else. */
export function parseCountry(text: string): string | null {
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null;
}

/** Returns the page as people read it, else its site; the page at the root of a site is stored with an empty fragment. */
export function pageShown({ origin, referer }: { origin: string | null; referer: string | null }): string | null {
  return (referer ?? origin)?.replace(/#$/, '') ?? null;
}
