import { asked } from '../../platform/http/shapes.js';
import { Optional, Text, Required } from '../../platform/kernel/validation.js';
import { type FormSettings, FORM_NAME_MAX, readSettings } from '../model/form-snippet.js';
import { FormSettingsDto } from './form-settings.dto.js';

/** Changes to a form. */
export class ChangeFormSettingsDto extends FormSettingsDto {
  /** Name of the form, 1 to 255 characters. */
  @Text({ min: 1, max: FORM_NAME_MAX, trim: true })
  @Optional()
  name?: string;

  static of(dto: ChangeFormSettingsDto): Partial<FormSettings> {
    return readSettings(dto);
  }
}

export class ChangeFormDto extends asked('form', ChangeFormSettingsDto) {}

/** Settings of a new form; all but the name have defaults. */
export class CreateFormSettingsDto extends FormSettingsDto {
  /** Name of the form, 1 to 255 characters. */
  @Text({ min: 1, max: FORM_NAME_MAX, trim: true })
  @Required()
  name: string;

  static of(dto: CreateFormSettingsDto): Partial<FormSettings> & { name: string } {
    return { ...readSettings(dto), name: dto.name };
  }
}

export class CreateFormDto extends asked('form', CreateFormSettingsDto) {}
