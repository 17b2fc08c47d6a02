import { typedAddress } from '../../platform/kernel/text/email-address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { parseUrl } from '../../platform/kernel/text/url-text.js';
import { parseDay } from '../../platform/kernel/time.js';
import type { PatternMatcher } from './field-pattern.js';
import type { Field, FieldKind } from './field.js';

/** A broken rule of a field, for its visitor. */
export type BrokenRule = Omit<FieldProblem, 'field'>;

/** The email addresses that browsers take in `input type=email` (HTML Standard, 4.10.5.1.5), at most 254 characters. */
const EMAIL =
  /^(?=.{3,254}$)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
/** The numbers that browsers take in `input type=number` (HTML Standard, 2.3.4.3). */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Phone numbers as people write them: a few digits at least, and what stands between them. */
const TEL = /^(?=(?:\D*\d){3})[+\d(][\d\s()./-]{2,40}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;

const MISSING: BrokenRule = { code: 'required', message: 'Fill in this field.' };
const MISMATCH: BrokenRule = {
  code: 'pattern_mismatch',
  message: 'This does not have the expected format. Check it for typing errors.',
};
const NO_CHOICE: BrokenRule = { code: 'not_a_choice', message: 'Choose one of the answers.' };

const OF_KIND: Partial<Record<FieldKind, (text: string) => BrokenRule | null>> = {
  email: (text) =>
    typedAddress(text) !== null || EMAIL.test(text)
      ? null
      : broken('not_an_email', 'Enter an address such as name@example.com.'),
  url: (text) =>
    parseUrl(text) ? null : broken('not_a_url', 'Enter an address such as https://example.com.'),
  number: (text) =>
    isNumber(text) ? null : broken('not_a_number', 'Enter a number in digits, such as 12 or 2.5.'),
  tel: (text) =>
    TEL.test(text) ? null : broken('not_a_phone', 'Enter a phone number such as +49 30 123456.'),
  date: (text) =>
    parseDay(text) ? null : broken('not_a_date', 'Enter a date such as 2030-01-31.'),
};

/** Returns a value as the kind of its field reads it: browsers remove blanks around all but plain text. */
function asTyped({ kind }: Field, text: string): string {
  return kind in OF_KIND ? text.trim() : text.replaceAll('\r\n', '\n');
}

/** Returns the first rule that a value breaks, apart from its pattern; null for none. */
function brokenBy(field: Field, text: string): BrokenRule | null {
  return (
    OF_KIND[field.kind]?.(text) ??
    numberBroken(field, text) ??
    lengthBroken(field, text) ??
    (field.choices && !field.choices.includes(text) ? NO_CHOICE : null)
  );
}

/** Returns the problem of a value that does not have the format of its field; null for none. */
function patternBroken(
  { pattern }: Field,
  text: string,
  matcher: PatternMatcher,
): BrokenRule | null {
  return pattern !== undefined && !matcher.matches(pattern, text) ? MISMATCH : null;
}

function numberBroken({ min, max }: Field, text: string): BrokenRule | null {
  if (min !== undefined && Number(text) < min) return broken('too_small', `Enter ${min} or more.`);
  if (max !== undefined && Number(text) > max) return broken('too_large', `Enter ${max} or less.`);
  return null;
}

function lengthBroken({ minLength, maxLength }: Field, text: string): BrokenRule | null {
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

/** A value of a submission under the name of its field. */
export interface Value {
  name: string;
  text: string;
}

/** A file of a submission under the name of its field. */
export interface SentFile {
  field: string;
  name: string;
  /** In bytes. */
  size?: number;
}

/** Values that mean a box that is not ticked, as scripts send them. */
const UNTICKED = new Set(['', 'false', 'off', '0', 'no']);

/**
 * Returns the first rule of a field that a submission breaks; null for none.
 * @param values all its values, the repeated ones one by one; a rule holds for each of them
 * @param files a required field counts these too
 */
export function problemOf(
  field: Field,
  values: readonly string[],
  files: readonly SentFile[],
  matcher: PatternMatcher,
): BrokenRule | null {
  const isEmpty = (text: string) =>
    field.kind === 'check' ? UNTICKED.has(text.trim().toLowerCase()) : text.trim() === '';
  if (field.required === true && files.length === 0 && values.every(isEmpty)) return MISSING;
  if (field.kind === 'choice' && values.length > 1) return NO_CHOICE;
  for (const value of values) {
    const text = asTyped(field, value);
    if (text === '') continue;
    const problem = brokenBy(field, text) ?? patternBroken(field, text, matcher);
    if (problem) return problem;
  }
  for (const file of files) {
    const problem = fileBroken(field, file);
    if (problem) return problem;
  }
  return null;
}

function fileBroken({ fileTypes, maxFileBytes }: Field, file: SentFile): BrokenRule | null {
  const ending = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0] ?? '';
  if (fileTypes && !fileTypes.includes(ending)) {
    return broken('wrong_file_type', `Choose a file of the type ${fileTypes.join(', ')}.`);
  }
  if (maxFileBytes !== undefined && (file.size ?? 0) > maxFileBytes) {
    return broken('file_too_large', `Choose a file of at most ${bytesText(maxFileBytes)}.`);
  }
  return null;
}

function bytesText(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
