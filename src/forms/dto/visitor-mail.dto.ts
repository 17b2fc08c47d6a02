import { ValidateBy } from 'class-validator';
import { asked, wrapped } from '../../platform/http/shapes.js';
import { Flag, Optional, Text, Parsed, Required } from '../../platform/kernel/validation.js';
import { MAIL_HTML_MAX, mailHtmlProblem } from '../model/mail-html.js';
import {
  type VisitorAttachmentFacts,
  ATTACHMENT_NAME_MAX,
  type VisitorAttachment,
} from '../model/form.entity.js';
import { PLAIN_VISITOR_MAIL, type VisitorMailChoice } from '../model/visitor-mail.js';

/** Refuses HTML that a mail may not have, and says which. */
const MailHtml = () =>
  ValidateBy({
    name: 'html_refused',
    validator: {
      validate: (value) => typeof value !== 'string' || mailHtmlProblem(value) === null,
      defaultMessage: (about) => mailHtmlProblem(String(about?.value)) ?? '',
    },
  });

/** How the emails of a form to its visitors are. Absent: its default. */
export class SetVisitorMailChoiceDto {
  /**
   * Whether the visitor confirms a submission by email before anything is sent because of it; false by default. What has
   * no address to ask is sent at once.
   */
  @Flag()
  @Optional()
  double_opt_in?: boolean;

  /**
   * The body as HTML, with the placeholders of `notify_submitter_body`; null, as by default, for plain text. Allowed are
   * p, br, h1, h2, h3, a with href (https or mailto), strong, em, ul, ol, li, blockquote and tables.
   */
  @MailHtml()
  @Text({ min: 1, max: MAIL_HTML_MAX })
  @Optional({ nullable: true })
  html?: string | null;
}

export class SetVisitorMailDto extends asked('visitor_mail', SetVisitorMailChoiceDto) {
  static choice({ visitor_mail }: SetVisitorMailDto): VisitorMailChoice {
    const { double_opt_in, html } = visitor_mail;
    return {
      doubleOptIn: double_opt_in ?? PLAIN_VISITOR_MAIL.doubleOptIn,
      html: html ?? PLAIN_VISITOR_MAIL.html,
    };
  }
}

/** A file that goes along with each email to a visitor. */
class VisitorAttachmentFactsDto {
  name: string;
  media_type: string;
  /** In bytes. */
  size: number;

  static of({ name, mediaType, size }: VisitorAttachmentFacts): VisitorAttachmentFactsDto {
    return { name, media_type: mediaType, size };
  }
}

export class VisitorMailChoiceDto {
  /** Whether the visitor confirms a submission by email before anything is sent because of it. */
  double_opt_in: boolean;
  /** The body as HTML; null for plain text. */
  html: string | null;
  /** The file that goes along; null for none. It is set at `…/visitor-mail/attachment`. */
  attachment: VisitorAttachmentFactsDto | null;

  static of(
    { doubleOptIn, html }: VisitorMailChoice,
    attachment: VisitorAttachmentFacts | null,
  ): VisitorMailChoiceDto {
    return {
      double_opt_in: doubleOptIn,
      html,
      attachment: attachment && VisitorAttachmentFactsDto.of(attachment),
    };
  }
}

/** How the emails of a form to its visitors are, besides the settings of the form. */
export class VisitorMailDto extends wrapped('visitor_mail', VisitorMailChoiceDto) {}

/** Returns base64 without blanks, or null for what is none. */
function parseBase64(value: unknown): string | null {
  if (typeof value !== 'string' || value.length % 4 !== 0) return null;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? value : null;
}

/** A file to send along. */
class AttachmentContentDto {
  /** Name of the file, such as `terms.pdf`. */
  @Text({ min: 1, max: ATTACHMENT_NAME_MAX, trim: true })
  @Required()
  name: string;

  /** The bytes in base64, at most 2 MB of them. */
  @Parsed('not_base64', parseBase64, 'must be the bytes of a file in base64')
  @Required()
  content: string;
}

export class SetVisitorAttachmentDto extends asked('attachment', AttachmentContentDto) {}

export class ShownAttachmentDto extends VisitorAttachmentFactsDto {
  /** The bytes in base64. */
  content: string;
}

/** The file that goes along with each email of a form to a visitor; null for none. */
export class VisitorAttachmentDto {
  attachment: ShownAttachmentDto | null;

  static from(found: VisitorAttachment | null): VisitorAttachmentDto {
    if (!found) return { attachment: null };
    const { name, mediaType: media_type, size, content } = found;
    return { attachment: { name, media_type, size, content: content.toString('base64') } };
  }
}
