import { byteSize } from '../../platform/kernel/byte-size.js';

/** Words of the page about confirmation, design and attachment of mails to visitors. */
export const visitorMailWords = {
  visitorMail: {
    title: 'Visitor emails',
    doubleOptIn: 'Ask visitors to confirm by email (double opt-in)',
    doubleOptInHint:
      'Nothing is sent to anyone until the visitor confirms, except the request itself. The link works for 30 days. Submissions without an email address are sent at once. If you turn this off, what is waiting keeps waiting until you send it.',
    html: 'HTML of the email',
    htmlHint:
      'Leave empty for plain text. Allowed: p, br, h1, h2, h3, a (https or mailto), strong, em, ul, ol, li, blockquote, tables. {{field name}} inserts a value.',
    attachment: 'Attachment',
    noFile: 'No file is attached to emails to visitors.',
    file: (name: string, size: number) =>
      `Every email to a visitor has this file: ${name} (${byteSize(size)})`,
    choose: 'File',
    chooseHint: 'Up to 2 MB. It replaces the current file. Confirmation requests do not have it.',
    upload: 'Attach file',
    remove: 'Remove file',
  },
} as const;
