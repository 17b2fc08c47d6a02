import { ReadManager } from '../../src/platform/database/read-manager.js';
import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/statement.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { formatUuid, makeUuid } from '../../src/platform/kernel/uuid.js';
import { makeForm, type FormBody } from '../support/make.js';
import { useService, type Caller } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';

/** Enough for pages in the middle to be more than two steps away from both ends. */
const ROWS = 90_000;
const SPAM_EVERY = 20;
const ROWS_AT_ONCE = 1_000;
const PER_PAGE = 100;
/** Ids that one statement may pass over. */
const STEP = 20_000;

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let form: FormBody;
/** All of the form, newest first. */
const stored: { id: string; isSpam: boolean }[] = [];

beforeAll(async () => {
  owner = await service().openAccount();
  form = await makeForm(owner);
  const columns = ['id', 'form_id', 'trash', 'spam', 'created_at', 'payload', 'search_text'];
  for (let from = 0; from < ROWS; from += ROWS_AT_ONCE) {
    const some = Array.from({ length: Math.min(ROWS_AT_ONCE, ROWS - from) }, (_, n) => {
      return { id: makeUuid(), isSpam: (from + n) % SPAM_EVERY === 0 };
    });
    const rows = some.map(({ id, isSpam }) => {
      return [id, form.id, 0, Number(isSpam), sqlDate(new Date()), '[]', ''];
    });
    await service()
      .app.get(UnitOfWork)
      .run((tx) => runStatements(tx, insertStatement('submissions', columns, rows)));
    stored.unshift(...some.map(({ id, isSpam }) => ({ id: formatUuid(id), isSpam })).reverse());
  }
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
  const { body } = await owner.get(`${pathOf(form)}?page=${page}&per_page=${PER_PAGE}`).expect(200);

  const { submissions } = body as SubmissionListBody;
  const wanted = honest().slice((page - 1) * PER_PAGE, page * PER_PAGE);
  expect(submissions.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  const numbers = query.mock.calls.flatMap(([, parameters]) =>
    ((parameters ?? []) as unknown[]).map((value) => (typeof value === 'number' ? value : 0)),
  );
  expect(Math.max(...numbers)).toBeLessThanOrEqual(STEP);
});
