import {
  ValidateIf,
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsObject,
  ValidateNested,
  ArrayNotEmpty,
  IsIn,
  IsInt,
  IsNumber,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { Type } from 'class-transformer';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Parsed, Required, Text, Flag, Optional } from '../../platform/kernel/validation.js';
import {
  decodeLearnt,
  decodePreview,
  FIELD_NAME_MAX,
  parsePreview,
  PREVIEW_FIELDS_MAX,
} from '../model/form-values.js';
import type { Form } from '../model/form.entity.js';
import { FieldLabels, LABEL_MAX, LABELS_MAX } from '../model/field-labels.js';
import { IsPattern } from './is-pattern.js';
import {
  PATTERN_MAX,
  CHOICES_MAX,
  VALUE_TYPES,
  type FieldRule,
  type ValueType,
  FieldRules,
  ON_FAILURE,
  RULES_MAX,
  type OnFailure,
} from '../model/field-rules.js';

/** Preview of submissions in the rows of the inbox. */
export class PreviewDto {
  /** Names of fields, the one in bold first; null where nobody has chosen. */
  fields: string[] | null;
  /**
   * Without a choice, the fields that tell most, learnt from the newest 50 submissions at 10, at 50 and at each 500
   * more; null before that, and while there is a choice.
   */
  learnt: string[] | null;

  static of({ previewFields }: Form): PreviewDto {
    return {
      fields: decodePreview(previewFields),
      learnt: decodeLearnt(previewFields)?.fields ?? null,
    };
  }
}

export class SetPreviewDto {
  /** 1 to 10 names of fields, each once, the one in bold first; null has them chosen by what they hold. */
  @Parsed(
    'not_fields',
    parsePreview,
    `must be a list of 1 to ${PREVIEW_FIELDS_MAX} names of fields, each once and of at most ${FIELD_NAME_MAX} characters, or null`,
  )
  @ValidateIf((_, value: unknown) => value !== null)
  fields: string[] | null;
}

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

/** Rules of one field; those that its owner did not set are absent. */
class FieldRuleDto {
  /** Name of the field, as the form sends it. */
  field: string;

  /** Whether a value or a file must come. */
  required?: boolean;

  /** Kind of the value, as browsers understand it. */
  @ApiPropertyOptional({ enum: VALUE_TYPES })
  type?: ValueType;

  /** The lowest number. */
  min?: number;

  /** The highest number. */
  max?: number;

  /** The fewest characters. */
  min_length?: number;

  /** The most characters. */
  max_length?: number;

  /** Regular expression that all of the value matches. */
  pattern?: string;

  /** The values that the field can have. */
  one_of?: string[];

  static of({ field, required, type, min, max, minLength, maxLength, pattern, oneOf }: FieldRule) {
    const dto: FieldRuleDto = {
      ...{ field, required, type, min, max },
      ...{ min_length: minLength, max_length: maxLength, pattern },
      one_of: oneOf && [...oneOf],
    };
    return dto;
  }
}

/** The rules for the fields of a form. */
export class FieldRulesDto {
  rules: FieldRuleDto[];

  /** Action for a submission that breaks a rule: `refuse` answers 422, `hold` stores and holds it. */
  @ApiProperty({ enum: ON_FAILURE })
  on_failure: OnFailure;

  static of({ list, onFailure }: FieldRules): FieldRulesDto {
    return { rules: list.map((rule) => FieldRuleDto.of(rule)), on_failure: onFailure };
  }
}
/** Longest choice, in characters. */
const CHOICE_MAX = 255;
/** Largest length that a rule can name, in characters: more than any value has. */
const LENGTH_MAX = 10_000_000;

const NUMBER = { message: 'must be a number' };
const LENGTH = { message: `must be a whole number of characters from 0 to ${LENGTH_MAX}` };

/** Rules of one field. Absent: anything goes. */
class SetFieldRuleDto {
  /** Name of the field, as the form sends it, 1 to 255 characters. */
  @Text({ min: 1, max: NAME_MAX })
  @Required()
  field: string;

  /** Whether a value must come that is not blank, or a file. */
  @Flag()
  @Optional()
  required?: boolean;

  /** Kind of the value, as browsers understand it; `text` by default. */
  @ApiPropertyOptional({ enum: VALUE_TYPES })
  @IsIn(VALUE_TYPES, { message: `must be one of ${VALUE_TYPES.join(', ')}` })
  @Optional()
  type?: ValueType;

