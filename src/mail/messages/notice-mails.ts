import type { Mailbox } from '../../platform/config/mailbox.js';
import type { Form } from '../../forms/model/form.entity.js';
import { button, code, facts, paragraph } from '../parts/blocks.js';
import { notice } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { headerText, cut } from '../parts/template.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { BulkJob } from '../../jobs/queue/bulk-job.entity.js';
import { ExportFiles } from '../../jobs/exports/export-files.js';
import { timeText } from '../parts/time-text.js';
import type { SubmissionNote } from '../../triage/notes/submission-note.entity.js';
import { sendAs, type SentBy } from '../parts/sent-by.js';

/**
 * Writes the mail that tells an owner that calls were stopped after days of failures.
 * @param destination its name; null for the webhook of the form
 */
export function noticeMail(
  form: Form,
  destination: string | null,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  const page = `${baseUrl}/forms/${form.identifier}`;
  const name = { label: 'Form', text: form.name };
  const content =
    destination === null
      ? {
          subject: `Webhook of "${form.name}" turned off`,
          blocks: [
            paragraph(
              'Every call of this webhook failed for five days, so we turned it off. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Webhook', text: form.webhookUrl ?? '' }]),
            paragraph(
              'Once your server works again, turn the webhook on. You can then also send all missed submissions.',
            ),
            button('Open form', page),
            paragraph('Or use the API with an API token:'),
            code(enableCommand(`${baseUrl}/api/v1/forms/${form.identifier}/webhook`)),
          ],
        }
      : {
          subject: `Destination "${headerText(destination)}" of "${form.name}" paused`,
          blocks: [
            paragraph(
              'Every call of this destination failed for five days, so we paused it. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Destination', text: destination }]),
            paragraph(
              'Its log says what went wrong. Resume it once that is mended; you can then also send what it missed.',
            ),
            button('Open destinations', `${page}/destinations`),
          ],
        };
  return notice(from, to, content);
}

/** Returns a command to copy, which sends what was missed too. */
function enableCommand(address: string): string {
  return [
    `curl -X PATCH ${address} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '{"webhook":{"enabled":true,"resend":true}}'`,
  ].join('\n');
}

/** Writes the mail that tells a person that the file of their export can be loaded, where they are signed in. */
export function exportMail(
  form: Form,
  { id, line, done, endedAt }: BulkJob,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message | null {
  if (!endedAt) return null;
  return notice(from, to, {
    subject: `Your export is ready: ${form.name}`,
    blocks: [
      paragraph('Your file is ready to download.'),
      facts([
        { label: 'Form', text: form.name },
        ...(line === '' ? [] : [{ label: 'Filter', text: line }]),
        { label: 'Submissions', text: done.toLocaleString('en') },
        { label: 'Available until', text: timeText(ExportFiles.expiryOf(endedAt)) },
      ]),
      button('Open export', `${baseUrl}/jobs/${formatUuid(id)}`),
    ],
  });
}

/** Longest beginning of a note that the mail has, in characters. */
const NOTE_SHOWN = 1_000;

/** Writes the mail that tells a person of a note that mentions them. */
export function mentionMail(
  form: Form,
  { submissionId, authorName, text }: SubmissionNote,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  const id = formatUuid(submissionId);
  const shown = text.length > NOTE_SHOWN ? `${text.slice(0, NOTE_SHOWN)}…` : text;
  return {
    ...notice(from, to, {
      subject: `${cut(authorName)} mentioned you: ${form.name}`,
      blocks: [
        paragraph(`${authorName} mentioned you in a note on a submission.`),
        facts([
          { label: 'Form', text: form.name },
          { label: 'Note', text: shown },
        ]),
        button('Open submission', `${baseUrl}/inbox/${form.identifier}/${id}`),
      ],
    }),
    thread: id,
  };
}

/**
 * Asks an address whether it wants the mails of an account's forms. It says nothing that a client wrote,
 * since it may go to a stranger: the name of the account is the owner's own.
 */
export function confirmationMail(
  accountName: string,
  link: string,
  from: Mailbox,
  to: string,
): Message {
  const who = cut(accountName);
  return notice(from, to, {
    subject: `Do you want emails about form submissions from "${who}"?`,
    blocks: [
      paragraph(
        `"${who}" wants to send submissions of one of its forms to ${to}. We send nothing until you agree.`,
      ),
      button('Review and agree', link),
    ],
    footer: [
      paragraph(
        'The link works for a week. If you do not want these emails, ignore this one: we will send nothing more.',
      ),
    ],
  });
}

/** Writes the mail that shows whether the sender of a client works. */
export function senderTestMail(by: SentBy, to: string): Message {
  return sendAs(
    by,
    notice(by.from, to, {
      subject: 'Test of the sender',
      sender: by.name,
      blocks: [
        paragraph(
          `This email came from ${by.from.address}${by.via ? ` through ${by.via.host}` : ''}.`,
        ),
        paragraph('Emails to visitors and to the people of this client come the same way.'),
      ],
    }),
  );
}
