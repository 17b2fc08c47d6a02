import type { Provider } from '../../forms/aliases/old-address.js';

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
  steps: { host: '3. Replace the host in your pages' },
  found: (count: number) => (count === 1 ? 'We found one form' : `We found ${count} forms`),
  make: (count: number) => (count === 1 ? 'Create the form' : `Create ${count} forms`),
  table: { old: 'Old ID', fields: 'Fields with names', state: 'State' },
  hosts: { old: 'Find', next: 'Replace with' },
  live: { form: 'Form', last: 'Last submission', page: 'From the page' },
  aliases: { title: 'Old IDs', provider: 'Provider', remove: 'Remove' },
} as const;
