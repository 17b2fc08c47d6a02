import { Injectable } from '@nestjs/common';
import { ReadManager, selectRows } from '../../platform/database/index.js';
import { firstUuidAt, inSlices } from '../../platform/index.js';
import { NO_WORK, WORK_MAX, type Work } from './work.js';
import { ANSWERED, STARRED } from '../../submissions/filter/submission-filter.js';
import { BY_FOLDER } from '../../submissions/rows/submission-ids.js';

/** Forms that one statement counts, each by three parts: SQLite takes 500 parts. */
const FORMS_AT_ONCE = 50;

/** Marks of a form that are read at most, to leave out marks of spam and of what is in the trash. */
const MARKS_MAX = 10 * WORK_MAX;

/** Counts what people did with submissions that are neither spam nor in the trash, within ranges of an index. */
@Injectable()
export class WorkCounts {
  constructor(private readonly source: ReadManager) {}

  /** Returns the work on what each of these forms received from one moment until before another. */
  async ofEach(formIds: readonly number[], from: Date, to: Date): Promise<Map<number, Work>> {
    const found = new Map<number, Work>();
    const range = [firstUuidAt(from), firstUuidAt(to), WORK_MAX];
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const parts = some.flatMap((id) => partsFor(id, range));
      const rows = await selectRows<{ formId: unknown; kind: keyof Work; amount: unknown }>(
        this.source,
        parts.map(({ sql }) => sql).join(' UNION ALL '),
        parts.flatMap(({ values }) => values),
      );
      for (const { formId, kind, amount } of rows) {
        const work = found.get(Number(formId)) ?? { ...NO_WORK };
        found.set(Number(formId), { ...work, [kind]: Number(amount) });
      }
    }
    return found;
  }
}

function partsFor(formId: number, range: readonly unknown[]) {
  const marked = `SELECT submission_id FROM (SELECT submission_id FROM submission_marks ${BY_FOLDER}
    WHERE form_id = ? AND mark = ? AND submission_id >= ? AND submission_id < ? LIMIT ${MARKS_MAX}) AS marked
    WHERE (SELECT COUNT(*) FROM submissions WHERE id = marked.submission_id AND trash = 0 AND spam = 0) > 0 LIMIT ?`;
  const finished = `SELECT 1 FROM submissions ${BY_FOLDER} WHERE form_id = ? AND trash = 0 AND spam = 0
    AND done = 1 AND id >= ? AND id < ? LIMIT ?`;
  const counted = (kind: keyof Work, sql: string, values: readonly unknown[]) => ({
    sql: `SELECT ${formId} AS formId, '${kind}' AS kind, COUNT(*) AS amount FROM (${sql}) AS counted`,
    values: [...values, ...range],
  });
  return [
    counted('answered', marked, [formId, ANSWERED]),
    counted('starred', marked, [formId, STARRED]),
    counted('done', finished, [formId]),
  ];
}
