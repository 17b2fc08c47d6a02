import { F_PATH, type Dialect } from './dialect.js';

export const getform: Dialect = {
  provider: 'getform',
  paths: [F_PATH],
  roles: { _redirect: 'next' },
};
