import { ROOT_PATH, type Dialect, type DialectPath } from './dialect.js';

const ALIAS: DialectPath = { route: '/el/:alias', pattern: /^\/(el\/[^/]+)\/?$/s };
/** Its scripts send here, and compare `success` with a text. */
const AJAX: DialectPath = {
  route: '/ajax/:alias',
  pattern: /^\/ajax\/((?:el\/)?[^/]+)\/?$/s,
  isJson: true,
};

export const formsubmit: Dialect = {
  provider: 'formsubmit',
  paths: [ROOT_PATH, ALIAS],
  roles: {
    _next: 'next',
    _url: 'page',
    _honey: 'honeypot',
    _captcha: 'setting',
    _template: 'setting',
    _cc: 'setting',
    _blacklist: 'setting',
    _autoresponse: 'setting',
    _webhook: 'setting',
  },
};

/** The same pages by script. */
export const formsubmitAjax: Dialect = {
  ...formsubmit,
  paths: [AJAX],
  success: (success) => ({ ...success, success: 'true' }),
  failure: ({ message, errors }) => ({ success: 'false', message, errors }),
};
