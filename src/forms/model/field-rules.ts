import { setImmediate } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { typedAddress } from '../../platform/kernel/text/email-address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { parseUrl } from '../../platform/kernel/text/url-text.js';

/** Longest pattern, in characters. */
export const PATTERN_MAX = 500;
/** Most steps of a compiled pattern: each character of a value can take as many. */
const STEPS_MAX = 1_000;
/** Most steps by the source, before anything is compiled: compilers find some that are the same. */
const WRITTEN_STEPS_MAX = 5_000;
/** Most steps of matching for one submission, by all rules and conditions together: some 30 ms. */
const BUDGET_STEPS = 300_000;
/** Steps of matching that take as long as to compile a step, and as to prepare a class of Unicode such as `\p{L}`. */
const COMPILING_STEPS = 30;
const CLASS_STEPS = 600;
/** Most compiled patterns in memory, and most steps that they have taken, of which each can leave 20 bytes. */
const COMPILED_MAX = 200;
const TAKEN_MAX = 3_000_000;

/** How much a pattern is: its steps, and how many classes of Unicode are among them. */
interface Size {
  steps: number;
  classes: number;
}

interface Compiled {
  /** Null for a text that is no pattern. */
  expression: RE2JS | null;
  steps: number;
  /** Steps of matching so far. */
  taken: number;
}

/** The compiled patterns of all forms, the one used last at the end: each submission asks anew. */
const COMPILED = new Map<string, Compiled>();
/** Sum of `taken` of all of them. */
let taken = 0;
/** Ends when another pattern may be compiled. */
let turn: Promise<void> = Promise.resolve();

/**
 * Tells whether a text can be a pattern: a regular expression as the `pattern` of HTML has it, without look-around
 * and back references, and of few steps. Compiles one in a turn of the event loop, so that others are served in between.
 */
export async function isPattern(text: string): Promise<boolean> {
  // A character can take two places in the text.
  if (text.length > 2 * PATTERN_MAX) return false;
  if (!COMPILED.has(text)) {
    turn = turn.then(() => setImmediate());
    await turn;
  }
  return compiled(text).expression !== null;
}

/** Matches the values of one submission with patterns, in limited time. */
export class PatternMatcher {
  private left = BUDGET_STEPS;
  /** Whether values were not matched, since that would have taken too long. */
  isCut = false;

  /**
   * Tells whether a pattern matches all of a text. It matches none if it is no pattern. Once the time is up every text
   * counts as matching, and `isCut` tells it.
   */
  matches(pattern: string, text: string): boolean {
    const known = COMPILED.get(pattern);
    const { steps, classes } = known ? { ...known, classes: 0 } : sizeOf(pattern);
    const begin = known ? 0 : steps * COMPILING_STEPS + classes * CLASS_STEPS;
    const needed = stepsFor(steps, text.length);
    if (this.isCut || begin + needed > this.left) {
      this.isCut = true;
      return true;
    }
    this.left -= begin + needed;
    const found = compiled(pattern);
    found.taken += needed;
    taken += needed;
    return found.expression?.matches(text) ?? false;
  }
}

/**
 * Computes how long matching can take, in steps of one state: a text leads to as many states as it has characters, and
 * to no more than there are. Where a state is known, a character takes a quarter of a step.
 */
function stepsFor(steps: number, length: number): number {
  return Math.min(length, 2 ** steps) * steps + length / 4;
}

function compiled(pattern: string): Compiled {
  const found = COMPILED.get(pattern) ?? compile(pattern);
  COMPILED.delete(pattern);
  for (const [oldest, { taken: itsTaken }] of COMPILED) {
    if (COMPILED.size < COMPILED_MAX && taken <= TAKEN_MAX) break;
    COMPILED.delete(oldest);
    taken -= itsTaken;
  }
  COMPILED.set(pattern, found);
  return found;
}

/** Takes what browsers and the engine both take: each has some syntax that the other reads in another way. */
function compile(pattern: string): Compiled {
  const none = { expression: null, steps: 0, taken: 0 };
  try {
    new RegExp(pattern, 'u');
    if (sizeOf(pattern).steps > WRITTEN_STEPS_MAX) return none;
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const steps = expression.programSize();
    return steps <= STEPS_MAX ? { expression, steps, taken: 0 } : none;
  } catch {
    return none;
  }
}

/** A piece of a pattern: the beginning of a group, a repetition, an atom. */
const PIECE =
  /\((?:\?(?::|<?[=!]|<\w{1,100}>))?|\{(\d+)(?:,(\d*))?\}|\\[pPu]\{[^{}]{1,100}\}|\\.|\[(?:\\.|[^\]\\]){0,1000}\]|./gsu;
