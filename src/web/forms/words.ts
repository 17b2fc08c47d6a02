/** Words of the pages of a form. */
export const formWords = {
  create: 'Create a form',
  createHint:
    'Visitors see it in the browser tab of the thank-you page and in emails to them. You can change everything later.',
  name: 'Name',
  none: 'Never',
  trouble: 'Attention',
  search: 'Search forms',
  emptyTitle: 'No forms yet',
  empty: 'A form gives you an address to use as the action of an HTML form.',
  settings: 'Settings',
  submissions: 'Submissions',
  setup: 'Setup',
  newest: 'Newest submissions',
  toInbox: 'Open in the inbox',
  install: 'Add the form to your site',
  installHint:
    'Copy this into your page. You can change the fields: each needs a name, and any name works. To receive files, add enctype="multipart/form-data" to the form.',
  waiting: 'Waiting for your first submission',
  waitingHint: 'Add the form to your site and submit it once. This page updates automatically.',
  waitingWithoutScript: 'Check now',
  meanwhile: 'Meanwhile',
  arrived: 'It works: your first submission is here',
  arrivedHint:
    'Next, choose who gets an email about new submissions, and what visitors see after submitting.',
  toNotifications: 'Set up notifications',
  toThanks: 'Edit the thank-you page',
  testTitle: 'Test the form',
  test: 'Send a test submission',
  testHint: 'Works like a real submission, including emails and the webhook.',
  coming: {
    title: 'Coming from another service?',
    hint: 'Your pages can keep the ID they name, and what was received there can come along.',
    aliases: 'Keep old IDs working',
    imports: 'Import submissions',
  },
  address: 'Address',
  duplicate: 'Duplicate this form',
  duplicateHint:
    'The copy has the same settings and field names, its own address and no submissions.',
  copyOf: (name: string) => `Copy of ${name}`,
  delete: 'Delete this form',
  deleteHint: (count: number) =>
    count === 1
      ? 'This also deletes its one submission, including files. This cannot be undone.'
      : `This also deletes its ${count.toLocaleString('en')} submissions, including files. This cannot be undone.`,
  typeName: (name: string) => `Type “${name}” to confirm`,
  wrongName: 'must match the name of the form exactly.',
  labels: {
    title: 'Field names',
    hint: 'Emails, pages and the inbox show these names in this order. Fields without a position follow in the order they were sent.',
    field: 'Field',
    label: 'Display name',
    place: 'Position',
    unplaced: '#',
    labelOf: (name: string) => `Display name of ${name}`,
    placeOf: (name: string) => `Position of ${name}`,
    emptyTitle: 'No fields yet',
    empty: 'Submit your form once, and its fields appear here.',
  },
  retention: {
    title: 'Retention',
    kept: 'This form keeps its submissions until you delete them.',
    keptFor: (days: number) =>
      days === 1
        ? 'This form deletes its submissions after one day.'
        : `This form deletes its submissions after ${days.toLocaleString('en')} days.`,
    days: 'Delete submissions after (days)',
    daysHint:
      'Leave empty to keep them. Otherwise, anything older is permanently deleted within the hour, including files.',
  },
  rows: {
    title: 'Inbox preview',
    hint: 'Choose the fields that the inbox and digests show for each submission: the first in bold, the others after it. Fields without a position are left out. If all are empty, we choose.',
    learnt: 'Currently chosen for you, based on what visitors send:',
    now: 'Preview of your newest submissions',
    example: 'Recent value',
    placeOf: (name: string) => `Position of ${name} in the preview`,
    choose: 'Choose for me',
  },
  origins: {
    title: 'Recent sources',
    hint: 'The newest submissions of the last 30 days, including spam, by the site they came from.',
    empty: 'No submissions in the last 30 days. The sites your form is sent from will appear here.',
    origin: 'Site',
    verdict: 'Status now',
    count: 'Submissions',
    last: 'Last submission',
    allowed: 'Allowed',
    refused: 'Filed as spam',
    allow: (domain: string) => `Allow ${domain}`,
    unknown: 'Unknown',
    kept: 'Submissions already filed as spam stay there until you mark them as not spam.',
    toSpam: 'View spam of this form',
  },
  save: 'Save changes',
  fields: {
    name: {
      label: 'Name',
      hint: 'Visitors see it in the browser tab of the thank-you page and in emails to them.',
    },
    submission_text: { label: 'Message', hint: 'Shown after submitting.' },
    redirect_url: {
      label: 'Redirect URL (optional)',
      hint: 'Such as https://example.com/thanks. Leave empty to show our thank-you page.',
    },
    show_submitted_values: { label: 'Show visitors what they submitted' },
    bg_color: { label: 'Background color', hint: 'Such as #fff or white.' },
    text_color: { label: 'Text color' },
    link_color: { label: 'Link color' },
    whitelisted_domains: {
      label: 'Domains',
      hint: 'Such as example.com, *.example.com. Submissions from other sites are filed as spam. Leave empty to allow any site.',
    },
  },
  groups: { general: 'General', thanks: 'Thank-you page', domains: 'Allowed domains' },
} as const;

/** Words of the page with the rules for the fields of a form. */
export const rulesWords = {
  title: 'Field rules',
  hint: 'We check each submission by these rules, whatever page it comes from. Optional fields can stay empty.',
  onFailure: 'When a submission breaks a rule',
  actions: {
    refuse: 'Ask the visitor to correct it',
    hold: 'Store it, and put it on hold for you',
  },
  none: 'No rules',
  add: 'Add another field',
  field: 'Field',
  fieldHint: 'The name that the form sends. Clear to remove its rules.',
  required: 'Required',
  requiredHint: 'A value or file is required.',
  type: 'Kind',
  types: { text: 'Text', email: 'Email address', url: 'Web address', number: 'Number' },
  min: 'Lowest number',
  max: 'Highest number',
  min_length: 'Fewest characters',
  max_length: 'Most characters',
  one_of: 'Choices',
  oneOfHint: 'One per line. Leave empty to allow any value.',
  pattern: 'Pattern',
  patternHint: 'A regular expression for the whole value, such as [A-Z]{2}[0-9]+.',
  choices: (count: number) => (count === 1 ? '1 choice' : `${count} choices`),
  limited: 'limits',
} as const;

/** Words of the page that says when a form is open. */
export const openingWords = {
  title: 'Availability',
  isOpen: 'This form is open.',
  isShut: 'This form is closed. Visitors see:',
  paused: 'Pause this form',
  pausedHint: 'All submissions are refused until you open it again.',
  closesAt: 'Close on',
  closesAtHint: (timeZone: string) => `In your time zone, ${timeZone}. Leave empty to stay open.`,
  max: 'Close after this many submissions',
  maxHint: (count: number) =>
    `Without spam. So far it has received ${count.toLocaleString('en')}. Leave empty for no limit.`,
  mergesRepeats: 'Merge repeated submissions',
  mergesRepeatsHint:
    'If one sender submits the same twice within ten seconds, it is stored once. Turn this off where several people submit the same from one computer, as with votes.',
  message: 'Message while it is closed',
  messageHint: 'Shown to visitors instead of our sentence.',
} as const;
