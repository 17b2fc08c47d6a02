import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import {
  IsIn,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateNested,
  IsUUID,
} from 'class-validator';
import { Type } from 'class-transformer';
import { IsPattern } from '../../forms/dto/fields.dto.js';
import { Optional, Required, Text, Flag } from '../../platform/index.js';
import {
  FACTS,
  FACT_VALUES,
  isNumber,
  OPERATION_NAMES,
  OPERATIONS_OF,
  type Condition,
  type Fact,
  type Operation,
  CONDITIONS_MAX,
  MATCHINGS,
  type Matching,
} from '../model/condition.js';
import { asked, given } from '../../platform/http/index.js';
import { KIND_NAMES, type KindName } from '../kinds/kinds.js';
import { NAME_MAX } from '../model/destination.entity.js';
import { CALL_STATES, type CallState } from '../../deliveries/model/delivery-filter.js';
import type { DestinationChanges } from '../destinations.service.js';

/** Takes settings of a kind by name, of which null removes one. */
const Settings = () =>
  applyDecorators(
    ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string', nullable: true } }),
    IsObject({ message: 'must be an object' }),
    Optional(),
  );

/** Takes one of some words. */
export const OneOf = (words: readonly string[]) => IsIn(words, { message: `must be one of ${words.join(', ')}` });

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
  @OneOf(FACTS)
  @Optional()
  fact?: Fact;

  /**
   * How the value compares. `is`, `is_not` and `contains` take any case; `matches` takes a regular expression that all
   * of the value matches, as the `pattern` of HTML; `greater` and `less` compare numbers.
   */
  @FitsFact()
  @OneOf(OPERATION_NAMES)
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
function NotWithField() {
  return rule('field_or_fact', (_, { field }) =>
    field === undefined ? null : 'must not stand beside a field: use two conditions',
  );
}

/** Refuses a comparison that a fact does not have. */
function FitsFact() {
  return rule('not_allowed', (op, { fact }) => {
    const allowed: readonly string[] = fact ? OPERATIONS_OF[fact] : OPERATION_NAMES;
    return allowed.includes(String(op)) ? null : `must be one of ${allowed.join(', ')} for a ${fact}`;
  });
}

/** Refuses a value that the comparison cannot use. */
function FitsOperation() {
  return rule('invalid', (value, { op, fact }) => {
    const text = String(value);
    const choices: readonly string[] | undefined = fact && FACT_VALUES[fact];
    if (choices && !choices.includes(text)) return `must be one of ${choices.join(', ')}`;
    const compares = op === 'greater' || op === 'less';
    return compares && !isNumber(text) ? 'must be a number' : null;
  });
}

/** @param problemOf says what is wrong with a value; null for nothing */
function rule(name: string, problemOf: (value: unknown, of: ConditionDto) => string | null) {
  const problem = (value: unknown, about?: ValidationArguments) => problemOf(value, about?.object as ConditionDto);
  return ValidateBy({
    name,
    validator: {
      validate: (value, about) => problem(value, about) === null,
      defaultMessage: (about) => problem(about?.value, about) ?? '',
    },
  });
}

const STATES = Object.keys(CALL_STATES);
const ID = { message: 'must be the id of a client' };

/** Selects deliveries of a destination. */
export class DestinationLogQueryDto {
  /** Only what waits or is under way (`pending`), was taken (`delivered`) or was given up (`failed`). */
  @OneOf(STATES)
  @Optional()
  @ApiPropertyOptional({ enum: STATES })
  state?: CallState;

  /** Only what was planned before this delivery, by its id; `next_page` carries it. */
  @IsUUID('all', { message: 'must be the id of a delivery' })
  @Optional()
  before?: string;
}

/** Says whose destinations are meant. */
export class DestinationPlaceDto {
  /** The client whose forms they serve; left out: all forms of the account. */
  @Min(1, ID)
  @IsInt(ID)
  @Type(() => Number)
  @Optional()
  client_id?: number;
}

