import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import { SetVisitorMailChoiceDto } from '../../forms/dto/visitor-mail.dto.js';
import type { Mailbox } from '../../platform/config/settings.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Optional } from '../../platform/kernel/validation.js';
import type { MailPreview } from '../mail-channel.js';

/** A name and an address. */
export class MailboxDto {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** A mail as it would be sent now. */
export class MailPreviewDto {
  /** Whether the settings have it sent at all. */
  enabled: boolean;
  /** Recipients; empty when no address is known. */
  recipients: string[];
  from: MailboxDto;
  /** Where answers go; null when to the sender. */
  reply_to: MailboxDto | null;
  subject: string;
  html: string;
  text: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of({ isOn, recipients, message, submissionId }: MailPreview): MailPreviewDto {
    const { from, replyTo, subject, html, text } = message;
    return {
      enabled: isOn,
      recipients,
      from: mailboxOf(from),
      reply_to: replyTo && mailboxOf(replyTo),
      subject,
      html,
      text,
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}

/** The mails of a form about its newest submission. */
export class MailPreviewsDto {
  /** Email to the recipients of a form. */
  owner: MailPreviewDto;
  /** Email to the visitor. */
  visitor: MailPreviewDto;

  static of(owner: MailPreview, visitor: MailPreview): MailPreviewsDto {
    return { owner: MailPreviewDto.of(owner), visitor: MailPreviewDto.of(visitor) };
  }
}

/** Settings to look at. */
export class PreviewMailsDto {
  /** In place of the stored settings; those that are absent are the stored ones. */
  @ValidateNested()
  @Type(() => ChangeFormSettingsDto)
  @IsObject({ message: 'must be an object' })
  @Optional()
  form?: ChangeFormSettingsDto;

  /** In place of what is stored, as `PUT …/visitor-mail` takes it. */
  @ValidateNested()
  @Type(() => SetVisitorMailChoiceDto)
  @IsObject({ message: 'must be an object' })
  @Optional()
  visitor_mail?: SetVisitorMailChoiceDto;
}

function mailboxOf({ name, address }: Mailbox): MailboxDto {
  return { name, address };
}
