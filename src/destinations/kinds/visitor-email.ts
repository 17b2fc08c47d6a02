import { MAIL_HTML_MAX, mailHtmlProblem } from '../../forms/model/mail-html.js';
import { parseEmailAddress } from '../../platform/kernel/text/addresses.js';
import { templateProblem } from '../../platform/kernel/text/liquid.js';
import { parseText, readBy, type DestinationKind } from './kind.js';

/** Sends the visitor a mail, to the address in the submission. */
export const visitorEmail: DestinationKind = {
  label: 'Email to the visitor',
  hint: 'Goes to the address in the “email” field.',
  settings: {
    from_name: { label: 'Sender name', max: 255 },
    from: {
      label: 'Sender address',
      max: 255,
      parse: parseEmailAddress,
      must: 'must be an email address such as hello@example.com',
    },
    subject: { label: 'Subject', max: 255, parse: parseText },
    body: {
      label: 'Message',
      hint: 'Use {{name}} to insert a field, and {% if topic == "Sales" %}…{% endif %} to choose.',
      ...{ max: 10_000, isLong: true, parse: parseText },
    },
    html: {
      label: 'HTML of the email',
      hint: 'Leave empty for plain text. Allowed: p, br, h1, h2, h3, a (https or mailto), strong, em, ul, ol, li, blockquote, tables. {{field name}} inserts a value.',
      fold: 'HTML',
      ...{
        max: MAIL_HTML_MAX,
        isLong: true,
        parse: readBy((text) => mailHtmlProblem(text) ?? templateProblem(text)),
      },
    },
    confirm: {
      label: 'Ask visitors to confirm by email (double opt-in)',
      hint: 'Nothing is sent to anyone until the visitor confirms, except the request itself. The link works for 30 days. Submissions without an email address are sent at once. If you turn this off, what is waiting keeps waiting until you send it.',
      max: 3,
      choices: { no: 'No', yes: 'Yes' },
    },
  },
  mail: 'visitor',
};
