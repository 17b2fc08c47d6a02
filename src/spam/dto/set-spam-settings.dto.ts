import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNumber, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';
import { SIGNAL_DEFAULTS } from '../signals/index.js';
import type { SignalWeight, SpamRulesChange } from '../spam-settings.js';

/** Most points of a signal, and the highest score that is held or spam. */
const POINTS_MAX = 100;
/** Longest hold: 90 days. */
const HOLD_HOURS_MAX = 2160;
const POINTS = { message: `must be a number from 0 to ${POINTS_MAX}, with at most one decimal` };
const SCORE = { message: `must be a number from 1 to ${POINTS_MAX}, with at most one decimal` };
const HOURS = { message: `must be a whole number of hours from 1 to ${HOLD_HOURS_MAX}, or null` };

const Decimal = (message: { message: string }) =>
  IsNumber({ maxDecimalPlaces: 1, allowNaN: false, allowInfinity: false }, message);

/** How a form weighs a signal. Absent: stays as it is. */
export class SetSignalDto {
  /** Whether the form goes by it. */
  @Flag()
  @Optional()
  enabled?: boolean;

  /** What it adds to the score, 0 to 100. */
  @Max(POINTS_MAX, POINTS)
  @Min(0, POINTS)
  @Decimal(POINTS)
  @Optional()
  points?: number;
}

/** The signals to change, by name. Absent: stays as it is. */
export class SetSignalsDto {
  [signal: string]: SetSignalDto | undefined;
}

for (const { name, points, enabled } of SIGNAL_DEFAULTS) {
  const description = `${points} points and ${enabled ? 'on' : 'off'} by default.`;
  for (const decorate of [
    ValidateNested(),
    Type(() => SetSignalDto),
    IsObject({ message: 'must be an object' }),
    Optional(),
    ApiPropertyOptional({ type: SetSignalDto, description }),
  ]) {
    decorate(SetSignalsDto.prototype, name);
  }
}

/** How a form judges what is sent. Absent: stays as it is. */
export class SetSpamRulesDto {
  @ValidateNested()
  @Type(() => SetSignalsDto)
  @IsObject({ message: 'must be an object' })
  @Optional()
  signals?: SetSignalsDto;

  /** From this score on a submission is held, 1 to 100. */
  @Max(POINTS_MAX, SCORE)
  @Min(1, SCORE)
  @Decimal(SCORE)
  @Optional()
  held_at?: number;

  /** From this score on it is spam, 1 to 100 and not below `held_at`. */
  @Max(POINTS_MAX, SCORE)
  @Min(1, SCORE)
  @Decimal(SCORE)
  @Optional()
  spam_at?: number;

  /** Hours from 1 to 2160 after which what a held submission causes goes out; null: never by itself. */
  @Max(HOLD_HOURS_MAX, HOURS)
  @Min(1, HOURS)
  @IsInt(HOURS)
  @Optional({ nullable: true })
  hold_hours?: number | null;
}

export class SetSpamSettingsDto {
  @ValidateNested()
  @Type(() => SetSpamRulesDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  spam: SetSpamRulesDto;

  static change({ signals, held_at, spam_at, hold_hours }: SetSpamRulesDto): SpamRulesChange {
    return {
      ...(signals && { signals: weightsOf(signals) }),
      ...(held_at !== undefined && { heldAt: held_at }),
      ...(spam_at !== undefined && { spamAt: spam_at }),
      ...(hold_hours !== undefined && { holdHours: hold_hours }),
    };
  }
}

function weightsOf(signals: SetSignalsDto): Record<string, Partial<SignalWeight>> {
  const given = Object.entries(signals);
  return Object.fromEntries(
    given.flatMap(([name, weight]) => {
      if (!weight) return [];
      const { enabled, points } = weight;
      return [
        [
          name,
          { ...(enabled !== undefined && { enabled }), ...(points !== undefined && { points }) },
        ],
      ];
    }),
  );
}
