/** Words of what one visitor sent, and of erasing it. */
export const visitorWords = {
  visitor: {
    title: 'Find a visitor',
    hint: 'Everything somebody sent under an e-mail address, through all forms.',
    email: 'E-mail address of the visitor',
    find: 'Find',
    notAnAddress: 'Must be an e-mail address such as jane@example.com',
    nothing: (email: string) => `Nothing is stored under ${email}.`,
    all: 'Everything from this address',
    submissions: (count: number, forms: number) =>
      `${count === 1 ? 'One submission' : `${count.toLocaleString('en')} submissions`} through ${forms === 1 ? 'one form' : `${forms} forms`}, spam and the trash too`,
    erase: 'Erase this person',
    goes: 'What goes',
    form: 'Form',
    what: 'What',
    count: 'How many',
    sum: 'All submissions',
    files: (size: string) => `Files, ${size}`,
    noFiles: 'Files',
    mails: 'Mails in the history',
    webhookCalls: 'Webhook calls in the history',
    notes: 'Notes of yours',
    stays:
      'This cannot be undone. What was mailed or handed to a webhook before is out of reach, and backups keep it until they are removed.',
    type: (email: string) => `Type ${email} to go on`,
    wrong: 'This is not the address above.',
    go: 'Erase everything',
    receipt: 'Receipt',
    receiptHint: 'The audit log has it in place of the address. Keep it with the request.',
  },
} as const;
