import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { Required } from '../../platform/kernel/validation.js';
import { WATCH_LEVELS, type WatchLevel } from '../rhythm/levels.js';

export class WatchSettingsDto {
  /** How soon the silence of the form is told: `off` never, `quiet` late, `strict` soon. */
  @IsIn(WATCH_LEVELS, { message: `must be one of ${WATCH_LEVELS.join(', ')}` })
  level: WatchLevel;
}

export class SetWatchDto {
  @ValidateNested()
  @Type(() => WatchSettingsDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  watch: WatchSettingsDto;
}
