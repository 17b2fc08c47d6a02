import type { PatternMatcher } from '../../forms/model/field.js';
import { normalise } from '../../platform/index.js';
import type { SentSubmission, SentValues } from '../../deliveries/delivery-planner.js';
import type { Band } from '../../spam/evidence/verdict.js';
import { pageOf } from '../../submissions/model/page-address.js';

/** Facts of a submission, besides its fields, that a condition can look at. */
export const FACTS = ['verdict', 'language', 'page', 'file'] as const;

export type Fact = (typeof FACTS)[number];

/** Most conditions of a destination. */
export const CONDITIONS_MAX = 20;

/** Longest part of the values of a field that a condition looks at, in UTF-16 code units of all together. */
const LOOKED_AT_MAX = 10_000;

/** Longest value that can match a pattern, in UTF-16 code units: matching takes a step of a pattern for each. */
const MATCHED_MAX = 2_000;

/** Says of one of the values of a field, or of a fact, that it is, contains or matches something. */
export interface Condition {
  /** Name of a field; null for a condition about a fact. */
  field: string | null;
  /** Null for a condition about a field. */
  fact: Fact | null;
  op: Operation;
  value: string;
}

export const MATCHINGS = ['all', 'any'] as const;

export type Matching = (typeof MATCHINGS)[number];

/** Chooses submissions: those for which all conditions hold, or any; without conditions all of them. */
export interface Choice {
  match: Matching;
  conditions: readonly Condition[];
}

/** Facts that conditions are tried against, besides the verdict. */
export interface Facts extends Pick<SentSubmission, 'referer' | 'language'> {
  values: Pick<SentValues, 'items'>;
  hasFiles: boolean;
  matcher: PatternMatcher;
}

/**
 * Comparisons by name. Texts are compared without blanks around them, and in any case; numbers as numbers. `matches`
 * takes a pattern that all of a value must match, as the `pattern` of HTML.
 */
const OPERATIONS = {
  is: (text, value) => folded(text) === folded(value),
  is_not: (text, value) => folded(text) !== folded(value),
  contains: (text, value) => folded(text).includes(folded(value)),
  matches: (text, value, matcher) => text.length <= MATCHED_MAX && matcher.matches(value, text.trim()),
  greater: (text, value) => numberIn(text) > numberIn(value),
  less: (text, value) => numberIn(text) < numberIn(value),
} as const satisfies Record<string, (text: string, value: string, matcher: PatternMatcher) => boolean>;

export type Operation = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as Operation[];

/**
 * Says when a chosen submission goes out: what is held once it is released, unless a condition asks for what is held;
 * spam never, unless one asks for spam.
 */
export function goesOut(choice: Choice, facts: Facts, band: Band): 'at once' | 'once released' | 'never' {
  const chosenAs = (as: Band) => isChosen(choice, facts, as);
  if (band === 'clean') return chosenAs('clean') ? 'at once' : 'never';
  if (asksFor(choice, band) && chosenAs(band)) return 'at once';
  return band === 'held' && chosenAs('clean') ? 'once released' : 'never';
}

function asksFor({ conditions }: Choice, band: Band) {
  return conditions.some(({ fact, op, value }) => fact === 'verdict' && op === 'is' && value === band);
}

function isChosen({ match, conditions }: Choice, facts: Facts, band: Band) {
  if (conditions.length === 0) return true;
  const doesHold = (condition: Condition) => holds(condition, facts, band);
  return match === 'all' ? conditions.every(doesHold) : conditions.some(doesHold);
}

/** Tells whether a condition holds: for one of the values of its field; `is_not` for all of them, and for none. */
function holds({ field, fact, op, value }: Condition, facts: Facts, band: Band) {
  const texts = field === null ? textsOf(fact, facts, band) : valuesOf(field, facts);
  if (fact === 'language') {
    const speaks = texts.some((text) => text === folded(value) || text.startsWith(`${folded(value)}-`));
    return speaks === (op === 'is');
  }
  const test = (text: string) => OPERATIONS[op](text, value, facts.matcher);
  return op === 'is_not' ? texts.every(test) : texts.some(test);
}

/** The values that facts can have; absent where there are many. */
export const FACT_VALUES: Readonly<Partial<Record<Fact, readonly string[]>>> = {
  verdict: ['clean', 'held', 'spam'] satisfies Band[],
  file: ['yes', 'no'],
};

/** The comparisons that facts have. */
export const OPERATIONS_OF: Readonly<Record<Fact, readonly Operation[]>> = {
  verdict: ['is', 'is_not'],
  language: ['is', 'is_not'],
  page: ['is', 'is_not', 'contains', 'matches'],
  file: ['is', 'is_not'],
};

/** Tells whether a value is a number, as `greater` and `less` compare. */
export function isNumber(text: string) {
  return !Number.isNaN(numberIn(text));
}

export function valuesOf(field: string, { values }: Pick<Facts, 'values'>): string[] {
  let left = LOOKED_AT_MAX;
  return values.items().flatMap(({ name, text }) => {
    if (name !== field || left <= 0) return [];
    const looked = text.slice(0, left);
    left -= text.length;
    return looked;
  });
}

function textsOf(fact: Fact | null, { language, referer, hasFiles }: Facts, band: Band) {
  if (fact === 'verdict') return [band];
  if (fact === 'language') return language === null ? [] : [language];
  if (fact === 'page') return [pageOf({ referer })];
  return [hasFiles ? 'yes' : 'no'];
}

export function folded(text: string) {
  return normalise(text.trim(), 'NFC').toLowerCase();
}

/** Reads a number; a comma is its point where it has no other. */
function numberIn(text: string) {
  const plain = text.trim();
  return plain === '' ? NaN : Number(/^-?\d+,\d+$/.test(plain) ? plain.replace(',', '.') : plain);
}
