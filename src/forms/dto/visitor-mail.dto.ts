import { asked, wrapped } from '../../platform/http/wrapped.js';
import { ValidateBy } from 'class-validator';
import { Flag, Optional, Text } from '../../platform/kernel/validation.js';
import { MAIL_HTML_MAX, mailHtmlProblem } from '../model/mail-html.js';
import type { VisitorAttachmentFacts } from '../model/visitor-attachment.entity.js';
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
export class VisitorAttachmentFactsDto {
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
