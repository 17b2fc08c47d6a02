import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReadManager } from '../../platform/database/transactional-repository.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { countUpTo } from '../../submissions/rows/count-up-to.js';
import { NOTHING_READ, there, type Condition } from '../../submissions/filter/submission-filter.js';
import { BY_FOLDER } from '../../submissions/rows/submission-ids.js';
import { READ_IN, type ReadIn } from './read-state.repository.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Forms that one statement asks about. */
const FORMS_AT_ONCE = 100;

/** Counts what readers have not read. */
@Injectable()
export class UnreadCountsRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Counts what a reader has not read of the new submissions of each form, up to `limit`.
   * @returns by form; at the limit there may be more
   */
  async count(
    reader: string,
    formIds: readonly number[],
    limit: number,
  ): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const read = (await this.readIn(reader, some)).filter(mayHaveUnread);
      const parts = [
        ...countUnbegun(read.filter(isUnbegun), limit),
        ...read
          .filter((each) => !isUnbegun(each))
          .map(({ formId, position, differs }) => {
            const asked = { formId, reader, position: position ?? NOTHING_READ, limit };
            return differs === null ? countNewer(asked) : countWithExceptions(asked);
          }),
      ];
      if (parts.length === 0) continue;
      const rows = await selectRows<{ form_id: number | string; unread: number | string }>(
        this.source,
        parts.map(({ sql }) => sql).join(' UNION ALL '),
        parts.flatMap(({ parameters }) => parameters),
      );
      // MySQL sends numbers of a SELECT that are in no table as text.
      for (const row of rows) {
        counts.set(Number(row.form_id), Math.min(Number(row.unread), limit));
      }
      // The embedded database answers at once: with thousands of forms, others have their turn between.
      await nextTurn();
    }
    return counts;
  }

  /** Returns the newest in each of these forms, the reader's position, and whether anything differs from it. */
  private readIn(reader: string, formIds: readonly number[]): Promise<Begun[]> {
    return selectRows<Begun>(
      this.source,
      `SELECT form.id AS formId,
        (SELECT id FROM submissions ${BY_FOLDER} WHERE form_id = form.id AND ${IS_NEW}
          ORDER BY ${BACKWARDS} LIMIT 1) AS newest, ${READ_IN}
        FROM \`forms\` form WHERE form.id IN (${placeholders(formIds)})`,
      [reader, reader, ...formIds],
    );
  }
}

/** Read state of a reader in a form with possible new submissions. */
interface Begun extends ReadIn {
  /** Null when nothing is new. */
  newest: Buffer | null;
}

/** Whose unread submissions of a form are counted. */
interface Counted {
  formId: number;
  reader: string;
  position: Buffer;
  limit: number;
}

/** The order of the index as a whole: of its last column alone MySQL would sort all that is new in a form. */
const BACKWARDS = ['form_id', 'trash', 'spam', 'done', 'id']
  .map((name) => `${name} DESC`)
  .join(', ');
const IS_NEW = 'trash = 0 AND spam = 0 AND done = 0';

/** Leaves out forms that are read to their end. */
function mayHaveUnread({ newest, position, differs }: Begun): boolean {
  if (newest === null) return false;
  return position === null || differs !== null || newest.compare(position) > 0;
}

/** Tells whether everything in the form is unread. */
function isUnbegun({ position, differs }: ReadIn): boolean {
  return position === null && differs === null;
}

/** Counts what is new in forms of which nothing is read, by one SELECT: servers plan a part for each longer than they count. */
function countUnbegun(forms: readonly ReadIn[], limit: number): Condition[] {
  if (forms.length === 0) return [];
  const from = `FROM submissions ${BY_FOLDER} WHERE form_id = form.id AND ${IS_NEW}`;
  const { sql, parameters } = countUpTo(from, [], limit);
  const ids = forms.map(({ formId }) => formId);
  return [
    {
      sql: `SELECT form.id AS form_id, ${sql} AS unread FROM \`forms\` form
        WHERE form.id IN (${placeholders(ids)})`,
      parameters: [...parameters, ...ids],
    },
  ];
}

/** Counts what is newer than the position, of a form without exceptions: the index alone tells. */
function countNewer({ formId, position, limit }: Counted): Condition {
  const from = `FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IS_NEW} AND id > ?`;
  const { sql, parameters } = countUpTo(from, [formId, position], limit);
  return { sql: `SELECT ? AS form_id, ${sql} AS unread`, parameters: [formId, ...parameters] };
}

/** Counts what is newer than the position or not, each without its exceptions. */
function countWithExceptions({ formId, reader, position, limit }: Counted): Condition {
  const newer = `SELECT id FROM submissions ${BY_FOLDER} WHERE form_id = ? AND ${IS_NEW} AND id > ?
    AND NOT ${there('read_exceptions', 'form_id = ? AND reader = ?')} LIMIT ?`;
  const older = `SELECT id FROM read_exceptions JOIN submissions ON id = submission_id
    WHERE read_exceptions.form_id = ? AND reader = ? AND submission_id <= ? AND ${IS_NEW} LIMIT ?`;
  return {
    sql: `SELECT ? AS form_id, (SELECT COUNT(*) FROM (${newer}) AS newer)
      + (SELECT COUNT(*) FROM (${older}) AS older) AS unread`,
    parameters: [
      ...[formId, formId, position, formId, reader, limit],
      ...[formId, reader, position, limit],
    ],
  };
}
