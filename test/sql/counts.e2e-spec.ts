import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/sql.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import type { Browser } from '../support/people.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';

/** More than are counted in an index, and more than are counted where each has to be looked at. */
const SPAM = 10_050;
const STARRED = 3_000;
const ROWS_AT_ONCE = 1_000;

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let browser: Browser;
let form: FormBody;

beforeAll(async () => {
  ({ owner, browser } = await service().openWithOwner());
  form = await owner.makeForm();
  await store(SPAM, { spam: 1, isStarred: false });
  await store(STARRED, { spam: 0, isStarred: true });
});
async function store(count: number, { spam, isStarred }: { spam: number; isStarred: boolean }) {
  const columns = ['id', 'form_id', 'trash', 'spam', 'created_at', 'payload', 'search_text'];
  const marks = ['submission_id', 'mark', 'form_id'];
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, () => makeUuid());
    const rows = ids.map((id) => [id, form.id, 0, spam, sqlDate(new Date()), '[]', '']);
    const stars = isStarred ? ids.map((id) => [id, 'starred', form.id]) : [];
    await service()
      .app.get(UnitOfWork)
      .run(async (tx) => {
        await runStatements(tx, insertStatement('submissions', columns, rows));
        await runStatements(tx, insertStatement('submission_marks', marks, stars));
      });
  }
}

async function list(query: string): Promise<SubmissionListBody & { isAll: boolean }> {
  const { body, headers } = await owner.get(`${pathOf(form)}?${query}`).expect(200);
  return { ...body, isAll: headers['search-complete'] === 'true' };
}

it('A folder is counted up to 10,000, and says that there are more', async () => {
  const { count, isAll, last_url: last } = await list('spam=true');
  expect([count, isAll]).toEqual([10_000, false]);
  expect(last).toContain('page=100');
  const beyond = await list('spam=true&page=101');
  expect(beyond.submissions).toHaveLength(50);
  expect(beyond.next_page).toBeNull();
  const days = await list(`spam=all&from=2020-01-01`);
  expect([days.count, days.isAll]).toEqual([10_000 + STARRED, false]);
});

it('What is in no large folder is counted exactly', async () => {
  const { count, isAll } = await list('from=2020-01-01');
  expect([count, isAll]).toEqual([STARRED, true]);
});

it('What has to be looked at is counted up to about 1,000, and no longer than a moment', async () => {
  const { count, isAll, submissions } = await list('q=is:starred');
  expect(submissions).toHaveLength(100);
  expect(isAll).toBe(false);
  expect(count).toBeGreaterThanOrEqual(1_000);
  expect(count).toBeLessThan(STARRED);

  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 60));
  const slow = await list('q=is:starred');
  expect([slow.submissions.length, slow.isAll]).toEqual([100, false]);
  expect(slow.count).toBeLessThan(1_000);
});

it('Following next_page shows each of what was not counted', async () => {
  const ids = new Set<string>();
  for (let query: string | null = 'q=is:starred'; query !== null;) {
    const page: SubmissionListBody = await list(query);
    for (const { id } of page.submissions) ids.add(id);
    query = page.next_page && new URL(page.next_page).search.slice(1);
  }
  expect(ids.size).toBe(STARRED);
});

it('The page before a job says that more than are counted will be changed', async () => {
  const ask = async (q: string) => {
    const { text } = await browser.get(`/new-job?${new URLSearchParams({ q, read: 'true' }).toString()}`);
    return text;
  };
  expect(await ask('is:starred')).toContain('1,000 or more');
  expect(await ask('is:spam')).toContain('10,000 or more');
  expect(await ask('is:new')).toContain('3,000');
});
