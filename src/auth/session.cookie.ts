import type { Request, Response } from 'express';
import type { Config } from '../platform/config/config.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { clearCookie, readCookie, setCookie } from './guarded.cookie.js';

const NAME = 'fcs_session';

/** Returns the secret of a request's session, not yet checked; null without one. */
export function sessionSecretOf(request: Request, config: Config): string | null {
  return readCookie(request, config, NAME);
}

/**
 * Sets the cookie of a session, for the life of the session or, on a shared device, until the browser is
 * closed.
 */
export function setSessionCookie(
  response: Response,
  config: Config,
  { session, secret }: BegunSession,
): void {
  const { maxAgeSeconds } = session;
  const maxAgeMs = maxAgeSeconds === null ? null : maxAgeSeconds * 1_000;
  setCookie(response, config, NAME, secret, maxAgeMs);
}

export function clearSessionCookie(response: Response, config: Config): void {
  clearCookie(response, config, NAME);
}
