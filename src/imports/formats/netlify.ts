import type { Provider } from './provider.js';

/** Reads the answer of `/api/v1/forms/:id/submissions`, and CSV with a column for each field. */
export const netlify: Provider = {
  title: 'Netlify Forms',
  kinds: ['json', 'csv'],
  time: ['created_at'],
  id: ['id'],
  fields: ['data'],
  spam: ['state'],
  leftOut: ['ip'],
  referer: ['referrer'],
  userAgent: ['user_agent'],
};
