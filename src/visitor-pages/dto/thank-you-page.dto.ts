import {} from 'class-validator';
import { ChangeFormSettingsDto } from '../../forms/dto/form.dto.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Nested, Optional } from '../../platform/kernel/validation.js';
import type { ThanksPreview } from '../pages.js';

/** The page or redirect that a visitor gets after sending. */
export class ThankYouPageDto {
  /** Where visitors go on to in place of the page; null when they see the page. */
  redirect_url: string | null;
  /** The page as an HTML document. */
  html: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of({ redirectUrl, page, submissionId }: ThanksPreview): ThankYouPageDto {
    return {
      redirect_url: redirectUrl,
      html: page.html,
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}

/** Settings to look at. */
export class PreviewThankYouPageDto {
  /** In place of the stored settings; those that are absent are the stored ones. */
  @Nested(() => ChangeFormSettingsDto)
  @Optional()
  form?: ChangeFormSettingsDto;
}
