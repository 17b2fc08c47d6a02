import { asked } from '../../platform/http/shapes.js';
import { ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import type { FormSettings } from '../../forms/model/form-snippet.js';

/** Settings that the new forms of a client begin with. What is absent is as for every form; a name is ignored. */
export class FormDefaultsDto extends ChangeFormSettingsDto {
  static override of(dto: FormDefaultsDto): Partial<FormSettings> {
    const { name: _, ...settings } = ChangeFormSettingsDto.of(dto);
    return settings;
  }

  /** Returns defaults as the API spells them. */
  static shown(defaults: Partial<FormSettings>): Record<string, unknown> {
    const all = {
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
    } satisfies Partial<Record<keyof ChangeFormSettingsDto, unknown>>;
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }
}

/** All defaults for the new forms of a client. */
export class SetFormDefaultsDto extends asked('form_defaults', FormDefaultsDto) {
  static of(defaults: Partial<FormSettings>): SetFormDefaultsDto {
    return { form_defaults: FormDefaultsDto.shown(defaults) };
  }
}