/** Highest place in a list that a request can name. */
const POSITION_MAX = 50;
const POSITION = { message: `must be a whole number from 1 to ${POSITION_MAX}` };

/** Which submissions go somewhere. */
class ChoiceDto {
  /** Whether `all` conditions must hold, or `any`; `all` by default. */
  @ApiPropertyOptional({ enum: MATCHINGS })
  @OneOf(MATCHINGS)
  @Optional()
  match?: Matching;

  /** At most 20; without any, everything goes there but spam. */
  @ValidateNested({ each: true })
  @Type(() => ConditionDto)
  @ArrayMaxSize(CONDITIONS_MAX, { message: `must have at most ${CONDITIONS_MAX} conditions` })
  @IsArray({ message: 'must be a list' })
  @Optional()
  conditions?: ConditionDto[];
}

/** Changes to a destination. What is left out stays. */
export class DestinationChangesDto extends ChoiceDto {
  /** 1 to 100 characters. */
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Optional()
  name?: string;

  /**
   * Settings of its kind, such as `url`; docs/destinations.md lists it. A secret that is sent back as it was shown stays;
   * null removes.
   */
  @Settings()
  settings?: Record<string, string | null>;

  /** While it is paused nothing is sent there; what would have been can be sent later. */
  @Flag()
  @Optional()
  paused?: boolean;

  /** Place in its list, from 1. */
  @Max(POSITION_MAX, POSITION)
  @Min(1, POSITION)
  @IsInt(POSITION)
  @Optional()
  position?: number;

  static changes({ conditions, ...others }: DestinationChangesDto): DestinationChanges {
    return {
      ...given(others),
      ...(conditions && { conditions: conditions.map((each) => ConditionDto.condition(each)) }),
    };
  }
}

/** A destination to be. */
class NewDestinationDto extends DestinationChangesDto {
  /** 1 to 100 characters. */
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Required()
  declare name: string;

  /** The service that receives the submissions; it stays. */
  @ApiProperty({ enum: KIND_NAMES })
  @OneOf(KIND_NAMES)
  @Required()
  kind: KindName;
}

export class CreateDestinationDto extends asked('destination', NewDestinationDto) {}

export class ChangeDestinationDto extends asked('destination', DestinationChangesDto) {}

/** Conditions to be tried, and who would get mails. */
class TriedDestinationDto extends ChoiceDto {
  /** Settings of an `email`, of which `to`, `route_field` and `routes` count: what nobody would get does not go there. */
  @Settings()
  settings?: Record<string, string | null>;
}

/** Conditions to be tried. */
export class TryDestinationDto extends asked('destination', TriedDestinationDto) {
  static choice({ destination: { match = 'all', conditions = [] } }: TryDestinationDto) {
    return { match, conditions: conditions.map((each) => ConditionDto.condition(each)) };
  }
}

/** An email to look at. */
class PreviewedDestinationDto {
  /** The destination whose email is meant; left out for an email to be. */
  @IsUUID('all', { message: 'must be the id of a destination' })
  @Optional()
  id?: string;

  /** In place of its settings; those that are left out are as they are stored. */
  @Settings()
  settings?: Record<string, string | null>;
}

export class PreviewDestinationDto extends asked('destination', PreviewedDestinationDto) {}

/** Longest identifier of a form, in characters. */
const IDENTIFIER_MAX = 16;

export class SendTestMailDto {
  /** Identifier of the form. */
  @Text({ min: 1, max: IDENTIFIER_MAX })
  @Required()
  identifier: string;

  /** The destination whose email is meant; left out for an email to be. */
  @IsUUID('all', { message: 'must be the id of a destination' })
  @Optional()
  destination_id?: string;

  /** In place of its settings; those that are left out are as they are stored. */
  @Settings()
  settings?: Record<string, string | null>;
}
