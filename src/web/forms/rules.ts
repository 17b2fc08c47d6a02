import type { FieldRule, FieldRules } from '../../forms/model/field-rules.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';

/** Inputs of a rule that hold a number. */
export const NUMBERS = ['min', 'max', 'min_length', 'max_length'] as const;
type NumberName = (typeof NUMBERS)[number];

/** A rule as its inputs show it; an empty text asks for nothing. */
export interface RuleTyped extends Record<NumberName, string> {
  field: string;
  required: boolean;
  type: string;
  pattern: string;
  /** One choice a line. */
  one_of: string;
}

/** Rows of the page: rules, and fields without any that came lately. */
export interface RulesTyped {
  rules: RuleTyped[];
  onFailure: string;
}

export const NO_RULE: RuleTyped = {
  ...{ field: '', required: false, type: 'text', pattern: '', one_of: '' },
  ...{ min: '', max: '', min_length: '', max_length: '' },
};

/** Returns the rules as their inputs show them. */
export function rulesTyped({ list, onFailure }: FieldRules): RulesTyped {
  return { rules: list.map(ruleShown), onFailure };
}

/** Adds a row for each field that has none. */
export function withFields(
  { rules, onFailure }: RulesTyped,
  fields: readonly string[],
): RulesTyped {
  const known = new Set(rules.map(({ field }) => field));
  const others = fields.filter((field) => !known.has(field));
  return { onFailure, rules: [...rules, ...others.map((field) => ({ ...NO_RULE, field }))] };
}

/**
 * Reads what the page sent. Rows without a name and without a rule are left out.
 * @param most rows that are read at most
 */
export function readTyped(typed: Typed | undefined, most: number): RulesTyped {
  const rules = Array.from({ length: most }, (_, at) => readRule(typed, `rules.${at}.`));
  return {
    rules: rules.filter((rule) => rule.field !== '' && asksForAnything(rule)),
    onFailure: textOf(typed, 'on_failure'),
  };
}

/** Returns the rules as a body of the API. */
export function bodyOf({ rules, onFailure }: RulesTyped): object {
  return { rules: rules.map(ruleBody), on_failure: onFailure };
}

/** Tells whether a rule asks for anything. */
export function asksForAnything({ field: _, ...rule }: RuleTyped): boolean {
  return Object.entries(rule).some(([name, value]) => value !== NO_RULE[name as keyof RuleTyped]);
}

function ruleShown(rule: FieldRule): RuleTyped {
  const { field, required = false, type = 'text', pattern = '', oneOf = [] } = rule;
  return {
    ...{ field, required, type, pattern, one_of: oneOf.join('\n') },
    ...{ min: shown(rule.min), max: shown(rule.max) },
    ...{ min_length: shown(rule.minLength), max_length: shown(rule.maxLength) },
  };
}

function readRule(typed: Typed | undefined, prefix: string): RuleTyped {
  const text = (name: string) => textOf(typed, prefix + name);
  const numbers = NUMBERS.map((name) => [name, text(name).trim()] as const);
  return {
    field: text('field'),
    required: isTicked(typed, `${prefix}required`),
    type: text('type') || NO_RULE.type,
    pattern: text('pattern'),
    one_of: text('one_of').replaceAll('\r\n', '\n'),
    ...(Object.fromEntries(numbers) as Record<NumberName, string>),
  };
}

function ruleBody({ field, required, type, pattern, one_of, ...numbers }: RuleTyped): object {
  const choices = one_of.split('\n').filter((choice) => choice.trim() !== '');
  const given = NUMBERS.filter((name) => numbers[name] !== '');
  return {
    field,
    ...(required && { required }),
    ...(type !== NO_RULE.type && { type }),
    ...(pattern !== '' && { pattern }),
    ...(choices.length > 0 && { one_of: choices }),
    ...Object.fromEntries(given.map((name) => [name, Number(numbers[name])])),
  };
}

function shown(number: number | undefined): string {
  return number === undefined ? '' : String(number);
}
