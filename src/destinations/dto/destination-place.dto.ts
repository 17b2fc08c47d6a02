import { Type } from 'class-transformer';
import { IsIn, IsInt, IsUUID, Min } from 'class-validator';
import { Optional } from '../../platform/kernel/validation.js';
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
