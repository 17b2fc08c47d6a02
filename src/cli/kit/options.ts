import { parseMoment } from '../../platform/kernel/time/moment.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { NAME_RULE, parseName } from '../../platform/kernel/text/name.js';
import { RIGHTS, type Right } from '../../access/rights.js';
import { WrongUse } from './cli.errors.js';

/** @throws WrongUse */
export function readId(option: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUse(`${option} must be a whole number of at least 1.`);
  return Number(text);
}

/** @throws WrongUse */
export function readName(option: string, text: string): string {
  const name = parseName(text);
  if (name === null) throw new WrongUse(`${option} ${NAME_RULE}.`);
  return name;
}

/** @throws WrongUse */
export function readEmail(option: string, text: string): string {
  const address = parseEmailAddress(text);
  if (address === null) throw new WrongUse(`${option} must be an email address.`);
  return address;
}

/** @throws WrongUse */
export function readRights(option: string, text: string): Right[] {
  const names = text.split(',').map((name) => name.trim());
  const rights = RIGHTS.filter((right) => names.includes(right));
  if (rights.length < new Set(names).size) {
    throw new WrongUse(`${option} must be a comma-separated list of ${RIGHTS.join(', ')}.`);
  }
  return rights;
}

/**
 * Reads a date by the same rule as the API.
 * @throws WrongUse
 */
export function readDate(option: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) {
    throw new WrongUse(`${option} must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.`);
  }
  return new Date(moment);
}
