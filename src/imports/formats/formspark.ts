import type { Provider } from './provider.js';

/** Reads CSV and JSON of chosen rows, and `{"data":[…]}` of the API. */
export const formspark: Provider = {
  title: 'Formspark',
  kinds: ['json', 'csv'],
  time: ['createdAt', 'created_at'],
  id: ['_id', 'id'],
  fields: ['data'],
  spam: ['spam', 'isSpam'],
  leftOut: ['formId'],
  referer: [],
  userAgent: [],
};
