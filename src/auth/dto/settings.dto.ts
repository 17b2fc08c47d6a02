import { asked, wrapped } from '../../platform/http/wrapped.js';
import type { PersonSettings } from '../../people/person/person.entity.js';
import { Flag, Optional, Zone } from '../../platform/kernel/validation.js';

class SettingsChangesDto {
  /** Whether the pages listen to keys such as `j` and `k`; `?` lists them all the same. */
  @Flag()
  @Optional()
  keys?: boolean;

  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  @Zone()
  @Optional()
  time_zone?: string;
}

export class ChangeSettingsDto extends asked('settings', SettingsChangesDto) {}

/** How the pages behave for a person. */
export class PersonSettingsDto {
  /** Whether the pages listen to keys such as `j` and `k`. */
  keys: boolean;
  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  time_zone: string;

  static of({ keysOff, timeZone }: PersonSettings): PersonSettingsDto {
    return { keys: !keysOff, time_zone: timeZone };
  }
}

export class SettingsDto extends wrapped('settings', PersonSettingsDto) {}
