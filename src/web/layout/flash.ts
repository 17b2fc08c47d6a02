import type { Request, Response } from 'express';
import { words } from '../words.js';
import { MINUTE_MS } from '../../platform/kernel/durations.js';

/** Written by the script of our pages, so its absence says that there is none. */
export const ZONE_COOKIE = 'fcs_zone';
const UNDO_COOKIE = 'fcs_undo';
const COOKIE = 'fcs_flash';
/** Life of the cookie in milliseconds: long enough for the page that follows. */
const KEPT_MS = MINUTE_MS;

/** A form that takes back what a sentence says was done. */
export interface Undo {
  /** A path of this service, taken by POST. */
  action: string;
  fields: [name: string, value: string][];
}

/** Name of a sentence that the next page shows. */
export type Flash = keyof typeof words.flash;

/**
 * Sends the browser on to a page, which shows a sentence of `words.flash` once.
 * @param path of this service, such as `/forms`
 * @param undo what the sentence offers to take back; short enough for a cookie of 4 kB
 */
export function redirect(response: Response, path: string, flash?: Flash, undo?: Undo): void {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: KEPT_MS } as const;
  if (flash) response.cookie(COOKIE, flash, options);
  if (flash && undo) response.cookie(UNDO_COOKIE, packed(undo), options);
  response.set('Cache-Control', 'no-store').redirect(303, path);
}

/** Returns the sentence of the last redirect and removes its cookie; null for none, or an unknown name. */
export function takeFlash(request: Request, response: Response): Flash | null {
  const name = cookieOf(request, COOKIE);
  if (name === null) return null;
  response.clearCookie(COOKIE, { path: '/' });
  return Object.hasOwn(words.flash, name) ? (name as Flash) : null;
}

/** Returns what the last redirect offers to take back, and forgets it. */
export function takeUndo(request: Request, response: Response): Undo | null {
  const sent = cookieOf(request, UNDO_COOKIE);
  if (sent === null) return null;
  response.clearCookie(UNDO_COOKIE, { path: '/' });
  const [action = '', ...pairs] = Buffer.from(sent, 'base64url').toString().split('\n');
  const fields = pairs
    .map((pair) => pair.split('=', 2))
    .map(([name = '', value = '']): [string, string] => [name, decodeURIComponent(value)]);
  return action.startsWith('/') && !action.startsWith('//') ? { action, fields } : null;
}

function packed({ action, fields }: Undo): string {
  const pairs = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return Buffer.from([action, ...pairs].join('\n')).toString('base64url');
}

/** Returns the value of a cookie as it was sent, or null. */
export function cookieOf(request: Request, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((each) => each.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}
