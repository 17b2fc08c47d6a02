import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { PatternMatcher } from './field-pattern.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/** Most choices of a field. */
export const CHOICES_MAX = 100;
/** The kinds of values that a rule can ask for, as the `type` of an `input` in HTML. */
export const VALUE_TYPES = ['text', 'email', 'url', 'number'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Returns the kind of this name that asks for more than a text; undefined for any other. */
export function valueTypeOf(name: unknown): ValueType | undefined {
  return VALUE_TYPES.find((type) => type === name && type !== 'text');
}

/** Rules of one field of a form; an absent one asks for nothing. */
export interface FieldRule {
  /** Name of the field, as the form sends it. */
  field: string;
  required?: boolean;
  type?: ValueType;
  /** Bounds of a number. */
  min?: number;
  max?: number;
  /** Bounds of the length, in characters. */
  minLength?: number;
  maxLength?: number;
  /** A regular expression for all of the value. */
  pattern?: string;
  /** The values that the field can have. */
  oneOf?: readonly string[];
}

/** A broken rule of a field, for its visitor. */
export type BrokenRule = Omit<FieldProblem, 'field'>;

/** The email addresses that browsers take in `input type=email` (HTML Standard, 4.10.5.1.5), at most 254 characters. */
const EMAIL =
  /^(?=.{3,254}$)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
/** The numbers that browsers take in `input type=number` (HTML Standard, 2.3.4.3). */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

export const MISSING: BrokenRule = { code: 'required', message: 'Fill in this field.' };
const MISMATCH: BrokenRule = {
  code: 'pattern_mismatch',
  message: 'This does not have the expected format. Check it for typing errors.',
};
const NO_CHOICE: BrokenRule = { code: 'not_a_choice', message: 'Choose one of the answers.' };

const OF_TYPE: Record<ValueType, (text: string) => BrokenRule | null> = {
  text: () => null,
  email: (text) =>
    typedAddress(text) !== null || EMAIL.test(text)
      ? null
      : broken('not_an_email', 'Enter an address such as name@example.com.'),
  url: (text) =>
    parseUrl(text) ? null : broken('not_a_url', 'Enter an address such as https://example.com.'),
  number: (text) =>
    isNumber(text) ? null : broken('not_a_number', 'Enter a number in digits, such as 12 or 2.5.'),
};

/** Returns a value as the type of its field reads it: browsers remove blanks around all but plain text. */
export function asTyped({ type = 'text' }: FieldRule, text: string): string {
  return type === 'text' ? text.replaceAll('\r\n', '\n') : text.trim();
}

/** Returns the first rule that a value breaks, apart from its pattern; null for none. */
export function brokenBy(rule: FieldRule, text: string): BrokenRule | null {
  return (
    OF_TYPE[rule.type ?? 'text'](text) ??
    numberBroken(rule, text) ??
    lengthBroken(rule, text) ??
    (rule.oneOf && !rule.oneOf.includes(text) ? NO_CHOICE : null)
  );
}

/** Returns the problem of a value that does not have the format of its field; null for none. */
export function patternBroken(
  { pattern }: FieldRule,
  text: string,
  matcher: PatternMatcher,
): BrokenRule | null {
  return pattern !== undefined && !matcher.matches(pattern, text) ? MISMATCH : null;
}

function numberBroken({ min, max }: FieldRule, text: string): BrokenRule | null {
  if (min !== undefined && Number(text) < min) return broken('too_small', `Enter ${min} or more.`);
  if (max !== undefined && Number(text) > max) return broken('too_large', `Enter ${max} or less.`);
  return null;
}

function lengthBroken({ minLength, maxLength }: FieldRule, text: string): BrokenRule | null {
  if (minLength === undefined && maxLength === undefined) return null;
  const length = charactersIn(text);
  if (minLength !== undefined && length < minLength) {
    return broken('too_short', `Write at least ${characters(minLength)}; you wrote ${length}.`);
  }
  if (maxLength !== undefined && length > maxLength) {
    return broken('too_long', `Write at most ${characters(maxLength)}; you wrote ${length}.`);
  }
  return null;
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function broken(code: string, message: string): BrokenRule {
  return { code, message };
}
