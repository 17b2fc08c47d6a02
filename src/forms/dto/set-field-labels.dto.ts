import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsObject, ValidateNested } from 'class-validator';
import { Required, Text } from '../../platform/kernel/validation.js';
import { FieldLabels, LABEL_MAX, LABELS_MAX } from '../model/field-labels.js';

/** A field and what people read in place of its name. */
class FieldLabelDto {
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

/** Longest name, in characters. */
const NAME_MAX = 255;

class SetFieldLabelDto {
  /** Name of the field, as the form sends it, 1 to 255 characters. */
  @Text({ min: 1, max: NAME_MAX })
  @Required()
  name: string;

  /** Text that people see instead, 1 to 100 characters. */
  @Text({ min: 1, max: LABEL_MAX, trim: true })
  @Required()
  label: string;
}

export class SetFieldLabelsDto {
  /** At most 100 fields, each once, in the order in which they are shown; an empty list removes all labels. */
  @ValidateNested({ each: true })
  @Type(() => SetFieldLabelDto)
  @IsObject({ each: true, message: 'must be a list of objects with name and label' })
  @ArrayUnique(nameOf, { message: 'must contain each field only once' })
  @ArrayMaxSize(LABELS_MAX, { message: `must not have more than ${LABELS_MAX} fields` })
  @IsArray({ message: 'must be a list of objects with name and label' })
  @Required()
  labels: SetFieldLabelDto[];

  static labels({ labels }: SetFieldLabelsDto): FieldLabels {
    return new FieldLabels(labels.map(({ name, label }) => ({ name, label })));
  }
}

function nameOf(entry: unknown): unknown {
  return (entry as { name?: unknown } | null)?.name;
}
