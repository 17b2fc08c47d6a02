import type { IncomingMessage } from 'node:http';
import { acceptsHtmlByName } from '../../platform/http/requests/accepts-html.js';

/** The reader of a response: a browser that goes to a page, htmx that puts HTML into one, or another script. */
export type Reader = 'browser' | 'htmx' | 'script';

/** Tells whether a form of an AMP page asks, whose script adds the origin of the page to the address. */
export function isAmp({ url = '', headers }: IncomingMessage): boolean {
  return /[?&]__amp_source_origin=/.test(url) || headers['amp-same-origin'] === 'true';
}

const ELSEWHERE = new Set(['cross-site', 'same-site']);

/**
 * Tells who reads the response. Scripts may ask for HTML too, but a script of another origin cannot follow a
 * redirect to a page: it would take success for a failure. Browsers say which it is by `Sec-Fetch-Site` and
 * `Sec-Fetch-Mode` (Fetch Metadata Request Headers); without those, `Accept` decides.
 */
export function readerOf({ headers }: IncomingMessage): Reader {
  // A boosted form is shown as a page, as without HTMX.
  if (headers['hx-request'] === 'true' && headers['hx-boosted'] !== 'true') return 'htmx';
  if (!acceptsHtmlByName(headers.accept)) return 'script';
  const isElsewhere = ELSEWHERE.has(String(headers['sec-fetch-site']));
  return isElsewhere && headers['sec-fetch-mode'] !== 'navigate' ? 'script' : 'browser';
}
