import type { Dialect } from './dialect.js';

/** Its old clients read what is in `body`, the new ones what is around it. */
export const web3forms: Dialect = {
  provider: 'web3forms',
  paths: [
    { route: '/submit', pattern: /^\/submit\/?$/s },
    { route: '/submit/:key', pattern: /^\/submit\/([^/]+)\/?$/s },
  ],
  roles: {
    access_key: 'key',
    apikey: 'key',
    redirect: 'next',
    botcheck: 'honeypot',
    subject: 'subject',
    webhook: 'setting',
    ccemail: 'setting',
    recaptcha_response: 'setting',
  },
  success: (success) => {
    const { message, id } = success;
    return { ...success, statusCode: 200, data: { id }, body: { data: { id }, message } };
  },
  failure: ({ status, message, errors }) => ({
    success: false,
    statusCode: status,
    message,
    errors,
    body: { data: {}, message },
  }),
};
