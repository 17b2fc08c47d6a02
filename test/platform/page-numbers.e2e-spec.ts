import { ReadManager } from '../../src/platform/database/sql.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { storeRows } from '../support/stored-rows.js';

/** Enough for pages in the middle to be more than two steps away from both ends. */
const ROWS = 90_000;
const SPAM_EVERY = 20;
const PER_PAGE = 100;
/** Ids that one statement may pass over. */
const STEP = 20_000;

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let form: FormBody;
/** All of the form, newest first. */
let stored: { id: string; isSpam: boolean }[];

beforeAll(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
  const rows = Array.from({ length: ROWS }, (_, n) => ({ isSpam: n % SPAM_EVERY === 0 }));
  const ids = await storeRows(service(), form, rows);
  stored = ids.map((id, n) => ({ id, isSpam: n % SPAM_EVERY === 0 })).reverse();
  const count = stored.filter(({ isSpam }) => !isSpam).length;
  await service().query('UPDATE forms SET submission_count = ? WHERE id = ?', [count, form.id]);
});
const honest = () => stored.filter(({ isSpam }) => !isSpam);

it.each([
  ['near the first', 3],
  ['a step away', 202],
  ['two steps away from the newest', 411],
  ['two steps away from the oldest', 440],
  ['the last', 855],
])('A page by its number is found: %s', async (_, page) => {
  const query = jest.spyOn(service().app.get(ReadManager).manager, 'query');
  const { submissions } = await owner.list(form, `page=${page}&per_page=${PER_PAGE}`);

  const wanted = honest().slice((page - 1) * PER_PAGE, page * PER_PAGE);
  expect(submissions.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  const numbers = query.mock.calls.flatMap(([, parameters]) =>
    ((parameters ?? []) as unknown[]).map((value) => (typeof value === 'number' ? value : 0)),
  );
  expect(Math.max(...numbers)).toBeLessThanOrEqual(STEP);
});
