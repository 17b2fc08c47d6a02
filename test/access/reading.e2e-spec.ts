import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { insertStatement, runStatements, sqlDate } from '../../src/platform/database/sql.js';
import { formatUuid, makeUuid } from '../../src/platform/kernel/uuid.js';
import { SubmissionFinder } from '../../src/search/finder/submission-finder.js';
import { SubmissionsRepository } from '../../src/submissions/rows/submissions.repository.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';
import { unzip } from '../support/unzip.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;

const service = useService();
const owner = useOwner(service);
const form = useForm(owner);
/** Stores submissions past the intake, which is not what is tested here. */
async function store(values: string[], makeId = makeUuid): Promise<void> {
  const columns = ['id', 'form_id', 'trash', 'spam', 'created_at', 'payload', 'search_text'];
  for (const value of values) {
    const payload = JSON.stringify([['m', value]]);
    const row = [makeId(), form.id, 0, 0, sqlDate(new Date()), payload, value];
    await service()
      .app.get(UnitOfWork)
      .run(async (tx) => {
        await runStatements(tx, insertStatement('submissions', columns, [row]));
        await tx.query('UPDATE forms SET submission_count = submission_count + 1 WHERE id = ?', [form.id]);
      });
  }
}

const mark = (id: string, submission: object) => owner.patch(`${pathOf(form)}/${id}`, { submission }).expect(200);

async function follow(link: string | null): Promise<SubmissionListBody> {
  if (link === null) throw new Error('There is no such page.');
  const { pathname, search } = new URL(link);
  return await owner.read(pathname + search);
}

