import type { Provider } from './provider.js';

/** Reads `{"fields":[…],"submissions":[{"_date":…}]}` and CSV; old CSV begins with an id. */
export const formspree: Provider = {
  title: 'Formspree',
  kinds: ['json', 'csv'],
  time: ['_date'],
  id: ['_id'],
  idInCsv: ['id'],
  fields: [],
  spam: ['_spam', '_status'],
  leftOut: ['_errors'],
  referer: [],
  userAgent: [],
};
