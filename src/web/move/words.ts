import type { Provider } from '../../aliases/old-address.js';

/** Names of providers as they write themselves. */
const providers: Readonly<Record<Provider, string>> = {
  basin: 'Basin',
  formbackend: 'FormBackend',
  formcarry: 'Formcarry',
  forminit: 'Forminit',
  formspark: 'Formspark',
  formspree: 'Formspree',
  formsubmit: 'FormSubmit',
  getform: 'Getform',
  netlify: 'Netlify Forms',
  web3forms: 'Web3Forms',
};

/** Words of the pages about moving here from another provider. */
export const moveWords = {
  providers,
  title: 'Move from another provider',
  lead: 'Your pages keep their forms, IDs and special fields. Only the host in them changes.',
  open: 'Move from another provider',
  steps: {
    forms: '1. Import your forms',
    submissions: '2. Import your submissions',
    host: '3. Replace the host in your pages',
    live: '4. See which old IDs are still used',
  },
  content: 'A page of your site, your formspree.json, or one ID per line',
  contentHint:
    'Paste the HTML of a page, and we find its forms. Or paste IDs such as xpzvnqkd or https://formspree.io/f/xpzvnqkd, optionally followed by a comma and a name.',
  provider: 'Provider (for bare IDs)',
  project: 'Formspree project',
  projectHint: 'Only for a formspree.json: the part after /p/ in the addresses of your pages.',
  any: 'Detect from the address',
  look: 'Find the forms',
  found: (count: number) => (count === 1 ? 'We found one form' : `We found ${count} forms`),
  make: (count: number) => (count === 1 ? 'Create the form' : `Create ${count} forms`),
  made: 'Forms created',
  table: {
    caption: 'Forms',
    name: 'Form',
    old: 'Old ID',
    fields: 'Fields with names',
    state: 'State',
  },
  isNew: 'Will be created',
  isHere: 'Already here',
  wasMade: 'Created',
  notReached: 'The old ID is taken on this service; use the new address.',
  rulesHint:
    'Required fields and formats become field rules. Submissions that break one are held, not rejected.',
  page: 'Your page with the new addresses',
  pageHint:
    'Only the action and the method of its forms have changed. Or keep the page and replace the host.',
  submissionsHint:
    'Export the submissions at your provider, then open a form here and choose Setup → Import submissions. Times and spam marks stay as they are, and nobody gets an email.',
  hostHint: (base: string) =>
    `In all files of your site, replace the old host with ${base}. IDs and fields stay.`,
  hosts: { old: 'Find', next: 'Replace with', provider: 'Provider' },
  live: {
    caption: 'Old IDs',
    empty: 'No old IDs yet.',
    id: 'Old ID',
    form: 'Form',
    last: 'Last submission',
    page: 'From the page',
    never: 'None yet',
    hint: 'An ID without a submission since you replaced the host is no longer used. Your move is complete once this is true for all. This list updates every ten seconds.',
  },
  aliases: {
    title: 'Old IDs',
    lead: 'Pages that still use an ID from another provider are delivered to this form.',
    add: 'Add an old ID',
    value: 'Old ID or address',
    valueHint: 'As your page has it, such as xpzvnqkd or https://formspree.io/f/xpzvnqkd.',
    provider: 'Provider',
    go: 'Add',
    remove: 'Remove',
    removeHint: 'Pages that still use this ID get an error. You can add it again later.',
    dialect: 'How the form answers',
    dialectHint:
      'Special fields such as _next, and responses to scripts. Choose a provider if you changed the address in pages made for it.',
    dialectAuto: 'Detect from the address',
    save: 'Save',
  },
} as const;
