import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/sql.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { formatUuid, makeUuid } from '../../src/platform/kernel/uuid.js';
import type { Service } from './service.js';

const COLUMNS = ['id', 'form_id', 'trash', 'spam', 'created_at', 'payload', 'search_text'];
/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 500;

/** A submission as it is in its table. */
interface Row {
  id?: Buffer;
  values?: unknown[];
  isSpam?: boolean;
  text?: string;
}

/** Stores submissions of a form, without all that belongs to them elsewhere. @returns their ids */
export async function storeRows({ app }: Service, { id: formId }: { id: number }, rows: Row[]): Promise<string[]> {
  const ids = rows.map(({ id = makeUuid() }) => id);
  const all = rows.map(({ values = [], isSpam = false, text = '' }, n) => [
    ...[ids[n], formId, 0, Number(isSpam), sqlDate(new Date()), JSON.stringify(values), text],
  ]);
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
    const some = insertStatement('submissions', COLUMNS, all.slice(from, from + ROWS_AT_ONCE));
    await app.get(UnitOfWork).run((tx) => runStatements(tx, some));
  }
  return ids.map(formatUuid);
}
