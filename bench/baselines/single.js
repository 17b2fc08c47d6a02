/** Baseline (a): `node:http` and mysql2, one transaction for each submission. */
import {
  digestOfToken,
  formatId,
  formOf,
  makeId,
  parse,
  readAll,
  serve,
  submissionRow,
} from './by-hand.js';
import { keepFiles } from './files.js';
import { pool } from './pool.js';
import {
  ADD_TO_COUNT,
  FIND_FORM,
  FIND_TOKEN,
  INSERT_FILES,
  INSERT_SUBMISSIONS,
  LIST_FORMS,
  VIEW_FORM,
} from './sql.js';

serve(answer);

function answer(request) {
  const submission = /^\/f\/(\w+)$/.exec(request.url);
  if (request.method === 'POST' && submission) return submit(request, submission[1]);
  return read(request);
}

async function submit(request, identifier) {
  const body = await readAll(request);
  const { fields, files } = parse(request.headers['content-type'], body);
  const id = makeId();
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    const [[form]] = await connection.execute(FIND_FORM, [identifier]);
    if (!form) throw new Error('no such form');
    const row = submissionRow(id, form.id, fields, request);
    await connection.execute(`${INSERT_SUBMISSIONS} (?,?,?,?,?,?,?,?,?,?)`, row);
    for (const file of await keepFiles(files, form.id, id)) {
      await connection.execute(`${INSERT_FILES} (?,?,?,?,?,?,?,?,?)`, file);
    }
    await connection.execute(ADD_TO_COUNT, [1, form.id]);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
  return { status: 200, body: { success: true, id: formatId(id) } };
}

async function read(request) {
  const [[token]] = await pool.execute(FIND_TOKEN, [digestOfToken(request)]);
  if (!token) return { status: 401, body: { error: 'no such token' } };
  const identifier = /^\/api\/v1\/forms(?:\/(\w+))?$/.exec(request.url)?.[1];
  if (identifier === undefined) {
    const [forms] = await pool.execute(LIST_FORMS, [token.account_id]);
    return { status: 200, body: { forms } };
  }
  const [[form]] = await pool.execute(VIEW_FORM, [identifier, token.account_id]);
  if (!form) return { status: 404, body: { error: 'no such form' } };
  return { status: 200, body: formOf(form) };
}
