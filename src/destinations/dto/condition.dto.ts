import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { IsPattern } from '../../forms/dto/is-pattern.js';
import { Optional, Required, Text } from '../../platform/kernel/validation.js';
import {
  FACTS,
  FACT_VALUES,
  isNumber,
  OPERATION_NAMES,
  OPERATIONS_OF,
  type Condition,
  type Fact,
  type Operation,
} from '../model/condition.js';

/** Longest name of a field, and longest value, in characters. */
const FIELD_MAX = 255;
const VALUE_MAX = 500;

/** One condition: about a field, or about a fact of the submission. */
export class ConditionDto {
  /** Name of a field, as the form sends it. Leave it out for a condition about a `fact`. */
  @Text({ min: 1, max: FIELD_MAX })
  @Required()
  @ValidateIf(({ fact, field }: ConditionDto) => fact === undefined || field !== undefined)
  field?: string;

  /** A fact in place of a field: the verdict, the language of the browser, the page, or whether there is a `file`. */
  @NotWithField()
  @ApiPropertyOptional({ enum: FACTS })
  @IsIn(FACTS, { message: `must be one of ${FACTS.join(', ')}` })
  @Optional()
  fact?: Fact;

  /**
   * How the value compares. `is`, `is_not` and `contains` take any case; `matches` takes a regular expression that all
   * of the value matches, as the `pattern` of HTML; `greater` and `less` compare numbers.
   */
  @FitsFact()
  @IsIn(OPERATION_NAMES, { message: `must be one of ${OPERATION_NAMES.join(', ')}` })
  @Required()
  op: Operation;

  /**
   * The text it is compared with, at most 500 characters: of a verdict `clean`, `held` or `spam`, of a language its code,
   * such as `de`, of a file `yes` or `no`.
   */
  @FitsOperation()
  @IsPattern((dto) => (dto as ConditionDto).op === 'matches')
  @Text({ min: 1, max: VALUE_MAX })
  @Required()
  value: string;

  static condition({ field, fact, op, value }: ConditionDto): Condition {
    return { field: field ?? null, fact: fact ?? null, op, value };
  }

  static of({ field, fact, op, value }: Condition): ConditionDto {
    return { ...(field !== null && { field }), ...(fact !== null && { fact }), op, value };
  }
}

/** Refuses a fact beside a field. */
function NotWithField(): PropertyDecorator {
  return rule('field_or_fact', (_, { field }) =>
    field === undefined ? null : 'must not stand beside a field: use two conditions',
  );
}

/** Refuses a comparison that a fact does not have. */
function FitsFact(): PropertyDecorator {
  return rule('not_allowed', (op, { fact }) => {
    const allowed: readonly string[] = fact ? OPERATIONS_OF[fact] : OPERATION_NAMES;
    return allowed.includes(String(op))
      ? null
      : `must be one of ${allowed.join(', ')} for a ${fact}`;
  });
}

/** Refuses a value that the comparison cannot use. */
function FitsOperation(): PropertyDecorator {
  return rule('invalid', (value, { op, fact }) => {
    const text = String(value);
    const choices: readonly string[] | undefined = fact && FACT_VALUES[fact];
    if (choices && !choices.includes(text)) return `must be one of ${choices.join(', ')}`;
    const compares = op === 'greater' || op === 'less';
    return compares && !isNumber(text) ? 'must be a number' : null;
  });
}

/** @param problemOf says what is wrong with a value; null for nothing */
function rule(
  name: string,
  problemOf: (value: unknown, of: ConditionDto) => string | null,
): PropertyDecorator {
  const problem = (value: unknown, about?: ValidationArguments) =>
    problemOf(value, about?.object as ConditionDto);
  return ValidateBy({
    name,
    validator: {
      validate: (value, about) => problem(value, about) === null,
      defaultMessage: (about) => problem(about?.value, about) ?? '',
    },
  });
}
