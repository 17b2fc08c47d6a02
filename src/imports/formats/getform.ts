import type { Provider } from './provider.js';
import { DATES } from './provider.js';

/** Reads CSV and JSON; files are addresses. */
export const getform: Provider = {
  title: 'Getform',
  kinds: ['json', 'csv'],
  time: DATES,
  id: ['_id'],
  idInCsv: ['id'],
  fields: ['submission_data'],
  spam: ['spam', 'is_spam'],
  leftOut: ['ip', 'ip_address'],
  referer: ['referer', 'referrer'],
  userAgent: ['user_agent'],
};
