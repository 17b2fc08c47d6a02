/** Baseline (c): Express 5 and mysql2, one transaction for each submission, one query for each read. */
import express from 'express';
import { digestOfToken, formOf, listen, parse } from './by-hand.js';
import { store } from './one-transaction.js';
import { pool } from './pool.js';
import { LIST_FORMS_BY_TOKEN, VIEW_FORM_BY_TOKEN } from './sql.js';

const app = express();
const forms = express.Router();

app.post(
  '/f/:identifier',
  express.urlencoded({ extended: false }),
  express.json(),
  express.raw({ type: 'multipart/form-data', limit: '10mb' }),
  async (request, response) => {
    const { body, headers } = request;
    const { fields, files } = Buffer.isBuffer(body)
      ? parse(headers['content-type'], body)
      : { fields: Object.entries(body), files: [] };
    response.json(await store(request.params.identifier, fields, files, request));
  },
);

forms.get('/', async (request, response) => {
  const [rows] = await pool.execute(LIST_FORMS_BY_TOKEN, [digestOfToken(request)]);
  if (rows.length > 0) response.json({ forms: rows });
  else response.status(404).json({ error: 'no such token or form' });
});

forms.get('/:identifier', async (request, response) => {
  const key = [request.params.identifier, digestOfToken(request)];
  const [[form]] = await pool.execute(VIEW_FORM_BY_TOKEN, key);
  if (form) response.json(formOf(form));
  else response.status(404).json({ error: 'no such token or form' });
});

app.use('/api/v1/forms', forms);
listen(app);
