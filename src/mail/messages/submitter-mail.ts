import type { Config } from '../../platform/config/config.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { paragraph } from '../parts/blocks.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { writeMail } from '../parts/layout.js';
import type { Attachment, Message } from '../parts/message.js';
import type { SentBy } from '../parts/sent-by.js';
import { placeholders } from './placeholders.js';
import { senders } from './senders.js';
import { htmlBlock } from './visitor-html.js';
import { fill, fillSubject } from '../parts/template.js';

const DEFAULT_SUBJECT = 'We have received your submission: {{form.name}}';

/** Writes the mail that thanks the visitor, in the words of the form's owner; its file goes along. */
export function submitterMail(
  { form, submission }: SubmissionInFull,
  config: Config,
  to: string,
  by: SentBy,
  answersTo: string | null,
  attachments: Attachment[],
): Message {
  const values = placeholders({ form, submission });
  const subject = fillSubject(form.notifySubmitterSubject ?? DEFAULT_SUBJECT, values);
  const { html } = decodeVisitorMail(form.visitorMail);
  const { notifySubmitterBody: body, submissionText } = form;
  const block =
    (html === null ? null : htmlBlock(html, body === null ? null : fill(body, values), values)) ??
    paragraph(fill(body ?? submissionText, values));
  return {
    ...senders(form, config, by, answersTo),
    to,
    attachments,
    thread: formatUuid(submission.id),
    ...writeMail({ subject, heading: null, blocks: [block] }),
    automatic: 'auto-replied',
  };
}
