import { createHash } from 'node:crypto';

/** Rows that are read at once. */
const PAGE = 20_000;
const START = Buffer.alloc(16);

/**
 * Compares what was acknowledged with what is stored: every row under its id, in its form, with its
 * values and its file, and the count of every form.
 * @param database of a contender
 * @param acknowledged pairs of an id and the request that it answered
 * @param unanswered how many requests may have been stored without an answer
 * @returns the ledger; `exact` says whether all of it is as it must be
 */
export async function verify(database, acknowledged, unanswered) {
  const expected = new Map(acknowledged.map(([id, request]) => [id.replaceAll('-', ''), request]));
  const forms = await database.query('SELECT id, identifier, submission_count AS n FROM forms');
  const identifiers = new Map(forms.map(({ id, identifier }) => [id, identifier]));
  const files = await filesOf(database);
  const counts = new Map();
  const ledger = { acknowledged: acknowledged.length, stored: 0, lost: 0, wrong: 0, unanswered };
  for await (const { id, form_id: formId, payload } of submissionsOf(database)) {
    ledger.stored++;
    counts.set(formId, (counts.get(formId) ?? 0) + 1);
    const key = id.toString('hex');
    const request = expected.get(key);
    if (!request) continue; // stored without an answer, or doubled; the sum below tells
    expected.delete(key);
    const { form, fields, file } = request;
    const digest = file && createHash('sha256').update(file).digest('hex');
    const right =
      identifiers.get(formId) === form &&
      payload === JSON.stringify(fields) &&
      files.get(key) === (digest ?? undefined);
    if (!right) ledger.wrong++;
  }
  ledger.lost = expected.size;
  ledger.surplus = Math.max(0, ledger.stored + ledger.lost - ledger.acknowledged - unanswered);
  ledger.doubledIds = acknowledged.length - new Set(acknowledged.map(([id]) => id)).size;
  ledger.wrongCounts = forms.filter(({ id, n }) => Number(n) !== (counts.get(id) ?? 0)).length;
  const { lost, wrong, surplus, doubledIds, wrongCounts } = ledger;
  return { ...ledger, exact: lost + wrong + surplus + doubledIds + wrongCounts === 0 };
}

async function* submissionsOf(database) {
  for (let after = START; ;) {
    const rows = await database.query('SELECT id, form_id, payload FROM submissions WHERE id > ? ORDER BY id LIMIT ?', [
      after,
      PAGE,
    ]);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1).id;
  }
}

async function filesOf(database) {
  const rows = await database.query('SELECT submission_id, sha256 FROM files');
  return new Map(rows.map((row) => [row.submission_id.toString('hex'), row.sha256.toString('hex')]));
}
