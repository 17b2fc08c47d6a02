import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../platform/config/config.js';

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

function nameFor(config: Config, name: string): string {
  return isHttps(config) ? HOST_PREFIX + name : name;
}

function isHttps({ baseUrl }: Config): boolean {
  return baseUrl.startsWith('https:');
}
