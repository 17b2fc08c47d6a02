import type { Form } from '../../forms/model/form.entity.js';
import { InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';

/** The answers of a visitor, to be shown once more. */
export interface Answers {
  /** Texts of the fields as they were sent, without special ones such as honeypots and tokens. */
  values: readonly { name: string; text: string }[];
  files: readonly { field: string; name: string }[];
}

/** A submission breaks rules for the fields of its form, and its visitor can correct it. */
export class FieldsRefused extends InvalidInputError {
  constructor(
    problems: FieldProblem[],
    readonly form: Readonly<Form>,
    readonly answers: Answers,
  ) {
    super('invalid_fields', 'Some answers need another look.', problems);
  }
}
