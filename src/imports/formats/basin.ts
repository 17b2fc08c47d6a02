import type { Provider } from './provider.js';

/** Reads JSON and CSV of the export, and the answer of `/api/v1/submissions`. */
export const basin: Provider = {
  title: 'Basin',
  kinds: ['json', 'csv'],
  time: ['created_at'],
  id: ['id'],
  fields: ['payload_params'],
  spam: ['spam'],
  leftOut: ['ip', 'ip_address', 'form_id', 'updated_at'],
  referer: ['referrer', 'source_url'],
  userAgent: ['user_agent'],
};
