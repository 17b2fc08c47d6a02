import type { Request } from 'express';
import type { Device } from '../../sessions/session.entity.js';
import { addressOf } from '../../platform/http/address.js';
import type { Config } from '../../platform/config/config.js';
import { parseEmailAddress } from '../../platform/kernel/email-address.js';
import { parseTimeZone } from '../../platform/kernel/time-zone.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { cookieOf } from '../layout/flash.js';
import { InvalidForm, textOf, type Typed } from '../layout/typed.js';

const NAME_MAX = 255;
/** Where the script of the pages tells the zone of the browser. */
const ZONE_COOKIE = 'fcs_zone';

/** Returns where a request comes from, for the session that it begins. */
export function deviceOf(request: Request, config: Config, isShared: boolean): Device {
  return {
    address: addressOf(request, config),
    userAgent: request.headers['user-agent'] ?? '',
    isShared,
  };
}

/**
 * Reads name, address and time zone of somebody new.
 * @throws InvalidForm
 */
export function readPerson(request: Request, typed: Typed | undefined) {
  const { name, timeZone } = readName(request, typed);
  const email = parseEmailAddress(textOf(typed, 'email'));
  if (email === null) {
    throw new InvalidForm([
      problem('email', 'not_an_email', 'must be an e-mail address such as jane@example.com.'),
    ]);
  }
  return { email, name, timeZone };
}

/**
 * Reads name and time zone of somebody new.
 * @throws InvalidForm
 */
export function readName(request: Request, typed: Typed | undefined) {
  const name = textOf(typed, 'name').trim();
  if (name === '' || Array.from(name).length > NAME_MAX) {
    const message = `must have 1 to ${NAME_MAX} characters.`;
    throw new InvalidForm([problem('name', 'wrong_length', message)]);
  }
  return { name, timeZone: parseTimeZone(cookieOf(request, ZONE_COOKIE)) ?? 'UTC' };
}

function problem(field: string, code: string, message: string): FieldProblem {
  return { field, code, message: `${field} ${message}` };
}
