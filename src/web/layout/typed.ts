import { validationPipe } from '../../platform/http/validation.pipe.js';
import { DomainError, InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';

/** A form as a browser sends it: each field by its name. */
export type Typed = Readonly<Record<string, unknown>>;

const pipe = validationPipe();

/** Returns what was typed into a field; '' when it did not come, or came more than once. */
export function textOf(typed: Typed | undefined, name: string): string {
  const value = typed?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns all values of one name, such as those of the ticked boxes of a group. */
export function textsOf(typed: Typed | undefined, name: string): string[] {
  return [typed?.[name] ?? []].flat().filter((value) => typeof value === 'string');
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

/**
 * Checks what was typed by the rules of the API's bodies.
 * @param shape the DTO of the API
 * @throws InvalidInputError naming every field at fault
 */
export function checked<T extends object>(shape: new () => T, input: unknown): Promise<T> {
  return pipe.transform(input, { type: 'body', metatype: shape }) as Promise<T>;
}

/**
 * Returns what a page says about an error in what was typed.
 * @throws the error itself when it is not about fields
 */
export function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof DomainError && error.fields.length > 0) return error.fields;
  throw error;
}
