import type { Form } from '../../forms/model/form.entity.js';
import type { Mailbox } from '../../platform/config/mailbox.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { SubmissionNote } from '../../triage/notes/submission-note.entity.js';
import { button, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { cut } from '../parts/template.js';

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
    from,
    to,
    replyTo: null,
    thread: id,
    ...writeMail({
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
    automatic: 'auto-generated',
  };
}
