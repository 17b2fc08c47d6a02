import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Flag, Optional, Required, Text } from '../../platform/index.js';
import {
  isPattern,
  PATTERN_MAX,
  CHOICES_MAX,
  FIELD_KINDS,
  FIELDS_MAX,
  FILE_TYPES_MAX,
  HELP_MAX,
  IN_INBOX_MAX,
  LABEL_MAX,
  type Field,
  type FieldKind,
} from '../model/field.js';
import { FormFields, ON_FAILURE, type OnFailure } from '../model/form-fields.js';
import type { Form } from '../model/form.entity.js';
import { decodeLearnt, FIELD_NAME_MAX } from '../model/form-values.js';

/** Longest choice, in characters. */
const CHOICE_MAX = 255;
/** Largest length that a rule can name, in characters, and largest file, in bytes: more than any has. */
const LENGTH_MAX = 10_000_000;
const FILE_MAX = 1_000_000_000;

const NUMBER = { message: 'must be a number' };
const LENGTH = { message: `must be a whole number of characters from 0 to ${LENGTH_MAX}` };
const BYTES = { message: `must be a whole number of bytes from 1 to ${FILE_MAX}` };
const FILE_TYPE = { each: true, message: 'must be endings of file names such as .pdf' };

/** Refuses a text that is no pattern. @param isMeant tells of an object whether its text is one; all are without it */
export function IsPattern(isMeant: (dto: object) => boolean = () => true): PropertyDecorator {
  return ValidateBy({
    name: 'not_a_pattern',
    validator: {
      validate: (value, about) => typeof value !== 'string' || !isMeant(about?.object ?? {}) || isPattern(value),
      defaultMessage: () =>
        'must be a regular expression of few steps, without look-around (?=) and back references \\1',
    },
  });
}

/** Requires a list of fields, each with another name, at most IN_INBOX_MAX of them in the inbox. */
export function FieldList() {
  const list = { message: 'must be a list of objects with name and kind' };
  const validate = (fields: unknown) =>
    !Array.isArray(fields) ||
    fields.filter((field: FieldDto | null) => field?.in_inbox === true).length <= IN_INBOX_MAX;
  const defaultMessage = () => `must not have more than ${IN_INBOX_MAX} fields in the inbox`;
  return applyDecorators(
    ValidateNested({ each: true }),
    Type(() => FieldDto),
    IsObject({ each: true, ...list }),
    ArrayUnique((field: FieldDto | null) => field?.name, { message: 'must contain each field only once' }),
    ArrayMaxSize(FIELDS_MAX, { message: `must not have more than ${FIELDS_MAX} fields` }),
    IsArray(list),
    Required(),
    ValidateBy({ name: 'too_many_in_inbox', validator: { validate, defaultMessage } }),
  );
}

/** Requires 1 to `max` texts, each once. */
function Texts(max: number) {
  return applyDecorators(
    ArrayUnique({ message: 'must contain each value only once' }),
    ArrayNotEmpty({ message: 'must contain a value' }),
    ArrayMaxSize(max, { message: `must not have more than ${max} values` }),
    IsArray({ message: 'must be a list of strings' }),
    Optional(),
  );
}

/** Requires each of a list to be a text of up to CHOICE_MAX characters. */
function Choice() {
  const validate = (value: unknown) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return false;
    const { length } = Array.from(value);
    return length >= 1 && length <= CHOICE_MAX;
  };
  const defaultMessage = () => `must have 1 to ${CHOICE_MAX} characters each`;
  return ValidateBy({ name: 'length', validator: { validate, defaultMessage } }, { each: true });
}

/** Requires a bound that is not below another of the same field. */
function NotBelow(lower: 'min' | 'min_length') {
  return ValidateBy({
    name: 'below_lower_bound',
    validator: {
      validate: (value, args) => {
        const least: unknown = (args?.object as FieldDto)[lower];
        return typeof value !== 'number' || typeof least !== 'number' || value >= least;
      },
      defaultMessage: () => `must not be below ${lower}`,
    },
  });
}

/** Allows a property only for fields of some kinds. */
function ForKinds(...kinds: FieldKind[]) {
  return ValidateBy({
    name: 'needs_kind',
    validator: {
      validate: (_, args) => {
        const { kind = 'text' } = args?.object as FieldDto;
        return kinds.includes(kind);
      },
      defaultMessage: () => `needs the kind ${kinds.join(' or ')} beside it`,
    },
  });
}

/** A field of a form. Absent: nothing is asked for. */
export class FieldDto {
  /** Name of the field, as the form sends it, 1 to 255 characters. */
  @Text({ min: 1, max: FIELD_NAME_MAX })
  @Required()
  name: string;

