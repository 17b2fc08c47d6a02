import type { Mailbox } from '../../platform/config/mailbox.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { previewOf } from '../../submissions/model/preview.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { button, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { timeText } from '../parts/time-text.js';

/** The content of a digest. */
export interface Digest {
  /** Its delivery. */
  id: Buffer;
  accountName: string | null;
  /** How many submissions it covers, in words such as `12` or `more than 1,000`. */
  count: string;
  /** When their hour began. */
  hour: Date;
  /** The first of them. */
  first: Pick<SubmissionInFull, 'form' | 'submission'>[];
}

/** Writes the mail that lists an owner's submissions of an hour which got no mail of their own. */
export function digestMail(
  { id, accountName, count, hour, first }: Digest,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  const rows = first.map(({ form, submission }) => {
    const { from: who, rest } = previewOf(submission.values.toText(), form.previewFields);
    return {
      label: `${submission.createdAt.toISOString().slice(11, 16)} ${form.name}`,
      text: [who, ...rest].filter((part) => part !== '').join(' · '),
      more: {
        label: 'Open',
        href: `${baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}`,
      },
    };
  });
  return {
    from,
    to,
    replyTo: null,
    thread: formatUuid(id),
    ...writeMail({
      subject: `${count} more submissions in the hour from ${timeText(hour)}`,
      sender: accountName,
      blocks: [
        paragraph(
          'This address reached its hourly limit of emails, so we list these submissions in one. The inbox has all of them in full.',
        ),
        facts(rows),
        button('Open inbox', `${baseUrl}/inbox`),
      ],
    }),
    automatic: 'auto-generated',
  };
}
