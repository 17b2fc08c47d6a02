import type { Request, Response } from 'express';
import { MINUTE_MS, SECOND_MS, DAY_MS, formatUuid, makeUuid } from '../../platform/index.js';
import { flashWords } from './words.js';
import { textOf, type Typed } from '../parts/index.js';
import type { Cause } from '../../health/health.service.js';

/** Written by the script of our pages, so its absence says that there is none. */
export const ZONE_COOKIE = 'fcs_zone';
const COOKIE = 'fcs_flash';
/** Life of the cookie in milliseconds: long enough for the page that follows. */
const NOTICE_KEPT_MS = MINUTE_MS;
/** Begins the names of cookies with offers; their keys rise with time. */
const OFFER_COOKIE = 'fcs_undo_';
/** How long an act can be taken back, by a key on each page that follows too, in milliseconds. */
const OFFERED_MS = 10 * SECOND_MS;
/** Bytes that browsers keep of one cookie, and that proxies accept for all of them. */
const OFFER_MAX_BYTES = 4_000;
const OFFERS_MAX_BYTES = 6_000;
const SEE_OTHER = 303;
/** Field of a form that takes something back: the key of its offer. */
export const OFFER_FIELD = 'offer';

/** A form that takes back what a sentence says was done. */
export interface Undo {
  /** A path of this service, taken by POST. */
  action: string;
  fields: [name: string, value: string][];
}

/** Name of a sentence that the next page shows. */
export type Flash = keyof typeof flashWords;

/** Something that was done a moment ago and can be taken back. */
export interface Offer extends Undo {
  key: string;
}

/** A sentence that is shown once, and the key of the offer to take back what it says. */
export interface Said {
  flash: Flash;
  key: string;
}

/** Sends the browser on to a page. */
export function redirect(response: Response, path: string) {
  setRedirect(response, path);
  response.end();
}

/**
 * Prepares the response that sends the browser on to a page, which shows a sentence of `flashWords` once.
 * @param path of this service, such as `/forms`
 */
export function setRedirect(response: Response, path: string, flash?: Flash, undo?: Undo) {
  const key = flash && setOffer(response, undo)?.key;
  if (flash) {
    response.cookie(COOKIE, `${flash}.${key ?? ''}`, { ...OPTIONS, maxAge: NOTICE_KEPT_MS });
  }
  response.set('Cache-Control', 'no-store').status(SEE_OTHER).location(path);
}

/**
 * Keeps in the browser how to take back what was done, and forgets what this request has taken back.
 * @returns null for nothing, and for what is too long for a cookie
 */
export function setOffer(response: Response, undo?: Undo): Offer | null {
  const { req: request } = response;
  const taken = takenBy(request);
  if (cookieOf(request, taken) !== null) response.clearCookie(taken, { path: '/' });
  const offered = undo ? packed(undo) : '';
  if (!undo || offered.length > OFFER_MAX_BYTES) return null;
  return { ...undo, key: offer(request, response, offered) };
}

/** Returns the name of the cookie with the offer that a request takes. */
function takenBy(request: Request) {
  return OFFER_COOKIE + textOf(request.body as Typed | undefined, OFFER_FIELD);
}

/** Adds an offer to the browser's offers; the oldest make room for it. @returns its key */
function offer(request: Request, response: Response, offered: string): string {
  let bytes = offered.length;
  for (const [name, value] of offersIn(request)) {
    bytes += value.length;
    if (bytes > OFFERS_MAX_BYTES) response.clearCookie(name, { path: '/' });
  }
  const key = formatUuid(makeUuid());
  response.cookie(OFFER_COOKIE + key, offered, { ...OPTIONS, maxAge: OFFERED_MS });
  return key;
}

/** Returns the sentence of the last redirect and removes its cookie; null for none, or an unknown name. */
export function takeFlash(request: Request, response: Response): Said | null {
  const said = cookieOf(request, COOKIE);
  if (said === null) return null;
  response.clearCookie(COOKIE, { path: '/' });
  const [flash = '', key = ''] = said.split('.', 2);
  return Object.hasOwn(flashWords, flash) ? { flash: flash as Flash, key } : null;
}

