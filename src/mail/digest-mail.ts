import type { Mailbox } from '../platform/config/mailbox.js';
import { html } from '../platform/kernel/html.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { htmlMail, htmlRows, textRows } from './mail-parts.js';
import type { Message } from './message.js';

/** Longest excerpt of a submission, in characters. */
const GIST_MAX = 160;

/** The content of a digest. */
export interface Digest {
  /** How many submissions it covers, in words such as `12` or `more than 1,000`. */
  count: string;
  /** When their hour began. */
  hour: Date;
  /** The first of them. */
  first: Pick<SubmissionInFull, 'form' | 'submission'>[];
}

/** Writes the mail that lists an owner's submissions of an hour which got no mail of their own. */
export function digestMail({ count, hour, first }: Digest, from: Mailbox, to: string): Message {
  const time = `${hour.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const title = `${count} more submissions in the hour from ${time}`;
  const about =
    'Many mails came to this address in that hour, so these submissions have none of their own. All of them are kept; the list of submissions has them in full.';
  const rows = first.map(({ form, submission }) => ({
    name: `${submission.createdAt.toISOString().slice(11, 16)} ${form.name}`,
    text: gistOf(submission.values.toText().map(({ text }) => text)),
  }));
  return {
    from,
    to,
    replyTo: null,
    subject: title,
    text: `${title}\n\n${about}\n\n${textRows(rows)}`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        <p>${about}</p>
        ${htmlRows(rows)}`,
    ),
    automatic: 'auto-generated',
  };
}

function gistOf(texts: string[]): string {
  const gist = texts.join(' · ').replace(/\s+/g, ' ');
  return gist.length <= GIST_MAX ? gist : `${gist.slice(0, GIST_MAX).replace(/\p{Cs}$/u, '')}…`;
}
