/** Baseline (a): `node:http` and mysql2, one transaction for each submission. */
import { digestOfToken, formOf, parse, readAll, serve } from './by-hand.js';
import { store } from './one-transaction.js';
import { pool } from './pool.js';
import { FIND_TOKEN, LIST_FORMS, VIEW_FORM } from './sql.js';

serve(submit, read);

async function submit(identifier, request) {
  const { fields, files } = parse(request.headers['content-type'], await readAll(request));
  return { status: 200, body: await store(identifier, fields, files, request) };
}

async function read(identifier, request) {
  const [[token]] = await pool.execute(FIND_TOKEN, [digestOfToken(request)]);
  if (!token) return { status: 401, body: { error: 'no such token' } };
  if (identifier === undefined) {
    const [forms] = await pool.execute(LIST_FORMS, [token.account_id]);
    return { status: 200, body: { forms } };
  }
  const [[form]] = await pool.execute(VIEW_FORM, [identifier, token.account_id]);
  if (!form) return { status: 404, body: { error: 'no such form' } };
  return { status: 200, body: formOf(form) };
}
