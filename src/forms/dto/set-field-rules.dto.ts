import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsPattern } from './is-pattern.js';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { Flag, Optional, Required, Text } from '../../platform/kernel/validation.js';
import { PATTERN_MAX } from '../model/field-pattern.js';
import { CHOICES_MAX, VALUE_TYPES, type FieldRule, type ValueType } from '../model/field-rule.js';
import { FieldRules, ON_FAILURE, RULES_MAX, type OnFailure } from '../model/field-rules.js';

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

/** Longest name of a field, in characters. */
const NAME_MAX = 255;
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
