import { asked } from '../../platform/http/wrapped.js';
import { Required, Text } from '../../platform/kernel/validation.js';
import { FORM_NAME_MAX, type FormSettings } from '../model/form-settings.js';
import { FormSettingsDto } from './form-settings.dto.js';

/** Settings of a new form; all but the name have defaults. */
export class CreateFormSettingsDto extends FormSettingsDto {
  /** Name of the form, 1 to 255 characters. */
  @Text({ min: 1, max: FORM_NAME_MAX, trim: true })
  @Required()
  name: string;

  static of(dto: CreateFormSettingsDto): Partial<FormSettings> & { name: string } {
    return { ...this.settings(dto), name: dto.name };
  }
}

export class CreateFormDto extends asked('form', CreateFormSettingsDto) {}
