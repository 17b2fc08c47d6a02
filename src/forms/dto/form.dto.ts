import { Allow } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { asked, listOf } from '../../platform/http/shapes.js';
import { FORM_NAME, FORM_SETTINGS, type FormSettings } from '../model/form-settings.js';
import type { FormView } from '../model/form.entity.js';
import type { FormSummary } from '../forms.repository.js';
import { showSettings, takeSettings } from './settings.dto.js';

/** A form with all its settings. */
export class FormDto {
  id: number;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;

  static {
    showSettings(this.prototype, FORM_NAME);
    showSettings(this.prototype, FORM_SETTINGS);
  }

  static of(form: FormView): FormDto {
    const { id, name, identifier, submissionCount: submission_count } = form;
    return { ...{ id, name, identifier }, ...FORM_SETTINGS.spelled(form), submission_count };
  }
}

/** A form as the list shows it. */
class FormListEntryDto {
  id: number;
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;

  static of({ id, name, identifier, submissionCount }: FormSummary): FormListEntryDto {
    return { id, name, identifier, submission_count: submissionCount };
  }
}

export class FormListDto extends listOf('forms', FormListEntryDto) {}

/** The settings of a form besides its name. Absent: stays as it is. Null: cleared. */
abstract class FormSettingsDto {
  /** Read-only: ignored, so that an object from GET can be sent back. */
  @Allow()
  @ApiProperty({ type: 'integer' })
  id?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'string' })
  identifier?: unknown;

  /** Read-only: ignored. */
  @Allow()
  @ApiProperty({ type: 'integer' })
  submission_count?: unknown;

  static {
    takeSettings(this.prototype, FORM_SETTINGS);
  }
}

/** Changes to a form. */
export class ChangeFormSettingsDto extends FormSettingsDto {
  static {
    takeSettings(this.prototype, FORM_NAME);
  }

  static of(dto: ChangeFormSettingsDto): Partial<FormSettings> {
    return { ...FORM_NAME.read(dto), ...FORM_SETTINGS.read(dto) };
  }
}

export class ChangeFormDto extends asked('form', ChangeFormSettingsDto) {}

/** Settings of a new form; all but the name have defaults. */
export class CreateFormSettingsDto extends FormSettingsDto {
  static {
    takeSettings(this.prototype, FORM_NAME, { required: true });
  }

  static of(dto: CreateFormSettingsDto): Partial<FormSettings> & { name: string } {
    return { name: '', ...FORM_NAME.read(dto), ...FORM_SETTINGS.read(dto) };
  }
}

export class CreateFormDto extends asked('form', CreateFormSettingsDto) {}
