import type { Request, Response } from 'express';
import { DAY_MS } from '../../platform/kernel/time/durations.js';
import { cookieOf } from './flash.js';
import type { TroubleSummary } from './troubles.js';

/** Choices of how pages are drawn; each is kept by the browser, in a cookie `fcs_NAME`. The first one is no choice. */
const CHOICES = {
  scheme: ['system', 'light', 'dark'],
  rows: ['comfortable', 'compact'],
} as const;

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
const KEPT_MS = 365 * DAY_MS;
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
export function keepDisplay(response: Response, name: DisplayName, value: string): void {
  if (!displayChoices(name).includes(value)) return;
  response.cookie(`fcs_${name}`, value, { ...OPTIONS, maxAge: KEPT_MS });
}

/** Returns what names a trouble, so that it can be put away. */
export function nameOfTrouble({ forms, codes }: TroubleSummary): string {
  return `${forms}.${codes.join('.')}`;
}

/** Puts a trouble away for a day. */
export function putAway(response: Response, trouble: string): void {
  if (/^\d{1,6}\.[\w.]{0,80}$/.test(trouble)) {
    response.cookie(QUIET_COOKIE, trouble, { ...OPTIONS, maxAge: QUIET_MS });
  }
}

/** Tells whether a trouble was put away. */
export function isPutAway(request: Request, trouble: TroubleSummary): boolean {
  return cookieOf(request, QUIET_COOKIE) === nameOfTrouble(trouble);
}
