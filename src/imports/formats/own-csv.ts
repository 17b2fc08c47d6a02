import { fieldOfColumn, FIXED_COLUMNS, FURTHER_COLUMNS } from '../../exports/columns.js';
import { undefused } from '../../platform/kernel/text/csv-line.js';
import { ndjson } from './ndjson.js';
import type { Provider } from './provider.js';

/** Reads what `GET /api/v1/forms/:identifier/submissions.csv` writes of all columns; see `isOwnHeader`. */
export const ownCsv: Provider = {
  ...ndjson,
  title: 'Form Collection Service (CSV)',
  kinds: ['csv'],
  fields: [],
  leftOut: ['trash', 'files', ...FURTHER_COLUMNS],
  fieldOf: (column) => fieldOfColumn(undefused(column)),
};

/** Tells whether a CSV begins with the columns of our own exports. */
export function isOwnHeader(columns: readonly string[]): boolean {
  return FIXED_COLUMNS.every((name, at) => columns[at] === name);
}
