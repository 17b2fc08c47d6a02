import { asked } from '../../platform/http/wrapped.js';
import { IsIn } from 'class-validator';
import { WATCH_LEVELS, type WatchLevel } from '../rhythm/levels.js';

class WatchSettingsDto {
  /** How soon the silence of the form is told: `off` never, `quiet` late, `strict` soon. */
  @IsIn(WATCH_LEVELS, { message: `must be one of ${WATCH_LEVELS.join(', ')}` })
  level: WatchLevel;
}

export class SetWatchDto extends asked('watch', WatchSettingsDto) {}
