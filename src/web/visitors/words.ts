/** Words of the pages that find and erase the submissions of a visitor. */
export const visitorWords = {
  title: 'Find a visitor',
  hint: 'Find everything a visitor sent with an email address, across all forms.',
  email: 'Email address of the visitor',
  find: 'Find',
  notAnAddress: 'Enter an email address such as jane@example.com',
  nothing: (email: string) => `No submissions from ${email}.`,
  all: 'Everything from this address',
  submissions: (count: number, forms: number) =>
    `${count === 1 ? 'One submission' : `${count.toLocaleString('en')} submissions`} in ${forms === 1 ? 'one form' : `${forms} forms`}, including spam and trash`,
  erase: 'Erase visitor',
  goes: 'Data to erase',
  form: 'Form',
  what: 'Data',
  count: 'Count',
  sum: 'All submissions',
  files: (size: string) => `Files, ${size}`,
  noFiles: 'Files',
  mails: 'Emails sent',
  webhookCalls: 'Webhook calls',
  notes: 'Notes of your team',
  stays:
    'You cannot undo this. We cannot recall emails and webhook calls that were already sent, and backups keep the data until you delete them.',
  type: (email: string) => `Type ${email} to continue`,
  wrong: 'Type the address exactly as shown above.',
  go: 'Erase everything',
  receipt: 'Receipt',
  receiptHint:
    'The audit log records this receipt in place of the address. Keep it with the visitor’s request.',
} as const;