/** Returns the latest act that can still be taken back; null for none. */
export function latestOffer(request: Request): Offer | null {
  const left = offersIn(request).filter(([name]) => name !== takenBy(request));
  const [name, value] = left[0] ?? ['', ''];
  const [action = '', ...pairs] = Buffer.from(value, 'base64url').toString().split('\n');
  if (!action.startsWith('/') || action.startsWith('//')) return null;
  const fields = pairs
    .map((pair) => pair.split('=', 2))
    .map(([name = '', value = '']): [string, string] => [name, decodeURIComponent(value)]);
  return { key: name.slice(OFFER_COOKIE.length), action, fields };
}

/** Returns the cookies with offers, the latest first. */
function offersIn(request: Request): [name: string, value: string][] {
  return cookiesOf(request)
    .filter(([name]) => name.startsWith(OFFER_COOKIE))
    .sort(([one], [other]) => (one < other ? 1 : -1));
}

function packed({ action, fields }: Undo) {
  const pairs = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return Buffer.from([action, ...pairs].join('\n')).toString('base64url');
}

/** Returns the value of a cookie as it was sent, or null. */
export function cookieOf(request: Request, name: string): string | null {
  const pair = cookiesOf(request).find(([each]) => each === name);
  return pair?.[1] ?? null;
}

function cookiesOf(request: Request): [name: string, value: string][] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
}

/** Choices of how pages are drawn; each is kept by the browser, in a cookie `fcs_NAME`. The first one is no choice. */
const CHOICES = { scheme: ['system', 'light', 'dark'], rows: ['comfortable', 'compact'] } as const;

/** How pages are drawn in this browser. */
export type Display = {
  [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number];
};
export type DisplayName = keyof Display;

/** Names of the choices, in the order in which they are offered. */
export const DISPLAY_NAMES = Object.keys(CHOICES) as DisplayName[];

/** The choices of who has made none. */
export const DEFAULT_DISPLAY: Display = { scheme: 'system', rows: 'comfortable' };

/** Names the trouble that is put away until tomorrow; another one is shown. */
const QUIET_COOKIE = 'fcs_quiet';
const CHOICE_KEPT_MS = 365 * DAY_MS;
const QUIET_MS = DAY_MS;
const OPTIONS = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

/** Returns what can be chosen. */
export function displayChoices(name: DisplayName): readonly string[] {
  return CHOICES[name];
}

/** Returns how this browser draws pages. */
export function displayOf(request: Request): Display {
  const known = DISPLAY_NAMES.map((name) => {
    const value = cookieOf(request, `fcs_${name}`);
    return [name, CHOICES[name].find((each) => each === value) ?? CHOICES[name][0]];
  });
  return Object.fromEntries(known) as Display;
}

/** Keeps a choice for a year; an unknown one changes nothing. */
export function keepDisplay(response: Response, name: DisplayName, value: string) {
  if (!displayChoices(name).includes(value)) return;
  response.cookie(`fcs_${name}`, value, { ...OPTIONS, maxAge: CHOICE_KEPT_MS });
}

/** Returns what names a trouble, so that it can be put away. */
export function nameOfTrouble(causes: readonly Cause[]) {
  return causes.map(({ code, forms }) => `${forms}.${code}`).join('.');
}

/** Puts a trouble away for a day. */
export function putAway(response: Response, trouble: string) {
  if (/^[\w.]{1,600}$/.test(trouble)) {
    response.cookie(QUIET_COOKIE, trouble, { ...OPTIONS, maxAge: QUIET_MS });
  }
}

/** Tells whether a trouble was put away. */
export function isPutAway(request: Request, causes: readonly Cause[]) {
  return cookieOf(request, QUIET_COOKIE) === nameOfTrouble(causes);
}
