import type { Config } from '../../platform/config/config.js';
import type { Form } from '../../forms/model/form.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { mayBeFrom, type SentBy } from '../parts/sent-by.js';
import { placeholders } from './placeholders.js';
import { fill, fillSubject, headerText } from '../parts/template.js';

const DEFAULT_SUBJECT = 'We have received your submission: {{form.name}}';

/** Writes the mail that thanks the visitor, in the words of the form's owner. */
export function submitterMail(
  { form, submission }: SubmissionInFull,
  config: Config,
  to: string,
  by: SentBy,
  answersTo: string | null,
): Message {
  const values = placeholders({ form, submission });
  const subject = fillSubject(form.notifySubmitterSubject ?? DEFAULT_SUBJECT, values);
  const text = fill(form.notifySubmitterBody ?? form.submissionText, values);
  return {
    ...senders(form, config, by, answersTo),
    to,
    thread: formatUuid(submission.id),
    ...writeMail({ subject, heading: null, blocks: [paragraph(text)] }),
    automatic: 'auto-replied',
  };
}

/**
 * Returns the addresses of the mail. Receivers reject a From address whose domain does not permit our mail
 * server (SPF, DMARC). So the owner's address is used there only when MAIL_FROM_DOMAINS lists its domain;
 * otherwise, and through a client's own server, it becomes Reply-To. Where the form names none, answers go to the reply
 * address of the client or account.
 */
function senders(
  form: Form,
  config: Config,
  { from: ours, via, replyTo: own }: SentBy,
  answersTo: string | null,
): Pick<Message, 'from' | 'replyTo'> {
  const name = headerText(form.notifySubmitterFromName ?? ours.name);
  const from = { name, address: ours.address };
  const wanted = form.notifySubmitterFrom;
  if (wanted === null) {
    return { from, replyTo: answersTo === null ? own : { name, address: answersTo } };
  }
  if (!via && mayBeFrom(wanted, config)) return { from: { name, address: wanted }, replyTo: null };
  return { from, replyTo: { name, address: wanted } };
}
