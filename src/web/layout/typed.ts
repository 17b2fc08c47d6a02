import type { FieldProblem } from '../../platform/kernel/errors.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';

/** A form as a browser sends it: each field by its name. */
export type Typed = Readonly<Record<string, unknown>>;

/** Returns what was typed into a field; '' when it did not come, or came more than once. */
export function textOf(typed: Typed | undefined, name: string): string {
  const value = typed?.[name];
  return typeof value === 'string' ? value : '';
}

/** Says whether a box was ticked. */
export function isTicked(typed: Typed | undefined, name: string): boolean {
  return textOf(typed, name) === 'true';
}

/** What was typed breaks a rule; the page is shown again with it. */
export class InvalidForm extends InvalidInputError {
  constructor(problems: FieldProblem[]) {
    super('invalid_fields', problems[0]?.message ?? 'The input is not valid.', problems);
  }
}
