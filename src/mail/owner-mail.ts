import type { Mailbox } from '../config/mailbox.js';
import { html } from '../shared/html.js';
import { addressOfVisitor } from '../submissions/debts.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { htmlMail, htmlRows, textRows, type Row } from './mail-parts.js';
import type { Message } from './message.js';
import { headerText } from './template.js';

/**
 * Tells an owner what was submitted: all values in order under their names, files as links.
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
  return {
    from,
    to,
    replyTo: visitor === null ? null : { name: '', address: visitor },
    subject: headerText(title),
    text: `${title}\n\n${textRows(rows)}\n--\n${about}\n`,
    html: htmlMail(
      title,
      html`<h1 style="font-size:20px;margin:0 0 8px">${title}</h1>
        ${htmlRows(rows)}`,
      html`${about}${visitor === null ? null : ' Reply to this mail to answer the visitor.'}`,
    ),
    automatic: 'auto-generated',
  };
}
