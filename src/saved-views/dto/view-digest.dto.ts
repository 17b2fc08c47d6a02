import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Required } from '../../platform/kernel/validation.js';
import { EVERY, type Every } from '../digest-times.js';

export class SetDigestDto {
  /** `day`, or `week` for Mondays. */
  @IsIn(EVERY, { message: `must be one of ${EVERY.join(', ')}` })
  @Required()
  every: Every;
}

/** How often you are told of a view. */
export class DigestDto {
  /** Null for never. */
  @ApiProperty({ enum: EVERY, nullable: true, type: String })
  every: Every | null;
}
