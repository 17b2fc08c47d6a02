import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../platform/config/config.js';
import type { BegunSession } from '../sessions/sessions.service.js';

const NAME = 'fcs_session';
/** Browsers take a cookie of this prefix only over https, for this host and all of its paths. */
const HOST_PREFIX = '__Host-';

/** The cookie of this name in a request; null without one. */
function readCookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    if (key.trim() === name) return value.trim();
  }
  return null;
}

/** The secret of the session that a request belongs to, not yet checked. */
export function sessionSecretOf(request: Request, config: Config): string | null {
  return readCookie(request, nameFor(config));
}

/** Lets the browser keep the session, for as long as it lasts or until the browser is closed. */
export function keepSession(
  response: Response,
  config: Config,
  { session, secret }: BegunSession,
): void {
  const { maxAgeSeconds } = session;
  response.cookie(nameFor(config), secret, {
    ...optionsFor(config),
    ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds * 1_000 }),
  });
}

/** Takes the session from the browser. */
export function dropSession(response: Response, config: Config): void {
  response.clearCookie(nameFor(config), optionsFor(config));
}

/** What every cookie of the pages has: no script reads it, no other site sends it along with a form. */
function optionsFor(config: Config): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: isHttps(config), path: '/' };
}

function nameFor(config: Config): string {
  return isHttps(config) ? HOST_PREFIX + NAME : NAME;
}

function isHttps({ baseUrl }: Config): boolean {
  return baseUrl.startsWith('https:');
}
