import type { Form } from '../../forms/model/form.entity.js';
import type { Mailbox } from '../../platform/config/mailbox.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { BulkJob } from '../../jobs/queue/bulk-job.entity.js';
import { ExportFiles } from '../../jobs/exports/export-files.js';
import { button, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { timeText } from '../parts/time-text.js';

/** Writes the mail that tells a person that the file of their export can be loaded, where they are signed in. */
export function exportMail(
  form: Form,
  { id, line, done, endedAt }: BulkJob,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message | null {
  if (!endedAt) return null;
  return {
    from,
    to,
    replyTo: null,
    ...writeMail({
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
    }),
    automatic: 'auto-generated',
  };
}
