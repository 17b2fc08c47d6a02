import type { Request, Response } from 'express';
import { words } from '../words.js';

const COOKIE = 'fcs_flash';
/** Long enough for the page that follows, and no longer. */
const KEPT_MS = 60_000;

/** Name of a sentence that the next page shows. */
export type Flash = keyof typeof words.flash;

/**
 * Sends the browser on to a page, which shows a sentence of `words.flash` once.
 * @param path of this service, such as `/forms`
 */
export function redirect(response: Response, path: string, flash?: Flash): void {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: KEPT_MS } as const;
  if (flash) response.cookie(COOKIE, flash, options);
  response.set('Cache-Control', 'no-store').redirect(303, path);
}

/** Returns what the last redirect wants said, and forgets it. Only names of our own sentences count. */
export function takeFlash(request: Request, response: Response): Flash | null {
  const name = cookieOf(request, COOKIE);
  if (name === null) return null;
  response.clearCookie(COOKIE, { path: '/' });
  return Object.hasOwn(words.flash, name) ? (name as Flash) : null;
}

/** Returns the value of a cookie as it was sent, or null. */
export function cookieOf(request: Request, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((each) => each.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}
