import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';

/**
 * The headers that helmet sends by default, without `upgrade-insecure-requests`, which would break pages
 * where the service is reached over http. They are a table, since helmet's chain of handlers takes longer
 * than our routing; a test compares the two.
 */
const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';" +
      "frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';" +
      "script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
];

/** Asks browsers for https for a year, on this host alone: others of its domain may have none. */
export const HTTPS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/**
 * Returns the headers of every answer, with Strict-Transport-Security only where BASE_URL is https.
 * @returns names in their usual spelling, with their values
 */
export function securityHeadersOf({ baseUrl }: Pick<Config, 'baseUrl'>): Map<string, string> {
  const https = baseUrl.startsWith('https:');
  return new Map(https ? [...SECURITY_HEADERS, HTTPS_ONLY] : SECURITY_HEADERS);
}

/** Matches addresses of the API. Caches may not keep its answers: each is for one caller at one moment. */
const API = /^\/api(?:[/?]|$)/i;

/**
 * Sets the headers of every answer. A handler of its own for the API, under its path, would have Express take the
 * address apart and put it together again.
 */
export function securityHeaders(config: Config): RequestHandler {
  const headers = securityHeadersOf(config);
  return (request, response, next) => {
    response.setHeaders(headers);
    if (API.test(request.url)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}
