/** Words of the pages of a form. */
export const formWords = {
  create: 'Create a form',
  none: 'Never',
  search: 'Search forms',
  toInbox: 'Open in the inbox',
  toNotifications: 'Set up notifications',
  toThanks: 'Edit the thank-you page',
  steps: { submission: 'First submission', email: 'Email that arrives', team: 'Team' },
  duplicate: 'Duplicate this form',
  delete: 'Delete this form',
  deleteHint: (count: number) =>
    count === 1
      ? 'This also deletes its one submission, including files. This cannot be undone.'
      : `This also deletes its ${count.toLocaleString('en')} submissions, including files. This cannot be undone.`,
  save: 'Save changes',
  sections: {
    notifications: 'Notifications',
    general: 'General',
    visitors: 'What visitors see',
    fields: 'Fields',
    page: 'Page of its own',
    spam: 'Spam',
    keep: 'Keep and close',
  },
} as const;

/** Words about the texts of a form in other languages. */
export const translationWords = {
  title: (count: number) => (count === 0 ? 'Texts in other languages' : `Texts in other languages (${count})`),
  hint: 'Visitors of this language get these texts. Leave one empty to use the text of the form, shown above each field.',
  texts: {
    submission_text: 'Message',
    notify_submitter_subject: 'Subject of the email to the visitor',
    notify_submitter_body: 'Text of the email to the visitor',
    closed_message: 'Message while the form is closed',
    page_title: 'Heading of the page',
    page_text: 'Text above the fields',
  },
  help: (label: string) => `Help for “${label}”`,
} as const;

/** Words about the fields of a form. */
export const fieldWords = {
  add: 'Add a field',
  kinds: {
    ...{ text: 'Text', long_text: 'Long text', email: 'Email address', url: 'Web address' },
    ...{ tel: 'Phone number', number: 'Number', date: 'Date', choice: 'One choice' },
    ...{ choices: 'Several choices', check: 'Check box', file: 'File', hidden: 'Hidden' },
  },
  inputs: {
    ...{ name: 'Name', label: 'Label', kind: 'Kind', help: 'Help', required: 'Required' },
    ...{ in_inbox: 'Show in the inbox', unique: 'One submission per value', choices: 'Choices' },
    ...{ min: 'Lowest number', max: 'Highest number', pattern: 'Pattern' },
    ...{ min_length: 'Fewest characters', max_length: 'Most characters', place: 'Position' },
    ...{ file_types: 'Types of files', max_file_bytes: 'Largest file (bytes)' },
  },
  hints: {
    name: 'As the form sends it.',
    label: 'Shown in emails, pages and the inbox. Leave empty to use the name.',
    help: 'A sentence for visitors below the label.',
    required: 'A value or a file is required.',
    in_inbox: 'Rows of the inbox and summaries show these fields. With none, we choose.',
    unique: 'A value that came before is refused, such as a second entry with the same email address.',
    choices: 'One per line, for the kinds One choice and Several choices. Leave empty to allow any value.',
    pattern: 'A regular expression for the whole value, such as [A-Z]{2}[0-9]+.',
    file_types: 'Endings of file names such as .pdf, one per line. For the kind File.',
    place: 'Its place in the list of fields. Leave empty for the last.',
  },
  remove: 'Remove this field',
  actions: { refuse: 'Ask the visitor to correct it', hold: 'Store it, and put it on hold for you' },
} as const;
