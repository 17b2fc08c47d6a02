import { ROOT_PATH, type Dialect } from './dialect.js';

export const formspark: Dialect = {
  provider: 'formspark',
  paths: [ROOT_PATH],
  roles: {
    _redirect: 'next',
    _error: 'error',
    _append: 'append',
    _honeypot: 'honeypot',
    _email: 'setting',
    '_email.subject': 'subject',
    '_email.*': 'setting',
    _feedback: 'setting',
    '_feedback.*': 'setting',
    _botpoison: 'setting',
  },
};