/** Begins to read, and gives the answer as soon as its headers are there. */
async function begin(path: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${owner.secret ?? ''}` };
  const call = get(`${service().url}${path}`, { headers });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response;
}

/** An export as text. */
async function exported(ending: string, query = ''): Promise<string> {
  const response = await begin(`${pathOf(form)}.${ending}?${query}`);
  const bytes = Buffer.concat(await response.toArray());
  return ending === 'xlsx' ? (unzip(bytes)['xl/worksheets/sheet1.xml'] ?? '') : bytes.toString('utf8');
}

describe('A search', () => {
  it.each(['findme', 'x\0y', '\0', 'FindMe'])('sees all of a text that holds NUL: %j', async (query) => {
    await service().submitPairs(form, { a: 'x\0y', b: 'findme' });
    await service().submit(form, { a: 'another' });
    expect(await owner.list(form, `query=${encodeURIComponent(query)}`)).toMatchObject({ count: 1 });
  });

  it('lets others get a turn whatever is searched for in however long texts', async () => {
    await store(Array.from({ length: 15 }, () => 'a'.repeat(MIB)));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();

    const found = await owner.list(form, `query=${'a'.repeat(254)}b`);

    delay.disable();
    expect(found.count).toBe(0);
    // 15 MiB took SQLite's LIKE 2.4 s; a piece takes some 15 ms.
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });
});

it('A list is sent piece by piece, as fast as it is read', async () => {
  await store(Array.from({ length: 60 }, (_, n) => `${n}:`.padEnd(MIB, 'x')));
  const repository = service().app.get(SubmissionsRepository);
  const load = repository.load.bind(repository);
  let loaded = 0;
  let largest = 0;
  jest.spyOn(repository, 'load').mockImplementation(async function* (...asked) {
    for await (const some of load(...asked)) {
      loaded += some.length;
      largest = Math.max(largest, some.length);
      yield some;
    }
  });

  const response = await begin(pathOf(form));
  await until(async () => {
    const before = loaded;
    await owner.countOf(form);
    await owner.countOf(form);
    return loaded > 0 && loaded === before;
  });
  expect(loaded).toBeLessThan(50);
  expect(largest).toBe(1);

  const body = JSON.parse(Buffer.concat(await response.toArray()).toString()) as SubmissionListBody;
  const expected = Array.from({ length: 60 }, (_, n) => `${59 - n}`);
  expect(body.submissions.map(({ values }) => String(values.m).split(':')[0])).toEqual(expected);
  expect(body).toMatchObject({ items: 100, count: 60, next_page: null });
});

describe('Following links', () => {
  const numbers = Array.from({ length: 25 }, (_, n) => 25 - n);
  const seenOn = ({ submissions }: SubmissionListBody) => submissions.map(({ values }) => values.n);
  beforeEach(async () => {
    for (const n of [...numbers].reverse()) await service().submit(form, { n, word: 'word' });
  });

  describe.each(['per_page=10', 'per_page=10&query=word'])('of %s', (query) => {
    it.each([
      ['deletes', (id: string) => owner.delete(`${pathOf(form)}/${id}`).expect(200)],
      ['trashes', (id: string) => mark(id, { trash: true })],
    ])('shows every submission to one who %s each', async (_, rid) => {
      const seen: unknown[] = [];
      for (let page = await owner.list(form, query); ;) {
        seen.push(...seenOn(page));
        for (const { id } of page.submissions) await rid(id);
        if (page.next_page === null) break;
        page = await follow(page.next_page);
      }
      expect(seen).toEqual(numbers);
    });

    it('leads back to what was restored or has arrived meanwhile', async () => {
      const hidden = (await owner.list(form, query)).submissions.slice(0, 8);
      for (const { id } of hidden) await mark(id, { trash: true });
      const second = await follow((await owner.list(form, query)).next_page);
      for (const { id } of hidden) await mark(id, { trash: false });
      await service().submit(form, { n: 'new', word: 'word' });

      const seen = seenOn(second);
      for (let page = second; page.previous_page !== null;) {
        page = await follow(page.previous_page);
        seen.unshift(...seenOn(page));
      }
      expect(seen.slice(0, 9)).toEqual(['new', ...numbers.slice(0, 8)]);
    });

    it('has no link where nothing is', async () => {
      const { submissions, ...page } = await owner.list(form, query);
      expect((await follow((await follow(page.next_page)).next_page)).next_page).toBeNull();
      for (const { id } of submissions) await mark(id, { trash: true });
      const position = `&page=2&before=${submissions.at(-1)?.id ?? ''}`;
      expect((await owner.list(form, query + position)).previous_page).toBeNull();
    });
  });

  it('shows of several folders what is moved between them all the while', async () => {
    const moved = (await owner.list(form)).submissions.slice(3, 9).map(({ id }) => id);
    let done = false;
    const moving = Promise.all(
      moved.map(async (id) => {
        for (let trash = true; !done; trash = !trash) await mark(id, { trash });
      }),
    );
    try {
      for (let round = 0; round < 15; round++) {
        const page = await owner.list(form, 'trash=all&spam=all');
        const lines = (await exported('ndjson', 'trash=all&spam=all')).split('\n').length - 1;
        expect([page.submissions.length, page.count, lines]).toEqual([25, 25, 25]);
      }
    } finally {
      done = true;
      await moving;
    }
  });
});

/** Names the column in which an export has a value. */
function columnOf(ending: string, text: string, value: string): string | undefined {
  if (ending === 'xlsx') {
    const letter = new RegExp(`r="([A-Z]+)\\d+"[^>]*><is><t[^>]*>${value}<`).exec(text)?.[1] ?? '';
    return new RegExp(`r="${letter}1"[^>]*><is><t[^>]*>([^<]*)`).exec(text)?.[1];
  }
  const lines = text.trim().split(/\r?\n/);
  const line = lines.find((each) => each.includes(value)) ?? '';
  if (ending === 'csv') return lines[0]?.split(',')[line.split(',').indexOf(value)];
  const { values: data } = JSON.parse(line) as { values: Record<string, unknown> };
  return Object.keys(data).find((key) => data[key] === value);
}

describe.each(['csv', 'ndjson', 'xlsx'])('An export as %s', (ending) => {
  it('has what was stored by a clock that is ahead of ours', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    await service().submit(form, { m: 'from the future' });
    clock.mockRestore();
    await service().submit(form, { m: 'from today' });
    const text = await exported(ending);
    expect(text).toContain('from the future');
    expect(text).toContain('from today');
    expect(await exported(ending, 'query=from')).toContain('from the future');
  });

  it('has each value in the column of its field, when one is restored meanwhile', async () => {
    const hidden = await service().submit(form, { name: 'apple', secret: 'S3CRET' });
    await mark(hidden, { trash: true });
    await service().submit(form, { name: 'apple', note: 'pie' });
    const finder = service().app.get(SubmissionFinder);
    const upTo = finder.upTo.bind(finder);
    jest.spyOn(finder, 'upTo').mockImplementation(async function* (...asked) {
      yield* upTo(...asked);
      await mark(hidden, { trash: false });
      // A later piece has it.
      for await (const ids of upTo(...asked)) yield ids.filter((id) => formatUuid(id) === hidden);
    });

    const text = await exported(ending, 'query=apple');

    expect(columnOf(ending, text, 'pie')).toBe('note');
    expect(columnOf(ending, text, 'S3CRET')).toBe('secret');
  });

  it('reads each submission once for one who searches', async () => {
    for (let n = 0; n < 300; n++) await service().submitSpam(form, { n, word: `word ${n}.` });
    const finder = service().app.get(SubmissionFinder);
    const statements = jest.spyOn(finder, 'upTo');
    const found = await exported(ending, 'query=word&spam=true');
    expect(new Set(found.match(/word \d+\./g)).size).toBe(300);
    expect(statements).toHaveBeenCalledTimes(1);
  });
});
