import type { Mailbox } from '../../platform/config/mailbox.js';
import type { Form } from '../../forms/model/form.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { previewOf } from '../../submissions/model/preview.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { button, facts, paragraph } from '../parts/blocks.js';
import { notice } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { timeText } from '../parts/time-text.js';

/** A submission as a digest lists it. */
export interface DigestRow {
  formName: string;
  /** Path of its page. */
  path: string;
  createdAt: Date;
  /** Line with who sent it, and what. */
  text: string;
}

/** The content of a digest. */
export interface Digest {
  /** Its delivery. */
  id: Buffer;
  accountName: string | null;
  /** Name of the form that all of them came through; null for several. */
  formName: string | null;
  /** How many submissions it covers, in words such as `12` or `more than 1,000`. */
  count: string;
  /** When their hour began. */
  hour: Date;
  /** The first of them. */
  first: DigestRow[];
}

/** Returns a submission as a digest lists it. */
export function digestRow(form: Form, { id, createdAt, values }: Submission): DigestRow {
  const { from: who, rest } = previewOf(values.lines(), form.previewFields);
  return {
    ...{ formName: form.name, path: `/inbox/${form.identifier}/${formatUuid(id)}`, createdAt },
    text: [who, ...rest].filter((part) => part !== '').join(' · '),
  };
}

/** Writes the mail that lists an owner's submissions of an hour which got no mail of their own. */
export function digestMail(digest: Digest, baseUrl: string, from: Mailbox, to: string): Message {
  return mailOf(digest, baseUrl, from, to, {
    subject: `${digest.count} more submissions in the hour from ${timeText(digest.hour)}`,
    lead: 'This address reached its hourly limit of emails, so we list these submissions in one. The inbox has all of them in full.',
    timeOf: (at) => at.toISOString().slice(11, 16),
  });
}

/** Writes the mail that a destination sends in place of one for each submission. */
export function destinationDigestMail(
  digest: Digest,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  const { count, formName } = digest;
  return mailOf(digest, baseUrl, from, to, {
    subject: `${formName ?? 'Several forms'}: ${count} new ${count === '1' ? 'submission' : 'submissions'}`,
    lead: 'These came since the last email. The inbox has all of them in full.',
    timeOf: timeText,
  });
}

function mailOf(
  { id, accountName, first }: Digest,
  baseUrl: string,
  from: Mailbox,
  to: string,
  { subject, lead, timeOf }: { subject: string; lead: string; timeOf: (at: Date) => string },
): Message {
  const rows = first.map(({ formName, path, createdAt, text }) => ({
    ...{ label: `${timeOf(createdAt)} ${formName}`, text },
    more: { label: 'Open', href: `${baseUrl}${path}` },
  }));
  return {
    ...notice(from, to, {
      subject,
      sender: accountName,
      blocks: [paragraph(lead), facts(rows), button('Open inbox', `${baseUrl}/inbox`)],
    }),
    thread: formatUuid(id),
  };
}
