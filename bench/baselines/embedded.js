/**
 * Baseline (a) on the embedded database: `node:http` and better-sqlite3, one transaction for each
 * submission, flushed at each commit as the service does.
 */
import Database from 'better-sqlite3';
import { digestOfToken, formatId, formOf, makeId, parse, readAll, serve, submissionRow } from './by-hand.js';
import { keepFiles } from './files.js';
import { ADD_TO_COUNT, FIND_FORM, FIND_TOKEN, INSERT_FILES, INSERT_SUBMISSIONS, LIST_FORMS, VIEW_FORM } from './sql.js';

const database = new Database(process.env.DATABASE_URL);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const findForm = database.prepare(FIND_FORM);
const insertSubmission = database.prepare(`${INSERT_SUBMISSIONS} (?,?,?,?,?,?,?,?,?,?)`);
const insertFile = database.prepare(`${INSERT_FILES} (?,?,?,?,?,?,?,?,?)`);
const addToCount = database.prepare(ADD_TO_COUNT);
const findToken = database.prepare(FIND_TOKEN.replace('NOW()', "datetime('now')"));
const listForms = database.prepare(LIST_FORMS);
const viewForm = database.prepare(VIEW_FORM);

const store = database.transaction((row, files) => {
  insertSubmission.run(row);
  for (const file of files) insertFile.run(file);
  addToCount.run(1, row[1]);
});

serve(submit, read);

async function submit(identifier, request) {
  const body = await readAll(request);
  const { fields, files } = parse(request.headers['content-type'], body);
  const id = makeId();
  const form = findForm.get(identifier);
  if (!form) throw new Error('no such form');
  store(submissionRow(id, form.id, fields, request), await keepFiles(files, form.id, id));
  return { status: 200, body: { success: true, id: formatId(id) } };
}

async function read(identifier, request) {
  const token = findToken.get(digestOfToken(request));
  if (!token) return { status: 401, body: { error: 'no such token' } };
  if (identifier === undefined) {
    return { status: 200, body: { forms: listForms.all(token.account_id) } };
  }
  const form = viewForm.get(identifier, token.account_id);
  if (!form) return { status: 404, body: { error: 'no such form' } };
  return { status: 200, body: formOf(form) };
}
