import type { Provider } from './provider.js';

/** Reads the answer of `/api/form/:id/submissions`, and CSV. */
export const formcarry: Provider = {
  title: 'Formcarry',
  kinds: ['json', 'csv'],
  time: ['createdAt'],
  id: ['_id'],
  fields: ['fields'],
  spam: ['spam'],
  leftOut: ['ip', 'form', 'updatedAt', '__v'],
  referer: ['referer', 'referrer'],
  userAgent: ['userAgent'],
};
