import { F_PATH, ROOT_PATH, type Dialect } from './dialect.js';

/** Our codes of fields in the words of its clients, which know no others. */
const CODES: Readonly<Record<string, string>> = {
  REQUIRED: 'REQUIRED_FIELD_EMPTY',
  EMAIL: 'TYPE_EMAIL',
  NUMBER: 'TYPE_NUMERIC',
  FORM_PAUSED: 'INACTIVE',
  FORM_CLOSED: 'INACTIVE',
  FORM_FULL: 'INACTIVE',
};

export const formspree: Dialect = {
  provider: 'formspree',
  paths: [
    F_PATH,
    { route: '/p/:project/f/:key', pattern: /^\/p\/([^/]+)\/f\/([^/]+)\/?$/s },
    ROOT_PATH,
  ],
  roles: {
    _next: 'next',
    _cc: 'setting',
    _format: 'setting',
    _language: 'setting',
  },
  failure: ({ message, errors }) => ({
    error: message,
    errors: errors.map((entry) => ({ ...entry, code: CODES[entry.code] ?? entry.code })),
  }),
};
