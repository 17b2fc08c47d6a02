import fc from 'fast-check';
import passport from 'passport';
import { BearerStrategy } from '../../src/people/auth/bearer.guard.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { firstUuidAt, formatUuid, makeUuid, parseUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { BlockBuilder, TextMover } from '../../src/search/texts/block-builder.js';
import { fold } from '../../src/submissions/model/visitor-address.js';
import { hasAll, spellingsOf } from '../../src/submissions/model/submitted-values.js';
import { DAY_MS, HOUR_MS } from '../support/clock.js';
import { createDatabase } from '../support/database.js';
import { imported as importFile } from '../support/imports.js';
import { refusal } from '../support/refusal.js';
import { Service, useService, useOwner, type FormBody } from '../support/service.js';
import { storeRows } from '../support/stored-rows.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
let form: FormBody;
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm();
});
const sql = <Row>(text: string, values: unknown[] = []) => service().query<Row[]>(text, values);
const upkeep = (now = new Date()) => service().upkeep(now);
/** Has the texts of everything so far, and lets searches rely on it. */
const settle = async (signal?: AbortSignal) => {
  await sql('DELETE FROM text_progress');
  const afterLast = new Date(timeOf(makeUuid()).getTime() + 1);
  await service().app.get(TextMover).moveAll({ before: afterLast, signal });
  await service().app.get(BlockBuilder).buildAll({ now: new Date(), signal });
};
const rowsIn = async (table: string, more = '') => {
  const count = `SELECT COUNT(*) AS n FROM ${table} WHERE form_id = ? ${more}`;
  return Number((await sql<{ n: number | string }>(count, [form.id]))[0]?.n);
};
const storedTexts = () => rowsIn('submission_texts');
/** Has done nothing yet, has indexed what came, and has all texts: whatever a search relies on by then. */
const STATES = [() => Promise.resolve(), upkeep, settle];

/** Follows the pages to their end. */
async function found(path: string, query: Record<string, string>, caller = owner) {
  const ids: string[] = [];
  const parameters = new URLSearchParams({ per_page: '100', ...query }).toString();
  let next: string | null = `${path}?${parameters}` as const;
  while (next !== null) {
    const page = (await caller.read(next)) as Pick<SubmissionListBody, 'submissions' | 'next_page'>;
    ids.push(...page.submissions.map(({ id }) => id));
    next = page.next_page && new URL(page.next_page).pathname + new URL(page.next_page).search;
  }
  return ids;
}
const foundInForm = (query: string) => found(pathOf(form), { query });

/** Stores a submission as versions did that wrote the text beside it, and whose upkeep took its batch. */
async function submitAsBefore(
  values: [string, string][],
  { ageMs = 2 * HOUR_MS, to = form, on = service() } = {},
): Promise<string> {
  const id = makeUuid();
  id.writeUIntBE(id.readUIntBE(0, 6) - ageMs, 0, 6);
  const text = values.map(([, value]) => value.toLowerCase()).join('\n');
  const [stored = ''] = await storeRows(on, to, [{ id, values, text }]);
  return stored;
}

const LETTERS = [
  ...Array.from('aAeEiIßẞİıσςΣ%_!\\\'" \n\t?漢字のか'),
  ...['e\u0301', 'é', 'É', 'A\u030a', 'Å', '\u0301', '\u{1f600}', '👨‍👩‍👧', '\0', 'ﬁ', 'ǅ'],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);

