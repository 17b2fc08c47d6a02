import type { Config } from '../config/config.js';

const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
/** For a year, as on all other answers. */
const HTTPS_ONLY = 'max-age=31536000';

/**
 * The headers of every answer of the intake, names and values in turn. Any page may send a form and
 * read the answer: without credentials there is nothing to abuse. All of helmet's would be most of an
 * answer; these are those that mean something to JSON and redirects. A referrer policy would follow
 * the browser to where a redirect leads.
 */
export function headersOf({ baseUrl }: Config): string[] {
  const headers = [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', EXPOSED],
    ['Content-Security-Policy', "default-src 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (baseUrl.startsWith('https:')) headers.push(['Strict-Transport-Security', HTTPS_ONLY]);
  return headers.flat();
}
