/** Baseline (c): Express 5 and mysql2, one transaction for each submission. */
import express from 'express';
import { digestOfToken, formOf, listen, parse } from './by-hand.js';
import { store } from './one-transaction.js';
import { pool } from './pool.js';
import { FIND_TOKEN, LIST_FORMS, VIEW_FORM } from './sql.js';

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

forms.use(async (request, response, next) => {
  const [[token]] = await pool.execute(FIND_TOKEN, [digestOfToken(request)]);
  response.locals.token = token;
  if (token) next();
  else response.status(401).json({ error: 'no such token' });
});

forms.get('/', async (_, response) => {
  const [rows] = await pool.execute(LIST_FORMS, [response.locals.token.account_id]);
  response.json({ forms: rows });
});

forms.get('/:identifier', async (request, response) => {
  const { account_id: account } = response.locals.token;
  const [[form]] = await pool.execute(VIEW_FORM, [request.params.identifier, account]);
  if (form) response.json(formOf(form));
  else response.status(404).json({ error: 'no such form' });
});

app.use('/api/v1/forms', forms);
listen(app);
