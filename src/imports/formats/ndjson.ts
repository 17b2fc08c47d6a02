import type { Provider } from './provider.js';

/** Reads what `GET /api/v1/forms/:identifier/submissions.ndjson` writes, one submission a line. */
export const ndjson: Provider = {
  title: 'Form Collection Service (NDJSON)',
  kinds: ['ndjson'],
  time: ['created_at'],
  id: ['id'],
  fields: ['values'],
  spam: ['spam'],
  leftOut: [],
  referer: [],
  userAgent: [],
  origin: ['origin'],
  isOurs: true,
};
