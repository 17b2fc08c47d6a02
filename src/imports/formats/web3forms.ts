import type { Provider } from './provider.js';
import { DATES } from './provider.js';

/** Reads CSV, and JSON as webhooks have it. */
export const web3forms: Provider = {
  title: 'Web3Forms',
  kinds: ['json', 'csv'],
  time: DATES,
  id: ['_id'],
  fields: ['data'],
  spam: ['spam'],
  leftOut: ['access_key', 'apikey', 'botcheck', 'recaptcha_response', 'h-captcha-response'],
  referer: [],
  userAgent: [],
};
