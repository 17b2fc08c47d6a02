import { F_PATH, ROOT_PATH, type Dialect } from './dialect.js';

/** Our codes of fields in the words of its clients, which know no others. */
const CODES: Readonly<Record<string, string>> = {
  REQUIRED: 'REQUIRED_FIELD_EMPTY',
  NOT_AN_EMAIL: 'TYPE_EMAIL',
  NOT_A_NUMBER: 'TYPE_NUMERIC',
  NOT_A_URL: 'TYPE_TEXT',
  NOT_A_CHOICE: 'TYPE_TEXT',
  PATTERN_MISMATCH: 'TYPE_TEXT',
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
  },
  failure: ({ message, errors }) => ({
    error: message,
    errors: errors.map((entry) => ({ ...entry, code: CODES[entry.code] ?? entry.code })),
  }),
};
