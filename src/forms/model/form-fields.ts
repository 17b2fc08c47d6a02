import { type FieldProblem, typedAddress, parseUrl, parseDay } from '../../platform/index.js';
import { ENGLISH, type Key, type Said, type Words } from '../../languages/words.js';
import { fieldLabel, type PatternMatcher, type Field, type FieldKind } from './field.js';

/** The properties of a field that are rules for what is sent. */
const RULES = [
  ...['required', 'min', 'max', 'minLength', 'maxLength', 'pattern', 'choices'],
  ...['fileTypes', 'maxFileBytes', 'unique'],
] as const satisfies (keyof Field)[];
/** Kinds that take only some values. */
const STRICT: ReadonlySet<FieldKind> = new Set(['email', 'url', 'tel', 'number', 'date']);

/** Tells whether a field can be broken by what is sent. */
export function hasRules(field: Field) {
  return STRICT.has(field.kind) || RULES.some((rule) => field[rule] !== undefined);
}

/** Actions for a submission that breaks rules: ask its visitor to correct it, or store and hold it. */
export const ON_FAILURE = ['refuse', 'hold'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** Holds the fields of a form in their order, and what happens to a submission that breaks one. */
export class FormFields {
  static readonly NONE = new FormFields([]);

  private readonly byName: ReadonlyMap<string, Field>;
  /** The fields that can be broken. */
  readonly rules: readonly Field[];

  constructor(
    readonly list: readonly Field[],
    readonly onFailure: OnFailure = 'refuse',
  ) {
    this.byName = new Map(list.map((field) => [field.name, field]));
    this.rules = list.filter(hasRules);
  }

  /** Reads what `encode` wrote. */
  static decode(text: string | null): FormFields {
    if (text === null) return FormFields.NONE;
    const { fields, onFailure } = JSON.parse(text) as { fields: Field[]; onFailure: OnFailure };
    return new FormFields(fields, onFailure);
  }

  /** Returns the text that is stored: JSON; null when nothing is known. */
  encode(): string | null {
    const { list: fields, onFailure } = this;
    if (fields.length === 0 && onFailure === 'refuse') return null;
    return JSON.stringify({ fields, onFailure });
  }

  /** Returns the field of this name; null for one that is not listed. */
  of(name: string): Field | null {
    return this.byName.get(name) ?? null;
  }

  /** Returns what people read of a field: the owner's label, else one made from its name. */
  labelOf(name: string) {
    return this.byName.get(name)?.label ?? fieldLabel(name);
  }

  /** Tells whether a text stands in a choice: then who set the fields wrote it, and no visitor. */
  offers(text: string) {
    return this.list.some(({ choices }) => choices?.some((choice) => choice.includes(text)));
  }

  /** Returns answers in the order of the fields; others follow as they were sent. */
  sorted<T extends { name: string }>(answers: readonly T[]): T[] {
    const order = new Map(this.list.map(({ name }, index) => [name, index]));
    const placeOf = ({ name }: T) => order.get(name) ?? order.size;
    return [...answers].sort((one, other) => placeOf(one) - placeOf(other));
  }

  /** Returns the names of the fields that rows of the inbox show; null where nobody has chosen. */
  get inInbox(): string[] | null {
    const names = this.list.filter(({ inInbox }) => inInbox).map(({ name }) => name);
    return names.length > 0 ? names : null;
  }

  /** Tells whether submissions that break a field are stored, and held. */
  get holds() {
    return this.rules.length > 0 && this.onFailure === 'hold';
  }

  /**
   * Returns the fields that a submission breaks, in their order, each with the first rule that it breaks.
   * @param matcher says whether all patterns were looked at
   * @param words of the visitor
   */
  problemsOf(
    values: readonly Value[],
    files: readonly SentFile[],
    matcher: PatternMatcher,
    words: Words = ENGLISH,
  ): FieldProblem[] {
    if (this.rules.length === 0) return [];
    const texts = new Map<string, string[]>(this.rules.map(({ name }) => [name, []]));
    for (const { name, text } of values) texts.get(name)?.push(text);
    return this.rules.flatMap((field) => {
      const own = files.filter((file) => file.field === field.name);
      const problem = problemOf(field, texts.get(field.name) ?? [], own, matcher);
      if (!problem) return [];
      const { code, values: named = {} } = problem;
      return [{ field: field.name, code, message: words.tell({ key: `problem.${code}`, values: named }) }];
    });
  }
}

type ProblemCode<K> = K extends `problem.${infer Code}` ? Code : never;
/** A broken rule of a field, with the values of its text. */
interface BrokenRule {
  code: ProblemCode<Key>;
  values?: Said['values'];
}

/** The email addresses that browsers take in `input type=email` (HTML Standard, 4.10.5.1.5), at most 254 characters. */
const EMAIL =
  /^(?=.{3,254}$)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
/** The numbers that browsers take in `input type=number` (HTML Standard, 2.3.4.3). */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Phone numbers as people write them: a few digits at least, and what stands between them. */
const TEL = /^(?=(?:\D*\d){3})[+\d(][\d\s()./-]{2,40}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;

const MISSING: BrokenRule = { code: 'required' };
const MISMATCH: BrokenRule = { code: 'pattern_mismatch' };
const NO_CHOICE: BrokenRule = { code: 'not_a_choice' };

const OF_KIND: Partial<Record<FieldKind, (text: string) => BrokenRule | null>> = {
  email: (text) => (typedAddress(text) !== null || EMAIL.test(text) ? null : { code: 'not_an_email' }),
  url: (text) => (parseUrl(text) ? null : { code: 'not_a_url' }),
  number: (text) => (isNumber(text) ? null : { code: 'not_a_number' }),
  tel: (text) => (TEL.test(text) ? null : { code: 'not_a_phone' }),
  date: (text) => (parseDay(text) ? null : { code: 'not_a_date' }),
};

/** Returns a value as the kind of its field reads it: browsers remove blanks around all but plain text. */
function asTyped({ kind }: Field, text: string) {
  return kind in OF_KIND ? text.trim() : text.replaceAll('\r\n', '\n');
}

/** Returns the first rule that a value breaks, apart from its pattern; null for none. */
function brokenBy(field: Field, text: string) {
  return (
    OF_KIND[field.kind]?.(text) ??
    numberBroken(field, text) ??
    lengthBroken(field, text) ??
    (field.choices && !field.choices.includes(text) ? NO_CHOICE : null)
  );
}

/** Returns the problem of a value that does not have the format of its field; null for none. */
function patternBroken({ pattern }: Field, text: string, matcher: PatternMatcher) {
  return pattern !== undefined && !matcher.matches(pattern, text) ? MISMATCH : null;
}

function numberBroken({ min, max }: Field, text: string): BrokenRule | null {
  if (min !== undefined && Number(text) < min) return { code: 'too_small', values: { min } };
  if (max !== undefined && Number(text) > max) return { code: 'too_large', values: { max } };
  return null;
}

function lengthBroken({ minLength, maxLength }: Field, text: string): BrokenRule | null {
  if (minLength === undefined && maxLength === undefined) return null;
  const length = charactersIn(text);
  if (minLength !== undefined && length < minLength) {
    return { code: 'too_short', values: { count: minLength, length } };
  }
  if (maxLength !== undefined && length > maxLength) {
    return { code: 'too_long', values: { count: maxLength, length } };
  }
  return null;
}

function isNumber(text: string) {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

function charactersIn(text: string) {
  let count = 0;
  for (const _ of text) count++;
  return count;
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
function problemOf(field: Field, values: readonly string[], files: readonly SentFile[], matcher: PatternMatcher) {
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
    return { code: 'wrong_file_type', values: { types: fileTypes.join(', ') } };
  }
  if (maxFileBytes !== undefined && (file.size ?? 0) > maxFileBytes) {
    return { code: 'file_too_large', values: { size: bytesText(maxFileBytes) } };
  }
  return null;
}

/** Returns a size for visitors, such as `2.5 MB`. */
export function bytesText(bytes: number) {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
