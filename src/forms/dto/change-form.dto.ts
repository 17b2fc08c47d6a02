import { asked } from '../../platform/http/wrapped.js';
import { Optional, Text } from '../../platform/kernel/validation.js';
import { type FormSettings, FORM_NAME_MAX } from '../model/form-settings.js';
import { FormSettingsDto } from './form-settings.dto.js';

/** Changes to a form. */
export class ChangeFormSettingsDto extends FormSettingsDto {
  /** Name of the form, 1 to 255 characters. */
  @Text({ min: 1, max: FORM_NAME_MAX, trim: true })
  @Optional()
  name?: string;

  static of(dto: ChangeFormSettingsDto): Partial<FormSettings> {
    return this.settings(dto);
  }
}

export class ChangeFormDto extends asked('form', ChangeFormSettingsDto) {}
