import type { Field } from './field.js';

/** Text that fits into most fields. */
const FILLING = 'Hello ';

/** Returns an invented value for each field that keeps its rules as far as rules allow; no pattern is looked at. */
export function sampleValues(fields: readonly Field[]): [name: string, text: string][] {
  return fields.map((field) => [field.name, valueFor(field)]);
}

function valueFor(rule: Field): string {
  const { choices, kind, min, max } = rule;
  if (choices?.[0] !== undefined) return choices[0];
  switch (kind) {
    case 'number':
      return String(min ?? (max !== undefined && max < 1 ? max : 1));
    case 'email':
      return fitted(rule, (more) => `jane${'y'.repeat(more)}@example.com`);
    case 'url':
      return fitted(rule, (more) => `https://example.com/${'y'.repeat(more)}`);
    case 'tel':
      return '+49 30 123456';
    case 'date':
      return '2030-01-31';
    case 'check':
      return 'yes';
    default: {
      const length = Math.max(rule.minLength ?? 0, 5);
      const text = FILLING.repeat(Math.ceil(length / FILLING.length)).slice(0, length);
      // A blank at the end would not count.
      return text.replace(/ $/, 'y').slice(0, rule.maxLength ?? length);
    }
  }
}

function fitted({ minLength = 0 }: Field, make: (more: number) => string) {
  return make(Math.max(minLength - make(0).length, 0));
}
