import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import type { PersonSettings } from '../../people/person.entity.js';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';

export class SettingsChangesDto {
  /** Whether the pages listen to keys such as `j` and `k`; `?` lists them all the same. */
  @Flag()
  @Optional()
  keys?: boolean;
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
}

export class SettingsDto {
  settings: PersonSettingsDto;

  static of({ keysOff }: PersonSettings): SettingsDto {
    return { settings: { keys: !keysOff } };
  }
}
