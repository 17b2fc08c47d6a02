import type { CookieOptions, Request, Response } from 'express';
import { type Config, parseUrl } from '../../platform/index.js';
import type { BegunSession } from '../sessions/sessions.service.js';

/** Browsers take a cookie of this prefix only over https, for this host and all of its paths. */
const HOST_PREFIX = '__Host-';

/** Returns the value of a cookie, not yet checked; null without one. */
export function readCookie(request: Request, config: Config, name: string): string | null {
  const wanted = nameFor(config, name);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    if (key.trim() === wanted) return value.trim();
  }
  return null;
}

/**
 * Sets a cookie that no script reads and no other site's form sends.
 * @param maxAgeMs null: until the browser is closed
 */
export function setCookie(
  response: Response,
  config: Config,
  name: string,
  value: string,
  maxAgeMs: number | null,
): void {
  const options = { ...optionsFor(config), ...(maxAgeMs !== null && { maxAge: maxAgeMs }) };
  response.cookie(nameFor(config, name), value, options);
}

export function clearCookie(response: Response, config: Config, name: string): void {
  response.clearCookie(nameFor(config, name), optionsFor(config));
}

/** Returns the attributes that every such cookie has. */
function optionsFor(config: Config): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isHttps(config), path: '/' };
}

function nameFor(config: Config, name: string) {
  return isHttps(config) ? HOST_PREFIX + name : name;
}

function isHttps({ baseUrl }: Config) {
  return baseUrl.startsWith('https:');
}

const NAME = 'fcs_session';

/** Returns the secret of a request's session, not yet checked; null without one. */
export function sessionSecretOf(request: Request, config: Config): string | null {
  return readCookie(request, config, NAME);
}

/** Sets the cookie of a session, for the life of the session or, on a shared device, until the browser is closed. */
export function setSessionCookie(response: Response, config: Config, { session, secret }: BegunSession) {
  const { maxAgeSeconds } = session;
  const maxAgeMs = maxAgeSeconds === null ? null : maxAgeSeconds * 1_000;
  setCookie(response, config, NAME, secret, maxAgeMs);
}

export function clearSessionCookie(response: Response, config: Config) {
  clearCookie(response, config, NAME);
}

const HERE = 'http://here.invalid';

/**
 * Reads the path of this service to continue at, such as from `?next=`.
 * @returns path and query in their normal form; null for what leads elsewhere, such as `//evil.example`
 */
export function parseLocalPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return null;
  const url = value.includes('\\') ? null : parseUrl(value, HERE);
  if (!url) return null;
  const { origin, pathname, search } = url;
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : null;
}
