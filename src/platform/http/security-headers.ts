import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';

/**
 * What every answer tells browsers: what helmet sends by default, but for `upgrade-insecure-requests`,
 * which asks for scripts over https even where the service is reached over http. As a table, since
 * helmet's chain of handlers costs more than the way to a handler of ours; a test compares the two.
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

/** For a year, and for this host alone: others of its domain may have no https. */
export const HTTPS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/**
 * Returns the headers of every answer; those that insist on https only where BASE_URL is https.
 * @returns names in their usual spelling, with their values
 */
export function securityHeadersOf({ baseUrl }: Pick<Config, 'baseUrl'>): Map<string, string> {
  const https = baseUrl.startsWith('https:');
  return new Map(https ? [...SECURITY_HEADERS, HTTPS_ONLY] : SECURITY_HEADERS);
}

/** Sets the headers of every answer. */
export function securityHeaders(config: Config): RequestHandler {
  const headers = securityHeadersOf(config);
  return (_, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
