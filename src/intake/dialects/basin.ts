import { F_PATH, type Dialect } from './dialect.js';

export const basin: Dialect = {
  provider: 'basin',
  paths: [
    { route: '/f/:identifier.json', pattern: /^\/f\/([^/]*)\.json$/is, isJson: true },
    F_PATH,
  ],
  roles: { _redirect: 'next', source_url: 'page' },
};
