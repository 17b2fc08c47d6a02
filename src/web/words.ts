import { accessWords } from './words/access.js';
import { formsWords } from './words/forms.js';
import { inboxWords } from './words/inbox.js';
import { statusWords } from './words/status.js';

/** Every sentence of the pages for people who sign in, so that another language is another such file. */
export const words = {
  product: 'Form Collection Service',
  nav: {
    label: 'Main',
    skip: 'Skip to the content',
    inbox: 'Inbox',
    forms: 'Forms',
    clients: 'Clients',
    tokens: 'Tokens',
    status: 'Status',
    person: 'Your account',
    account: 'Account and sign-in',
    signOut: 'Sign out',
  },
  trouble: (forms: number) =>
    forms === 1 ? 'One form needs your attention' : `${forms} forms need your attention`,
  flash: {
    signed_in: 'You are signed in.',
    signed_out: 'You are signed out.',
    saved: 'Your changes are saved.',
    form_created: 'The form is there. Put its snippet into your page.',
    form_duplicated: 'This is the copy. It has an address of its own.',
    form_deleted: 'The form is deleted.',
    client_created: 'The client is there.',
    client_deleted: 'The client is deleted, and its tokens no longer work.',
    token_revoked: 'The token is revoked and no longer works.',
    tried: 'It was tried again; the last line of its history says how it went.',
  },
  forms: {
    problems: (count: number) =>
      count === 1 ? 'One thing needs to be changed:' : `${count} things need to be changed:`,
  },
  ...inboxWords,
  ...formsWords,
  ...accessWords,
  ...statusWords,
  copy: 'Copy',
  cancel: 'Cancel',
  errors: {
    400: ['This request cannot be read', 'Go back and try it again.'],
    403: ['You may not do this', 'Ask the owner of the account if you need to.'],
    404: ['There is nothing here', 'It may have been deleted, or the address is mistyped.'],
    429: ['That was too often', 'Wait a moment, then try again.'],
    500: ['Something went wrong here', 'It has been logged. Try it again in a moment.'],
    503: ['This is away for a moment', 'Nothing is lost. Try it again in a few seconds.'],
  },
  back: 'Back to the start',
  requestId: 'Logged under',
} as const;