  /** The lowest number; only with the type `number`. */
  @ForNumbers()
  @IsNumber({ allowNaN: false, allowInfinity: false }, NUMBER)
  @Optional()
  min?: number;

  /** The highest number, not below `min`; only with the type `number`. */
  @ForNumbers()
  @NotBelow('min')
  @IsNumber({ allowNaN: false, allowInfinity: false }, NUMBER)
  @Optional()
  max?: number;

  /** The fewest characters of a value that is not empty. */
  @Max(LENGTH_MAX, LENGTH)
  @Min(0, LENGTH)
  @IsInt(LENGTH)
  @Optional()
  min_length?: number;

  /** The most characters, not fewer than `min_length`. */
  @NotBelow('min_length')
  @Max(LENGTH_MAX, LENGTH)
  @Min(0, LENGTH)
  @IsInt(LENGTH)
  @Optional()
  max_length?: number;

  /**
   * Regular expression that all of a value matches, as the `pattern` of HTML, at most 500 characters. It cannot look
   * around or refer back, so matching takes no longer than the value is.
   */
  @IsPattern()
  @Text({ min: 1, max: PATTERN_MAX })
  @Optional()
  pattern?: string;

  /** The values that the field can have: 1 to 100 of at most 255 characters each. */
  @Choice()
  @ArrayUnique({ message: 'must contain each value only once' })
  @ArrayNotEmpty({ message: 'must contain a value' })
  @ArrayMaxSize(CHOICES_MAX, { message: `must not have more than ${CHOICES_MAX} values` })
  @IsArray({ message: 'must be a list of strings' })
  @Optional()
  one_of?: string[];

  static rule(dto: SetFieldRuleDto): FieldRule {
    const { field, required, type, min, max, min_length, max_length, pattern, one_of } = dto;
    return {
      ...{ field, required, type, min, max },
      ...{ minLength: min_length, maxLength: max_length, pattern, oneOf: one_of },
    };
  }
}

export class SetFieldRulesDto {
  /** At most 100 fields, each once; an empty list removes all rules. */
  @ValidateNested({ each: true })
  @Type(() => SetFieldRuleDto)
  @IsObject({ each: true, message: 'must be a list of objects with a field and its rules' })
  @ArrayUnique(fieldOf, { message: 'must contain each field only once' })
  @ArrayMaxSize(RULES_MAX, { message: `must not have more than ${RULES_MAX} rules` })
  @IsArray({ message: 'must be a list of objects with a field and its rules' })
  @Required()
  rules: SetFieldRuleDto[];

  /** Action for a submission that breaks a rule: `refuse`, as by default, or `hold`. */
  @ApiPropertyOptional({ enum: ON_FAILURE })
  @IsIn(ON_FAILURE, { message: `must be one of ${ON_FAILURE.join(', ')}` })
  @Optional()
  on_failure?: OnFailure;

  static rules({ rules, on_failure }: SetFieldRulesDto): FieldRules {
    return new FieldRules(
      rules.map((rule) => SetFieldRuleDto.rule(rule)),
      on_failure,
    );
  }
}

/** Requires each of a list to be a text of up to CHOICE_MAX characters. */
function Choice(): PropertyDecorator {
  const validate = (value: unknown) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return false;
    const { length } = Array.from(value);
    return length >= 1 && length <= CHOICE_MAX;
  };
  const defaultMessage = () => `must have 1 to ${CHOICE_MAX} characters each`;
  return ValidateBy({ name: 'length', validator: { validate, defaultMessage } }, { each: true });
}

/** Requires a bound that is not below another of the same rule. */
function NotBelow(lower: 'min' | 'min_length'): PropertyDecorator {
  return ValidateBy({
    name: 'below_lower_bound',
    validator: {
      validate: (value, args) => {
        const least: unknown = (args?.object as SetFieldRuleDto | undefined)?.[lower];
        return typeof value !== 'number' || typeof least !== 'number' || value >= least;
      },
      defaultMessage: () => `must not be below ${lower}`,
    },
  });
}

/** Allows a bound of numbers only for a field that has the type `number`. */
function ForNumbers(): PropertyDecorator {
  return ValidateBy({
    name: 'needs_number',
    validator: {
      validate: (_, args) => (args?.object as SetFieldRuleDto | undefined)?.type === 'number',
      defaultMessage: () => 'needs the type number beside it',
    },
  });
}

function fieldOf(entry: unknown): unknown {
  return (entry as { field?: unknown } | null)?.field;
}
