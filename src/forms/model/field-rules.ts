import type { FieldProblem } from '../../platform/kernel/errors.js';
import type { PatternMatcher } from './field-pattern.js';
import {
  asTyped,
  brokenBy,
  MISSING,
  patternBroken,
  type BrokenRule,
  type FieldRule,
} from './field-rule.js';

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