const CLASS = /\\[pP]\{/g;
const NOTHING: Size = { steps: 0, classes: 0 };

/** Computes how large a pattern is once its repetitions are written out, by its source alone. */
function sizeOf(pattern: string): Size {
  const open = [{ sum: NOTHING, last: NOTHING }];
  for (const [piece, least, most] of pattern.matchAll(PIECE)) {
    const level = open.at(-1) ?? { sum: NOTHING, last: NOTHING };
    const { sum, last } = level;
    if (piece.startsWith('(')) open.push({ sum: NOTHING, last: NOTHING });
    else if (piece === ')' && open.length > 1) {
      open.pop();
      const around = open.at(-1) ?? level;
      around.sum = plus(around.sum, around.last);
      around.last = plus(plus(sum, last), { steps: 2, classes: 0 });
    } else if (least !== undefined) level.last = repeated(last, Number(least), most);
    else if (/^[*+?]$/.test(piece)) level.last = plus(last, { steps: 1, classes: 0 });
    else {
      level.sum = plus(sum, last);
      level.last = { steps: piece === '|' ? 2 : 1, classes: piece.match(CLASS)?.length ?? 0 };
    }
  }
  return open.map(({ sum, last }) => plus(sum, last)).reduce(plus);
}

function plus(one: Size, other: Size): Size {
  return { steps: one.steps + other.steps, classes: one.classes + other.classes };
}

/** @param most the largest number of times; absent for `least`, empty for any number */
function repeated({ steps, classes }: Size, least: number, most?: string): Size {
  const times = Math.max(least, Number(most ?? least), 1);
  const optional = most === undefined ? 0 : Math.max(times - least, 1);
  return { steps: steps * times + optional, classes: classes * times };
}

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
type BrokenRule = Omit<FieldProblem, 'field'>;

/** The email addresses that browsers take in `input type=email` (HTML Standard, 4.10.5.1.5), at most 254 characters. */
const EMAIL =
  /^(?=.{3,254}$)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
/** The numbers that browsers take in `input type=number` (HTML Standard, 2.3.4.3). */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

const MISSING: BrokenRule = { code: 'required', message: 'Fill in this field.' };
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
function asTyped({ type = 'text' }: FieldRule, text: string): string {
  return type === 'text' ? text.replaceAll('\r\n', '\n') : text.trim();
}

/** Returns the first rule that a value breaks, apart from its pattern; null for none. */
function brokenBy(rule: FieldRule, text: string): BrokenRule | null {
  return (
    OF_TYPE[rule.type ?? 'text'](text) ??
    numberBroken(rule, text) ??
    lengthBroken(rule, text) ??
    (rule.oneOf && !rule.oneOf.includes(text) ? NO_CHOICE : null)
  );
}

/** Returns the problem of a value that does not have the format of its field; null for none. */
function patternBroken(
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

/** Most rules of a form: as many rows as a page of them shows. */
export const RULES_MAX = 100;

/** Actions for a submission that breaks rules: ask its visitor to correct it, or store and hold it. */
export const ON_FAILURE = ['refuse', 'hold'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** A value of a submission under the name of its field. */
interface Value {
  name: string;
  text: string;
}

/** Holds what the fields of a form must be, and what happens to a submission that breaks that. */
export class FieldRules {
  static readonly NONE = new FieldRules([]);

  constructor(
    readonly list: readonly FieldRule[],
    readonly onFailure: OnFailure = 'refuse',
  ) {}

  /** Reads what `encode` wrote. */
  static decode(text: string | null): FieldRules {
    if (text === null) return FieldRules.NONE;
    const { rules, onFailure } = JSON.parse(text) as { rules: FieldRule[]; onFailure: OnFailure };
    return new FieldRules(rules, onFailure);
  }

  /** Returns the text that is stored: JSON; null when nothing differs from a form without rules. */
  encode(): string | null {
    const { list: rules, onFailure } = this;
    return rules.length === 0 && onFailure === 'refuse'
      ? null
      : JSON.stringify({ rules, onFailure });
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** Tells whether submissions that break rules are stored, and held. */
  get holds(): boolean {
    return !this.isEmpty && this.onFailure === 'hold';
  }

  /** Returns the rule of a field; null without one. */
  of(field: string): FieldRule | null {
    return this.list.find((rule) => rule.field === field) ?? null;
  }

  /**
   * Returns the fields that break their rules, each with the first rule that it breaks, in the order of the rules.
   * @param values all values, the repeated ones one by one; a rule holds for each of them
   * @param files a required field counts these too
   * @param matcher says whether all patterns were looked at
   */
  problemsOf(
    values: readonly Value[],
    files: readonly { field: string }[],
    matcher: PatternMatcher,
  ): FieldProblem[] {
    if (this.isEmpty) return [];
    const texts = new Map<string, string[]>(this.list.map(({ field }) => [field, []]));
    for (const { name, text } of values) texts.get(name)?.push(text);
    const withFile = new Set(files.map(({ field }) => field));
    return this.list.flatMap((rule) => {
      const { field } = rule;
      const problem = problemOf(rule, texts.get(field) ?? [], withFile.has(field), matcher);
      return problem ? [{ field, ...problem }] : [];
    });
  }
}

function problemOf(
  rule: FieldRule,
  values: readonly string[],
  hasFile: boolean,
  matcher: PatternMatcher,
): BrokenRule | null {
  if (rule.required === true && !hasFile && values.every((text) => text.trim() === '')) {
    return MISSING;
  }
  for (const value of values) {
    const text = asTyped(rule, value);
    if (text === '') continue;
    const problem = brokenBy(rule, text) ?? patternBroken(rule, text, matcher);
    if (problem) return problem;
  }
  return null;
}
