import type { Provider } from './provider.js';
import { DATES } from './provider.js';

/** Reads any CSV with names in its first line. */
export const csv: Provider = {
  title: 'Other (CSV)',
  kinds: ['csv'],
  time: DATES,
  id: [],
  fields: [],
  spam: [],
  leftOut: [],
  referer: [],
  userAgent: [],
};
