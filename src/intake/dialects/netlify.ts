import type { Dialect } from './dialect.js';

/** Its pages name no host, so they need the address of a form here, and that form this dialect. */
export const netlify: Dialect = {
  provider: 'netlify',
  paths: [],
  roles: { 'form-name': 'setting', 'bot-field': 'honeypot', subject: 'subject' },
};
