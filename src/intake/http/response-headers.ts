import type { Config } from '../../platform/config/config.js';
import { HTTPS_ONLY } from '../../platform/http/security-headers.js';

/** Headers that lead scripts on: those of HTMX, and those of forms on AMP pages. */
export const HTMX_REDIRECT = 'HX-Redirect';
export const AMP_REDIRECT = 'AMP-Redirect-To';
const EXPOSED = [
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
  ...[HTMX_REDIRECT, AMP_REDIRECT],
].join(', ');

/**
 * Returns the headers of every answer of the intake, names and values in turn. All of `securityHeaders`
 * would be
 * most of an answer; these alone matter for JSON and redirects. No Referrer-Policy: a browser would carry it
 * over to the page that a redirect leads to.
 */
export function headersOf({ baseUrl }: Config): string[] {
  const headers = [
    ['Access-Control-Expose-Headers', EXPOSED],
    ['Content-Security-Policy', "default-src 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (baseUrl.startsWith('https:')) headers.push([...HTTPS_ONLY]);
  return headers.flat();
}

/**
 * Returns the headers that let the page that sent a form read the response, names and values in turn. Any
 * page may: no cookies are read here, so its credentials give it nothing. The origin is named because
 * browsers refuse `*` to requests with credentials, which `sendBeacon` always makes.
 * @param origin the header of the request
 */
export function readableBy(origin: string | undefined): string[] {
  if (origin === undefined) return ['Access-Control-Allow-Origin', '*', 'Vary', 'Origin'];
  return [
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'Vary',
    'Origin',
  ];
}
