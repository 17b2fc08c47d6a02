import { setImmediate } from 'node:timers/promises';
import { RE2JS } from 're2js';

/** Most fields of a form. */
export const FIELDS_MAX = 250;
/** Most of them that a row of the inbox shows: it is one line. */
export const IN_INBOX_MAX = 10;
/** Longest label and help, in characters. */
export const LABEL_MAX = 100;
export const HELP_MAX = 500;
/** Most choices of a field, and types of its files. */
export const CHOICES_MAX = 100;
export const FILE_TYPES_MAX = 20;

/** The kinds of fields, most as the `type` of an `input` in HTML. */
export const FIELD_KINDS = [
  ...['text', 'long_text', 'email', 'url', 'tel', 'number', 'date'],
  ...['choice', 'choices', 'check', 'file', 'hidden'],
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field of a form; an absent property asks for nothing. */
export interface Field {
  /** As the form sends it. */
  name: string;
  kind: FieldKind;
  /** Text that people read in place of the name. */
  label?: string;
  /** A sentence for visitors below the label. */
  help?: string;
  required?: boolean;
  /** Bounds of a number. */
  min?: number;
  max?: number;
  /** Bounds of the length, in characters. */
  minLength?: number;
  maxLength?: number;
  /** A regular expression for all of the value. */
  pattern?: string;
  /** The values that the field can have. */
  choices?: readonly string[];
  /** Endings of the names of files, such as `.pdf`. */
  fileTypes?: readonly string[];
  /** The largest file, in bytes. */
  maxFileBytes?: number;
  /** Whether no two submissions may have the same value. */
  unique?: boolean;
  /** Whether rows of the inbox show it. */
  inInbox?: boolean;
}

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
export async function isPattern(text: string) {
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
  matches(pattern: string, text: string) {
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
function stepsFor(steps: number, length: number) {
  return Math.min(length, 2 ** steps) * steps + length / 4;
}

function compiled(pattern: string) {
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

/**
 * Returns the name of a field as a person reads it: `first_name` and `firstName` are "First name".
 * A name that is already written in words, or holds anything but letters, digits, `_`, `-` and `.`,
 * stays as it is. Of a path such as `form.webhook_url` the last part counts.
 */
export function fieldLabel(name: string) {
  if (!/^[a-z][\w.-]*$/i.test(name)) return name;
  const last = name.split('.').findLast((part) => part !== '') ?? name;
  const spaced = last
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
