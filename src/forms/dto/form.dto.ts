import { listOf } from '../../platform/http/shapes.js';
import { spelled } from '../model/form-snippet.js';
import type { FormView } from '../model/form.entity.js';
import type { FormSummary } from '../forms.repository.js';

/** A form with all its settings. */
export class FormDto {
  id: number;
  /** Name of the form. */
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Text shown to the visitor after sending. */
  submission_text: string;
  /** Called for each submission. */
  webhook_url: string | null;
  /** Where browsers go after sending. */
  redirect_url: string | null;
  /** Whether the visitor gets an email. */
  notify_submitter: boolean | null;
  /** Sender address of the email to the visitor. */
  notify_submitter_from: string | null;
  /** Sender name of the email to the visitor. */
  notify_submitter_from_name: string | null;
  /** Subject of the email to the visitor. */
  notify_submitter_subject: string | null;
  /** Body of the email to the visitor. */
  notify_submitter_body: string | null;
  /** Whether the owner gets an email for each submission. */
  notify_owner_on_submission: boolean;
  /** Recipients, comma-separated; the address of the account when null. */
  notify_owner_emails: string | null;
  /** Whether the visitor sees the submitted values after sending. */
  show_submitted_values: boolean;
  /** Background colour of the page after sending. */
  bg_color: string | null;
  /** Text colour of that page. */
  text_color: string | null;
  /** Link colour of that page. */
  link_color: string | null;
  /** Hosts or origins the form may be sent from, comma-separated. */
  whitelisted_domains: string | null;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;

  static of(form: FormView): FormDto {
    const { id, identifier, submissionCount: submission_count } = form;
    const { name, ...settings } = spelled(form);
    return { id, name, identifier, ...settings, submission_count };
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
