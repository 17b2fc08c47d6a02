import type { Mailbox } from '../platform/config/mailbox.js';
import { html } from '../platform/kernel/html.js';
import { addressOfVisitor } from '../notifications/notification-planner.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { htmlMail, htmlRows, textRows, type Row } from './mail-parts.js';
import type { Message } from './message.js';
import { cut, headerText } from './template.js';

/** Field names that hold a visitor's name by convention, compared in lower case. */
const NAME_FIELDS = ['name', 'full_name', 'fullname', 'full-name', 'your-name', 'your_name'];

/**
 * Writes the mail about a submission: all values in order under their names, files as links.
 * @param fileLinks one for each file, in order
 */
export function ownerMail(
  { form, submission, files }: SubmissionInFull,
  fileLinks: string[],
  from: Mailbox,
  to: string,
): Message {
  const visitor = addressOfVisitor(submission.values);
  const rows: Row[] = [
    ...submission.values.toText(),
    ...files.map(({ field, name }, index) => ({
      name: field,
      text: name === '' ? 'File' : name,
      href: fileLinks[index] ?? '',
    })),
  ];
  const time = `${submission.createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const page = submission.referer ?? submission.origin;
  const about = `Received ${time}${page === null ? '' : ` from ${page}`}.`;
  const title = `New submission: ${form.name}`;
  const who = visitorIn(submission.values.toText()) ?? visitor;
  const reply = visitor === null ? '' : ' Reply to this mail to answer the visitor.';
  return {
    from,
    to,
    replyTo: visitor === null ? null : { name: '', address: visitor },
    subject: headerText(who === null ? title : `${form.name}: ${cut(who.trim())}`),
    text: `${title}\n\n${textRows(rows)}\n--\n${about}${reply}\n`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        ${htmlRows(rows)}`,
      html`${about}${reply}`,
    ),
    automatic: 'auto-generated',
  };
}

/** Returns the visitor's name; null when no field is made for it. */
function visitorIn(values: { name: string; text: string }[]): string | null {
  const named = values.find(
    ({ name, text }) => NAME_FIELDS.includes(name.toLowerCase()) && text.trim() !== '',
  );
  return named?.text ?? null;
}
