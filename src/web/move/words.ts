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
  lead: 'Your pages keep their forms, ids and special fields. Only the host in them changes.',
  open: 'Move from another provider',
  steps: {
    forms: '1. Bring your forms',
    submissions: '2. Bring your submissions',
    host: '3. Replace the host in your pages',
    live: '4. See what still comes to the old ids',
  },
  content: 'A page of your site, your formspree.json, or one id per line',
  contentHint:
    'Paste the HTML of a page, and we find its forms. Or paste ids such as xpzvnqkd or https://formspree.io/f/xpzvnqkd, with a name behind a comma if you like.',
  provider: 'Provider of ids without an address',
  project: 'Formspree project',
  projectHint: 'Only for a formspree.json: the part after /p/ in the addresses of your pages.',
  any: 'The addresses say it',
  look: 'Find the forms',
  found: (count: number) => (count === 1 ? 'We found one form' : `We found ${count} forms`),
  make: (count: number) => (count === 1 ? 'Create the form' : `Create ${count} forms`),
  made: 'Your forms are here',
  table: {
    caption: 'Forms',
    name: 'Form',
    old: 'Old id',
    fields: 'Fields with names',
    state: 'State',
  },
  isNew: 'Will be created',
  isHere: 'Already here',
  wasMade: 'Created',
  notReached: 'The old id is taken on this service; use the new address.',
  rulesHint:
    'What the page asks of its fields becomes field rules. They hold a submission that breaks one, and refuse none.',
  page: 'Your page with the new addresses',
  pageHint:
    'Only the action and the method of its forms have changed. Or keep the page and replace the host.',
  submissionsHint:
    'Export the submissions at your provider, then open a form here and choose Setup → Import submissions. Times and spam marks stay as they are, and nobody gets an email.',
  hostHint: (base: string) =>
    `Search all files of your site for the old host, and replace it with ${base}. Ids and fields stay.`,
  hosts: { old: 'Replace', next: 'By', provider: 'Provider' },
  live: {
    caption: 'Old ids',
    empty: 'No old id leads here yet.',
    id: 'Old id',
    form: 'Form',
    last: 'Last submission',
    page: 'From the page',
    never: 'None yet',
    hint: 'An id without a submission since you replaced the host everywhere is no longer in use: your move is done when that is true for all. This list can be ten seconds late.',
  },
  aliases: {
    title: 'Old ids',
    lead: 'Pages made for another provider reach this form by the id that they already name.',
    add: 'Add an old id',
    value: 'Old id or address',
    valueHint: 'As your page has it, such as xpzvnqkd or https://formspree.io/f/xpzvnqkd.',
    provider: 'Provider',
    go: 'Add',
    remove: 'Remove',
    removeHint: 'Pages that still send to this id get an error. You can add it again later.',
    dialect: 'How the form answers',
    dialectHint:
      'Which special fields it reads, such as _next, and how it answers scripts. Choose a provider if you changed the address in pages made for it.',
    dialectAuto: 'As the address says',
    save: 'Save',
  },
} as const;
