import type { FieldRule } from '../../forms/model/field-rule.js';

/** Fields that are sent where a form has no rules for them. */
const USUAL: readonly [string, string][] = [['message', 'This is a test by the service itself.']];
/** Text that fits into most fields. */
const FILLING = 'Canary ';

/** Returns invented values that keep the rules of a form as far as rules allow; no pattern is looked at. */
export function probeValues(rules: readonly FieldRule[]): [name: string, text: string][] {
  const ruled = new Set(rules.map(({ field }) => field));
  return [
    ...rules.map((rule): [string, string] => [rule.field, valueFor(rule)]),
    ...USUAL.filter(([name]) => !ruled.has(name)),
  ];
}

function valueFor(rule: FieldRule): string {
  const { oneOf, type, min, max } = rule;
  if (oneOf?.[0] !== undefined) return oneOf[0];
  switch (type) {
    case 'number':
      return String(min ?? (max !== undefined && max < 1 ? max : 1));
    case 'email':
      return fitted(rule, (more) => `canary${'y'.repeat(more)}@example.com`);
    case 'url':
      return fitted(rule, (more) => `https://example.com/${'y'.repeat(more)}`);
    default: {
      const length = Math.max(rule.minLength ?? 0, 6);
      const text = FILLING.repeat(Math.ceil(length / FILLING.length)).slice(0, length);
      // A blank at the end would not count.
      return text.replace(/ $/, 'y').slice(0, rule.maxLength ?? length);
    }
  }
}

function fitted({ minLength = 0 }: FieldRule, make: (more: number) => string): string {
  return make(Math.max(minLength - make(0).length, 0));
}
