import type { FieldLabels } from '../model/field-labels.js';

/** A field and what people read in place of its name. */
export class FieldLabelDto {
  /** Name of the field, as the form sends it. */
  name: string;

  /** Name of the field in emails, pages and the inbox. */
  label: string;
}

/** The fields of a form that its owner named, in the order in which they are shown. */
export class FieldLabelsDto {
  /** Fields without a label follow as they were sent, named after their names: `first_name` is "First name". */
  labels: FieldLabelDto[];

  static of({ list }: FieldLabels): FieldLabelsDto {
    return { labels: list.map(({ name, label }) => ({ name, label })) };
  }
}