  /** Text that people read in place of the name, 1 to 100 characters; by default one made from the name. */
  @Text({ min: 1, max: LABEL_MAX, trim: true })
  @Optional()
  label?: string;

  /** Kind of its values, as browsers understand it; `text` by default. */
  @ApiPropertyOptional({ enum: FIELD_KINDS })
  @IsIn(FIELD_KINDS, { message: `must be one of ${FIELD_KINDS.join(', ')}` })
  @Optional()
  kind?: FieldKind;

  /** A sentence for visitors below the label, 1 to 500 characters. */
  @Text({ min: 1, max: HELP_MAX, trim: true })
  @Optional()
  help?: string;

  /** Whether a value must come that is not blank, or a file. */
  @Flag()
  @Optional()
  required?: boolean;

  /** The lowest number; only for numbers. */
  @ForKinds('number')
  @IsNumber({ allowNaN: false, allowInfinity: false }, NUMBER)
  @Optional()
  min?: number;

  /** The highest number, not below `min`; only for numbers. */
  @ForKinds('number')
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

  /** The values that it can have: 1 to 100 of at most 255 characters each; only for `choice` and `choices`. */
  @ForKinds('choice', 'choices')
  @Choice()
  @Texts(CHOICES_MAX)
  choices?: string[];

  /** Endings of the names of its files, such as `.pdf`, at most 20; only for `file`. */
  @ForKinds('file')
  @Matches(/^\.[a-z0-9]{1,16}$/, FILE_TYPE)
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((each: unknown) => (typeof each === 'string' ? each.trim().toLowerCase() : each))
      : value,
  )
  @Texts(FILE_TYPES_MAX)
  file_types?: string[];

  /** Its largest file, in bytes; only for `file`. */
  @ForKinds('file')
  @Max(FILE_MAX, BYTES)
  @Min(1, BYTES)
  @IsInt(BYTES)
  @Optional()
  max_file_bytes?: number;

  /** Whether a value that came before, in a submission that counts, is refused: so each sender can submit once. */
  @Flag()
  @Optional()
  unique?: boolean;

  /** Whether rows of the inbox show it; of at most 10 fields. With none, we choose. */
  @Flag()
  @Optional()
  in_inbox?: boolean;

  static of(field: Field): FieldDto {
    const { name, label, kind, help, required, min, max, pattern, choices, unique } = field;
    const { minLength: min_length, maxLength: max_length, fileTypes, maxFileBytes: max_file_bytes } = field;
    return {
      ...{ name, label, kind, help, required, min, max, min_length, max_length, pattern },
      ...{ choices: choices && [...choices], file_types: fileTypes && [...fileTypes] },
      ...{ max_file_bytes, unique, in_inbox: field.inInbox },
    };
  }

  static field(dto: FieldDto): Field {
    const { name, label, kind = 'text', help, required, min, max, pattern, choices, unique } = dto;
    return {
      ...{ name, label, kind, help, required, min, max },
      ...{ minLength: dto.min_length, maxLength: dto.max_length, pattern, choices },
      ...{ fileTypes: dto.file_types, maxFileBytes: dto.max_file_bytes, unique, inInbox: dto.in_inbox },
    };
  }
}

/** The fields of a form. */
export class FieldsDto {
  /** At most 250 fields, each once, in their order; an empty list forgets them. */
  @FieldList()
  fields: FieldDto[];

  /** Action for a submission that breaks one: `refuse`, as by default, answers 422, `hold` stores and holds it. */
  @ApiPropertyOptional({ enum: ON_FAILURE })
  @IsIn(ON_FAILURE, { message: `must be one of ${ON_FAILURE.join(', ')}` })
  @Optional()
  on_failure?: OnFailure;

  /**
   * Read-only: ignored. Names of the fields that rows of the inbox show while none has `in_inbox`, learnt from the newest
   * 50 submissions at 10, at 50 and at each 500 more; absent before that, and while one has.
   */
  @Allow()
  @ApiPropertyOptional({ type: [String], readOnly: true })
  learnt_in_inbox?: string[];

  static of({ fields: { list, onFailure }, previewFields }: Form): FieldsDto {
    const fields = list.map((field) => FieldDto.of(field));
    return {
      ...{ fields, ...(onFailure === 'refuse' ? {} : { on_failure: onFailure }) },
      learnt_in_inbox: decodeLearnt(previewFields)?.fields,
    };
  }

  static fields({ fields, on_failure }: FieldsDto): FormFields {
    return new FormFields(
      fields.map((dto) => FieldDto.field(dto)),
      on_failure,
    );
  }
}
