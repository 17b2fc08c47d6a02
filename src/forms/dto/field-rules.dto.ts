import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { VALUE_TYPES, type FieldRule, type ValueType } from '../model/field-rule.js';
import { ON_FAILURE, type FieldRules, type OnFailure } from '../model/field-rules.js';

/** Rules of one field; those that its owner did not set are absent. */
export class FieldRuleDto {
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
