import { asked } from '../../platform/http/wrapped.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateNested,
  IsUUID,
} from 'class-validator';
import { Flag, Optional, Required, Text } from '../../platform/kernel/validation.js';
import { KIND_NAMES, type KindName } from '../kinds/kinds.js';
import { CONDITIONS_MAX, MATCHINGS, type Matching } from '../model/condition.js';
import { NAME_MAX } from '../model/destination.entity.js';
import type { DestinationChanges } from '../destinations.service.js';
import { ConditionDto } from './condition.dto.js';
import { CALL_STATES, type CallState } from '../../webhooks/webhooks.service.js';

const STATES = Object.keys(CALL_STATES);
const ID = { message: 'must be the id of a client' };

/** Selects deliveries of a destination. */
export class DestinationLogQueryDto {
  /** Only what waits or is under way (`pending`), was taken (`delivered`) or was given up (`failed`). */
  @IsIn(STATES, { message: `must be one of ${STATES.join(', ')}` })
  @Optional()
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
  @IsIn(MATCHINGS, { message: `must be one of ${MATCHINGS.join(', ')}` })
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
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string', nullable: true } })
  @IsObject({ message: 'must be an object' })
  @Optional()
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

  static changes({ match, conditions, ...rest }: DestinationChangesDto): DestinationChanges {
    const { name, settings, paused, position } = rest;
    return {
      ...(name !== undefined && { name }),
      ...(settings !== undefined && { settings }),
      ...(paused !== undefined && { paused }),
      ...(position !== undefined && { position }),
      ...(match !== undefined && { match }),
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
  @IsIn(KIND_NAMES, { message: `must be one of ${KIND_NAMES.join(', ')}` })
  @Required()
  kind: KindName;
}

export class CreateDestinationDto extends asked('destination', NewDestinationDto) {}

export class ChangeDestinationDto extends asked('destination', DestinationChangesDto) {}

/** Conditions to be tried, and who would get mails. */
class TriedDestinationDto extends ChoiceDto {
  /** Settings of an `email`, of which `to`, `route_field` and `routes` count: what nobody would get does not go there. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string', nullable: true } })
  @IsObject({ message: 'must be an object' })
  @Optional()
  settings?: Record<string, string | null>;
}

/** Conditions to be tried. */
export class TryDestinationDto extends asked('destination', TriedDestinationDto) {
  static choice({ destination: { match = 'all', conditions = [] } }: TryDestinationDto) {
    return { match, conditions: conditions.map((each) => ConditionDto.condition(each)) };
  }
}
