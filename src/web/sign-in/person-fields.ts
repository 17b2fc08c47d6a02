import type { Request } from 'express';
import type { FirstWay } from '../../people/sign-in-methods/first-ways.js';
import { browserNameOf } from '../../people/sessions/browser-name.js';
import { parseEmailAddress, parseTimeZone, type FieldProblem } from '../../platform/index.js';
import { cookieOf, ZONE_COOKIE } from '../layout/cookies.js';
import { credentialOf, InvalidForm, textOf, type Typed } from '../parts/index.js';

const NAME_MAX = 255;

/**
 * Reads name, address and time zone of a new person.
 * @throws InvalidForm
 */
export function readPerson(request: Request, typed: Typed | undefined) {
  const { name, timeZone } = readName(request, typed);
  return { email: readEmail(typed), name, timeZone };
}

/**
 * Reads an email address.
 * @throws InvalidForm
 */
export function readEmail(typed: Typed | undefined) {
  const email = parseEmailAddress(textOf(typed, 'email'));
  if (email !== null) return email;
  const message = 'must be an email address such as jane@example.com.';
  throw new InvalidForm([problem('email', 'not_an_email', message)]);
}

/**
 * Reads name and time zone of a new person.
 * @throws InvalidForm
 */
export function readName(request: Request, typed: Typed | undefined) {
  const name = textOf(typed, 'name').trim();
  if (name === '' || Array.from(name).length > NAME_MAX) {
    const message = `must have 1 to ${NAME_MAX} characters.`;
    throw new InvalidForm([problem('name', 'wrong_length', message)]);
  }
  return { name, timeZone: readTimeZone(request) };
}

/** Returns the time zone of the browser; UTC when it has not told. */
export function readTimeZone(request: Request) {
  return browserZoneOf(request) ?? 'UTC';
}

/** Returns the time zone of the browser; null when it has not told. */
export function browserZoneOf(request: Request): string | null {
  return parseTimeZone(cookieOf(request, ZONE_COOKIE));
}

/** Reads how somebody new wants to sign in: by the passkey that came along, else by a password. */
export function readFirstWay(request: Request, typed: Typed | undefined): FirstWay {
  const credential = credentialOf(typed);
  if (credential === null) return { password: textOf(typed, 'password') };
  return { credential, passkeyName: browserNameOf(request.headers['user-agent'] ?? '') };
}

function problem(field: string, code: string, message: string): FieldProblem {
  return { field, code, message: `${field} ${message}` };
}
