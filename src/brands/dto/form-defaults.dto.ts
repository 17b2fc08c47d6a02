import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { FormSettingsDto } from '../../forms/dto/form-settings.dto.js';
import type { FormSettings } from '../../forms/model/form-settings.js';
import { Required } from '../../platform/kernel/validation.js';

/** Settings that the new forms of a client begin with. What is absent is as for every form. */
export class FormDefaultsDto extends FormSettingsDto {
  static of(dto: FormDefaultsDto): Partial<FormSettings> {
    return this.settings(dto);
  }

  /** Returns defaults as the API spells them. */
  static shown(defaults: Partial<FormSettings>): FormDefaultsDto {
    const all: FormDefaultsDto = {
      submission_text: defaults.submissionText,
      webhook_url: defaults.webhookUrl,
      redirect_url: defaults.redirectUrl,
      notify_submitter: defaults.notifySubmitter,
      notify_submitter_from: defaults.notifySubmitterFrom,
      notify_submitter_from_name: defaults.notifySubmitterFromName,
      notify_submitter_subject: defaults.notifySubmitterSubject,
      notify_submitter_body: defaults.notifySubmitterBody,
      notify_owner_on_submission: defaults.notifyOwnerOnSubmission,
      notify_owner_emails: defaults.notifyOwnerEmails,
      show_submitted_values: defaults.showSubmittedValues,
      bg_color: defaults.bgColor,
      text_color: defaults.textColor,
      link_color: defaults.linkColor,
      whitelisted_domains: defaults.whitelistedDomains,
    } as FormDefaultsDto;
    const set = Object.entries<unknown>({ ...all }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(set) as FormDefaultsDto;
  }
}

/** All defaults for the new forms of a client. */
export class SetFormDefaultsDto {
  @ValidateNested()
  @Type(() => FormDefaultsDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  form_defaults: FormDefaultsDto;

  static of(defaults: Partial<FormSettings>): SetFormDefaultsDto {
    return { form_defaults: FormDefaultsDto.shown(defaults) };
  }
}
