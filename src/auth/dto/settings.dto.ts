import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import type { PersonSettings } from '../../people/person/person.entity.js';
import { Flag, Optional, Required, Zone } from '../../platform/kernel/validation.js';

export class SettingsChangesDto {
  /** Whether the pages listen to keys such as `j` and `k`; `?` lists them all the same. */
  @Flag()
  @Optional()
  keys?: boolean;

  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  @Zone()
  @Optional()
  time_zone?: string;
}

export class ChangeSettingsDto {
  @ValidateNested()
  @Type(() => SettingsChangesDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  settings: SettingsChangesDto;
}

/** How the pages behave for a person. */
export class PersonSettingsDto {
  /** Whether the pages listen to keys such as `j` and `k`. */
  keys: boolean;
  /** Time zone in which the pages tell times, such as `Europe/Berlin`. */
  time_zone: string;
}

export class SettingsDto {
  settings: PersonSettingsDto;

  static of({ keysOff, timeZone }: PersonSettings): SettingsDto {
    return { settings: { keys: !keysOff, time_zone: timeZone } };
  }
}
