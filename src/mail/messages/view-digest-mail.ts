import type { Mailbox } from '../../platform/config/mailbox.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { InboxEntry } from '../../search/inbox/inbox.service.js';
import { previewOf } from '../../submissions/model/preview.js';
import { button, facts, paragraph } from '../parts/blocks.js';
import { notice } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { timeText } from '../parts/time-text.js';

/** Content of a digest of a saved view. */
export interface ViewDigestContent {
  accountName: string | null;
  /** Name of the view, and its filter. */
  name: string;
  line: string;
  every: 'day' | 'week';
  /** How many are new, such as `12` or `Over 1000`. */
  count: string;
  /** The newest of them, newest first. */
  newest: Pick<InboxEntry, 'form' | 'submission'>[];
}

/** Writes the mail that tells a person what is new in a saved view. @param links.end ends it without signing in */
export function viewDigestMail(
  { accountName, name, line, every, count, newest }: ViewDigestContent,
  { baseUrl, end }: { baseUrl: string; end: string },
  from: Mailbox,
  to: string,
): Message {
  const rows = newest.map(({ form, submission }) => {
    const { from: who, rest } = previewOf(submission.lines, form.previewFields);
    return {
      label: form.name,
      text: [who, ...rest].filter((part) => part !== '').join(' · '),
      note: timeText(submission.createdAt),
      more: {
        label: 'Open',
        href: `${baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}`,
      },
    };
  });
  const isOne = count === '1';
  return {
    ...notice(from, to, {
      subject: `${name}: ${count} new ${isOne ? 'submission' : 'submissions'}`,
      sender: accountName,
      blocks: [
        ...(isOne ? [] : [paragraph('The newest ones:')]),
        facts(rows),
        button('Open view', `${baseUrl}/inbox?${new URLSearchParams({ q: line }).toString()}`),
      ],
      footer: [
        paragraph(
          `You are receiving this because you turned on a digest for the view "${name}". We send it once a ${every}, if there is something new.`,
        ),
        button('Stop this digest', end),
      ],
    }),
    unsubscribe: end,
  };
}
