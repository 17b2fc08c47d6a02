/**
 * Baseline (b): `node:http` and mysql2 with group commit. What came while a transaction ran shares the
 * next one: one look-up, one insert and one count for all. A read takes one statement.
 */
import { digestOfToken, formatId, formOf, makeId, parse, readAll, serve, submissionRow } from './by-hand.js';
import { keepFiles } from './files.js';
import { pool, transact } from './pool.js';
import { INSERT_FILES, INSERT_SUBMISSIONS, LIST_FORMS_BY_TOKEN, VIEW_FORM_BY_TOKEN } from './sql.js';

const BATCH = 200;
const FIND_FORMS = 'SELECT id, identifier FROM forms WHERE identifier IN (?) AND deleted_at IS NULL';

let waiting = [];
let running = false;

serve(submit, read);

async function submit(identifier, request) {
  const body = await readAll(request);
  const id = makeId();
  const parts = parse(request.headers['content-type'], body);
  await new Promise((resolve, reject) => {
    waiting.push({ id, identifier, request, ...parts, resolve, reject });
    if (!running) void drain();
  });
  return { status: 200, body: { success: true, id: formatId(id) } };
}

async function drain() {
  running = true;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, BATCH);
    await store(batch).then(
      () => batch.forEach(({ resolve }) => resolve()),
      (error) => batch.forEach(({ reject }) => reject(error)),
    );
  }
  running = false;
}

async function store(batch) {
  await transact(async (connection) => {
    const wanted = [...new Set(batch.map(({ identifier }) => identifier))];
    const [forms] = await connection.query(FIND_FORMS, [wanted]);
    if (forms.length < wanted.length) throw new Error('no such form');
    const formIds = new Map(forms.map(({ id, identifier }) => [identifier, id]));
    const rows = batch.map(({ id, identifier, fields, request }) =>
      submissionRow(id, formIds.get(identifier), fields, request),
    );
    await connection.query(`${INSERT_SUBMISSIONS} ?`, [rows]);
    const files = await Promise.all(
      batch.map(({ id, identifier, files }) => keepFiles(files, formIds.get(identifier), id)),
    );
    if (files.flat().length > 0) await connection.query(`${INSERT_FILES} ?`, [files.flat()]);
    const counts = forms.map(({ id }) => [id, rows.filter((row) => row[1] === id).length]);
    const cases = counts.map(() => 'WHEN ? THEN ?').join(' ');
    await connection.query(
      `UPDATE forms SET submission_count = submission_count + CASE id ${cases} END WHERE id IN (?)`,
      [...counts.flat(), forms.map(({ id }) => id)],
    );
  });
}

async function read(identifier, request) {
  const digest = digestOfToken(request);
  const [rows] =
    identifier === undefined
      ? await pool.execute(LIST_FORMS_BY_TOKEN, [digest])
      : await pool.execute(VIEW_FORM_BY_TOKEN, [identifier, digest]);
  if (rows.length === 0) return { status: 404, body: { error: 'no such token or form' } };
  return { status: 200, body: identifier === undefined ? { forms: rows } : formOf(rows[0]) };
}