describe('A search', () => {
  it('finds what a scan finds: before and after texts are moved, after erasing and purging', async () => {
    const stored = fc.array(text, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(stored, fc.array(text, { maxLength: 6 }), async (texts, others) => {
        form = await owner.makeForm();
        const all = new Map<string, string>();
        for (const value of texts) all.set(await service().submit(form, { a: value }), value);
        if (texts.length % 2 === 0) {
          await sql('DELETE FROM text_progress');
          all.set(await submitAsBefore([['a', `${texts[0] ?? ''}x`]]), `${texts[0] ?? ''}x`);
        }
        const parts = texts.map((value) => Array.from(value).slice(1, 3).join(''));
        const queries = [...new Set([...others, ...parts, ...texts])].filter((q) => q !== '');
        const asScanned = (query: string) =>
          [...all].flatMap(([id, value]) => (hasAll(fold(value), spellingsOf([query])) ? [id] : []));
        const check = async (when: string) => {
          for (const query of queries) {
            const ids = (await foundInForm(query)).sort();
            expect({ when, query, ids }).toEqual({ when, query, ids: asScanned(query).sort() });
          }
        };

        await check('stored');
        await upkeep();
        await check('indexed');
        await settle();
        await check('moved');
        const late = await service().submit(form, { a: texts.at(-1) });
        all.set(late, texts.at(-1) ?? '');
        const [first] = [...all.keys()];
        await owner.delete(`${pathOf(form)}/${first ?? ''}`).expect(200);
        all.delete(first ?? '');
        await check('erased');
        await upkeep();
        await check('indexed again');
        await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
        await upkeep();
        expect(await storedTexts()).toBe(0);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['STRASSE', 'Straße', true],
    ['GRÜẞE', 'viele gruesse', true],
    ['grusse', 'Grüße', false],
    ['mass', 'Masche, mas, mal', false],
    ['neue', 'neu', false],
    ['ΟΔΟΣ', 'οδοσα', true],
    ['cafe\u0301', 'CAFÉ', true],
    ['100%', '100 percent', false],
    ['100%', '100% wool', true],
    ['a_b', 'axb', false],
    ["'", "it's", true],
    ['say "hi"', 'to say "hi"', true],
    ['\\', 'back\\slash', true],
    ['漢', '常用漢字表', true],
    ['\u{1f600}', 'fine \u{1f600}!', true],
  ])('for %j in %j finds it: %j', async (query, value, isFound) => {
    const id = await service().submit(form, { a: value });
    const expected = isFound ? [id] : [];
    expect(await foundInForm(query)).toEqual(expected);
    await upkeep();
    await settle();
    expect(await foundInForm(query)).toEqual(expected);
  });

  it('finds what an older version stored, whose batch is gone', async () => {
    await sql('DELETE FROM text_progress');
    const old = await submitAsBefore([['a', 'From BEFORE']]);
    expect(await foundInForm('before')).toEqual([old]);

    await settle();

    expect(await storedTexts()).toBe(1);
    expect(await foundInForm('before')).toEqual([old]);
  });

  it('finds what an older version stored a moment ago, before this one was started again', async () => {
    const database = await createDatabase();
    const settings = { ...database.settings, WORKERS: 'off' };
    const before = await Service.start(settings);
    const { secret } = await before.openAccount();
    const to = await before.as(secret ?? '').makeForm();
    await before.app.get(TextMover).moveAll({ before: new Date() });
    const id = await submitAsBefore([['a', 'From BEFORE']], { ageMs: 0, to, on: before });
    await before.close();

    const again = await Service.start(settings);
    const caller = again.as(secret ?? '');
    const recent = await again.submit(to, { a: 'not before' });

    expect(await found(pathOf(to), { query: 'before' }, caller)).toEqual([recent, id]);
    // From now on nothing of before the start lacks its text.
    await again.app.get(TextMover).moveAll({ before: new Date() });
    expect(await found(pathOf(to), { query: 'before' }, caller)).toEqual([recent, id]);
    await again.close();
    await database.drop();
    // Passport asks the strategy that was made last in this process.
    passport.use(service().app.get(BearerStrategy));
  });

  it('finds what has just come once, in its order, whether it has its text yet or not', async () => {
    await settle();
    const first = await service().submit(form, { a: 'cake 1' });
    const second = await service().submit(form, { a: 'cake 2' });
    const [named] = await sql<{ ids: Buffer }>('SELECT submission_ids AS ids FROM submission_batches');
    await upkeep();
    expect(await storedTexts()).toBe(2);
    const third = await service().submit(form, { a: 'cake 3' });
    await service().submit(await owner.makeForm(), { a: 'cake of another form' });
    expect(await foundInForm('cake')).toEqual([third, second, first]);

    // A batch may name what another instance has entered already.
    const row = [makeUuid(), named?.ids, Buffer.from('00000000', 'hex')];
    await sql('INSERT INTO submission_batches (id, submission_ids, digests) VALUES (?, ?, ?)', row);
    expect(await foundInForm('cake')).toEqual([third, second, first]);
    expect(await foundInForm('cake 1')).toEqual([first]);
  });

  it('finds all while texts are moved, and after that was broken off', async () => {
    await settle();
    const ids: string[] = [];
    for (let n = 0; n < 450; n++) ids.unshift(await submitAsBefore([['a', `cake ${n}`]]));
    const stop = new AbortController();
    const unitOfWork = service().app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    const portions = jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
      const result = await run(work);
      stop.abort();
      return result;
    });
    await settle(stop.signal);
    portions.mockRestore();

    expect(await storedTexts()).toBe(25);
    expect(await foundInForm('cake')).toEqual(ids);
    await service()
      .app.get(TextMover)
      .moveAll({ before: new Date(Date.now() + 90_000) });
    expect(await storedTexts()).toBe(450);
    expect(await foundInForm('cake')).toEqual(ids);
    await sql('DELETE FROM text_progress');
  });

  it('finds words in a text that is too long to be kept for searches', async () => {
    const long = `${'lorem '.repeat(5_000)} needle`;
    const id = await service().submit(form, { a: long });
    await service().submit(form, { a: 'short' });
    await upkeep();
    await settle();
    expect(await foundInForm('NEEDLE')).toEqual([id]);
    expect(await foundInForm('needles')).toEqual([]);
    expect(await rowsIn('submission_texts', 'AND text IS NULL')).toBe(1);
  });

  it('finds the names of files, stored, indexed, edited and beside a long text, until they are erased', async () => {
    const name = 'Entwurf Stra\u00dfe.PDF';
    const id = await service().submitFile(form, 'x', { name });
    await service().submit(form, { a: 'x' });
    const everywhere = async (q: string) => {
      const all = await found('/api/v1/submissions', { q });
      expect(await found(pathOf(form), { q })).toEqual(all);
      return all;
    };
    for (const move of STATES) {
      await move();
      for (const q of ['Entwurf', 'ENTWURF', '"entwurf straße.pdf"', 'entwurf jane@example.com']) {
        expect(await everywhere(q)).toEqual([id]);
      }
      expect(await everywhere('cv')).toEqual([]);
    }
    for (const email of ['jo@example.com', 'long '.repeat(5_000)]) {
      await owner.patch(`${pathOf(form)}/${id}/values`, { values: { email } }).expect(200);
      expect(await everywhere('entwurf')).toEqual([id]);
      expect(await everywhere('entwurf jane')).toEqual([]);
    }
    const long = await service().submitFile(form, 'x', { name, email: 'long '.repeat(5_000) });
    await upkeep();
    await settle();
    expect(await everywhere('entwurf')).toEqual([long, id]);
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    expect(await everywhere('entwurf')).toEqual([long]);
  });

  it('honours folders, dates, values and all words, over one form and over all', async () => {
    const other = await owner.makeForm({ name: 'Other' });
    const ids = {
      plain: await service().submit(form, { a: 'red wedding cake', city: 'Oslo' }),
      spam: await service().submit(form, { a: 'wedding cake', _gotcha: 'x' }),
      trash: await service().submit(form, { a: 'wedding cake' }),
      other: await service().submit(other, { a: 'cake for a wedding', city: 'Oslo' }),
    };
    const trashed = `${pathOf(form)}/${ids.trash}` as const;
    await owner.patch(trashed, { submission: { trash: true } }).expect(200);
    for (const move of STATES) {
      await move();
      const all = (q: string) => found('/api/v1/submissions', { q });
      expect(await all('cake wedding')).toEqual([ids.other, ids.plain]);
      expect(await all('"wedding cake"')).toEqual([ids.plain]);
      expect(await all('cake is:spam')).toEqual([ids.spam]);
      expect(await all('cake is:trash')).toEqual([ids.trash]);
      expect(await all('cake city:Oslo')).toEqual([ids.other, ids.plain]);
      expect(await all('cake city:Oslo red')).toEqual([ids.plain]);
      expect(await all('cake is:unread form:Other')).toEqual([ids.other]);
      expect(await all('cake from:today')).toEqual([ids.other, ids.plain]);
      expect(await all('cake to:today')).toEqual([]);
      expect(await foundInForm('cake')).toEqual([ids.plain]);
      const everything = { query: 'cake', spam: 'all', trash: 'all' };
      expect(await found(pathOf(form), everything)).toEqual([ids.trash, ids.spam, ids.plain]);
    }
  });

  it('takes anything as a word', async () => {
    const id = await service().submit(form, { a: 'one  two' });
    await upkeep();
    await settle();
    expect(await foundInForm('o')).toEqual([id]);
    expect(await foundInForm('  ')).toEqual([id]);
    expect(await foundInForm('   ')).toEqual([]);
    for (const query of ['%', '%%%', '_', '*', '?', '\\', "'", '"', '\0']) {
      expect(await foundInForm(query)).toEqual([]);
    }
    await owner.get(`${pathOf(form)}?query=${'x'.repeat(10_000)}`).expect(422);
    const line = (q: string) => `/api/v1/submissions?${new URLSearchParams({ q }).toString()}` as const;
    const letters = Array.from({ length: 51 }, (_, n) => String.fromCodePoint(0x4e00 + n));
    await owner.get(line(letters.join(' '))).expect(refusal(422, 'filter_unclear'));
    await owner.get(line(letters.slice(1).join(' '))).expect(200);
  });
});

describe('Imported submissions that wait for the index', () => {
  const imported = async (rows: number) => {
    const lines = Array.from({ length: rows }, (_, n) => `2020-01-02T03:04:05Z,common zz${n}zz`);
    const file = `created_at,message\n${lines.join('\n')}\n`;
    await importFile(service(), owner, form, 'csv', file);
  };
  const everywhere = async (query: string) => {
    const { headers } = await owner.get(`${pathOf(form)}?query=${query}`).expect(200);
    const { text } = await owner.get(`${pathOf(form)}.ndjson?query=${query}`).expect(200);
    return {
      complete: String(headers['search-complete']),
      inForm: (await foundInForm(query)).length,
      inAll: (await found('/api/v1/submissions', { q: query })).length,
      exported: text.split('\n').filter(Boolean).length,
    };
  };

  it.each([
    ['few', 300],
    ['many', 5_200],
  ])('are found by words, and exported by them, where they are %s', async (_, rows) => {
    const visitor = await service().submit(form, { message: 'common' });
    await upkeep();
    await settle();
    await imported(rows);

    const all = rows + 1;
    expect(await everywhere('common')).toMatchObject({ inForm: all, inAll: all, exported: all });
    const one = { complete: 'true', inForm: 1, inAll: 1, exported: 1 };
    expect(await everywhere('zz7zz')).toEqual(one);
    expect((await foundInForm('common'))[0]).toBe(visitor);
    await upkeep();
    await settle();
    expect(await everywhere('zz7zz')).toEqual(one);
  });
});

it('A search after a clock that was ahead finds what comes once it is set right', async () => {
  const reach = async (id: Buffer) => {
    await sql('DELETE FROM text_progress');
    await service()
      .app.get(TextMover)
      .moveAll({ before: timeOf(id) });
    await service().app.get(BlockBuilder).buildAll({ now: new Date() });
  };

  const later = (n: number) => firstUuidAt(new Date(Date.now() + 3 * DAY_MS + n));
  const values = [['a', 'apple']];
  await storeRows(
    service(),
    form,
    Array.from({ length: 4_200 }, (_, n) => ({ id: later(n), values })),
  );
  await sql('UPDATE forms SET submission_count = 4200 WHERE id = ?', [form.id]);
  await reach(later(DAY_MS));
  const id = await service().submit(form, { a: 'cherry' });

  await upkeep();

  expect(await foundInForm('cherry')).toEqual([id]);
  // Once the clock is there for good, what came in between is in a block.
  await reach(later(DAY_MS));
  expect(await foundInForm('cherry')).toEqual([id]);
  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
  await upkeep();
});

it('A search in thousands finds what a scan finds, with words that few, most and none of the texts have', async () => {
  const random = fc.sample(text, { numRuns: 1_000, seed: 7 });
  const all = new Map<string, string>();
  const store = (to: { id: number }, values: readonly string[]) =>
    storeRows(
      service(),
      to,
      values.map((value) => ({ values: [['a', value]] })),
    );
  // So many small forms that they are searched at once.
  const many = Array.from({ length: 150 }, (_, n) => `zebrafish ${n}`);
  const elsewhere = await store(await owner.makeForm(), many);
  for (let n = 0; n < 4; n++) {
    const few = await owner.makeForm({ name: `Few ${n}` });
    const [first = ''] = await store(few, ['a zebrafish', 'two', 'none']);
    elsewhere.push(first);
  }
  for (let from = 0; from < 8_500; from += 500) {
    const values = Array.from({ length: 500 }, (_, n) => {
      const number = from + n;
      const rare = number % 1_700 === 3 ? ' zebrafish crossing' : '';
      const last = number === 4_095 ? ' quagga' : '';
      const greeting = number % 3_000 === 5 ? ' Grüße' : number === 7_000 ? ' gruesse' : '';
      const long = number === 4_000 ? ' long'.repeat(5_000) : '';
      return `Common ${number} ${random[number % 1_000] ?? ''}${rare}${greeting}${last}${long}`;
    });
    (await store(form, values)).forEach((id, n) => all.set(id, fold(values[n] ?? '')));
  }
  await sql('UPDATE forms SET submission_count = 8500 WHERE id = ?', [form.id]);
  await settle();
  expect([await rowsIn('text_blocks'), await rowsIn('text_postings')]).toEqual([2, 2 * 2_049]);
  const parts = random.slice(0, 12).map((value) => Array.from(value).slice(0, 5).join(''));
  const queries = ['zebrafish crossing', 'nobodyhasthis', ' long long', 'on 4095 ', 'qua', 'GRÜSSE'];
  const check = async () => {
    for (const query of [...queries, ...parts].filter((each) => each !== '')) {
      const wanted = [...all].filter(([, value]) => hasAll(value, spellingsOf([query])));
      const expected = wanted.map(([id]) => id).reverse();
      if (expected.length > 300) {
        const asked = new URLSearchParams({ query }).toString();
        const { submissions, count } = await owner.list(form, asked);
        expect(submissions.map(({ id }) => id)).toEqual(expected.slice(0, 100));
        expect(count).toBe(expected.length);
      } else expect({ query, ids: await foundInForm(query) }).toEqual({ query, ids: expected });
    }
    const greetings = [...all].filter(([, v]) => v.includes(' grüße') || v.includes(' gruesse'));
    expect(await foundInForm('gruesse')).toEqual(greetings.map(([id]) => id).reverse());
    const inAll = [...elsewhere, ...[...all].flatMap(([id, v]) => (v.includes('zebrafish') ? [id] : []))];
    expect(await found('/api/v1/submissions', { q: 'zebrafish' })).toEqual(inAll.reverse());
  };
  await check();
  const erased = [...all.keys()].filter((_, n) => n === 3 || n === 4_000 || n === 4_095);
  for (const id of erased) {
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    all.delete(id);
  }
  all.set(await service().submit(form, { a: 'a late zebrafish' }), 'a late zebrafish');
  await check();
  const oldestFirst = [...all].filter(([, value]) => value.includes('zebrafish'));
  const [first] = oldestFirst;
  const after = { query: 'zebrafish', after: first?.[0] ?? '', per_page: '2' };
  const parameters = new URLSearchParams(after).toString();
  const ids = (await owner.list(form, parameters)).submissions.map(({ id }) => id);
  expect(ids).toEqual([oldestFirst[2]?.[0], oldestFirst[1]?.[0]]);

  const [oldest] = await sql<{ last_id: Buffer }>('SELECT last_id FROM text_blocks WHERE form_id = ? ORDER BY block', [
    form.id,
  ]);
  const gone = [form.id, oldest?.last_id];
  await sql('DELETE FROM submissions WHERE form_id = ? AND id <= ?', gone);
  await sql('DELETE FROM submission_texts WHERE form_id = ? AND id <= ?', gone);
  for (const id of [...all.keys()].filter((each) => oldest && each <= formatUuid(oldest.last_id))) {
    all.delete(id);
  }
  await settle();
  expect([await rowsIn('text_blocks'), await rowsIn('text_postings')]).toEqual([1, 2_049]);
  await check();

  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
  await upkeep();
  expect([await rowsIn('text_blocks'), await rowsIn('text_postings')]).toEqual([0, 0]);
});

it('A search without the time to look at everything answers what it has, says so, and goes on', async () => {
  const other = await owner.makeForm();
  const ids = [];
  for (let n = 0; n < 3; n++) {
    ids.unshift(await service().submit(form, { a: `cake ${n}` }));
    ids.unshift(await service().submit(other, { a: `cake ${n}` }));
  }
  await upkeep();
  await settle();
  ids.unshift(await service().submit(form, { a: 'cake at last' }));
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));

  for (const path of [pathOf(form), '/api/v1/submissions']) {
    const { headers, body } = await owner.get(`${path}?q=cake`).expect(200);
    expect(headers['search-complete']).toBe('false');
    const page = body as SubmissionListBody;
    expect(page.submissions.map(({ id }) => id)).toEqual([ids[0]]);
    expect(page.next_page).toContain('before=');
  }
  expect(await found('/api/v1/submissions', { q: 'cake' })).toEqual(ids);
  jest.restoreAllMocks();
  const { headers } = await owner.get('/api/v1/submissions?q=cake').expect(200);
  expect(headers['search-complete']).toBe('true');
});

describe('The text of a submission goes with it', () => {
  const jane = { email: 'jane@example.com' };
  it('when it was removed before its text was made', async () => {
    const id = await service().submit(form, jane);
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    await upkeep();
    expect(await storedTexts()).toBe(0);
  });

  it('also where it was made beside the removal, once that is indexed or its form purged', async () => {
    const id = await service().submit(form, jane);
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    const leave = () =>
      sql('INSERT INTO submission_texts (form_id, id, text) VALUES (?, ?, ?)', [
        form.id,
        parseUuid(id),
        Buffer.from('jane'),
      ]);
    await leave();
    expect(await foundInForm('jane')).toEqual([]);
    await upkeep();
    expect(await storedTexts()).toBe(0);

    await leave();
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await upkeep();
    expect(await storedTexts()).toBe(0);
  });
});
