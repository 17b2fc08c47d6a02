import { asked } from '../../platform/http/index.js';
import { ChangeFormSettingsDto } from '../../forms/dto/form.dto.js';
import { FORM_SETTINGS, type FormSettings } from '../../forms/model/form-settings.js';

/** Settings that the new forms of a client begin with. What is absent is as for every form; a name is ignored. */
export class FormDefaultsDto extends ChangeFormSettingsDto {
  static override of(dto: FormDefaultsDto): Partial<FormSettings> {
    const { name: _, ...settings } = ChangeFormSettingsDto.of(dto);
    return settings;
  }

  /** Returns defaults as the API spells them. */
  static shown(defaults: Partial<FormSettings>): Record<string, unknown> {
    return FORM_SETTINGS.spelled(defaults);
  }
}

/** All defaults for the new forms of a client. */
export class SetFormDefaultsDto extends asked('form_defaults', FormDefaultsDto) {
  static of(defaults: Partial<FormSettings>): SetFormDefaultsDto {
    return { form_defaults: FormDefaultsDto.shown(defaults) };
  }
}
