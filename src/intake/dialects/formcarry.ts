import type { Dialect } from './dialect.js';

export const formcarry: Dialect = {
  provider: 'formcarry',
  paths: [{ route: '/s/:id', pattern: /^\/s\/([^/]+)\/?$/s }],
  roles: { returnUrl: 'next', failUrl: 'error', returnParams: 'setting' },
};
