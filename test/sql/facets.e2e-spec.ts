import type { Schemas } from '../../build/api.js';
import fc from 'fast-check';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { Counting, NAMED_MAX } from '../../src/statistics/counting.service.js';
import { PAGE } from '../../src/submissions/model/facet.js';
import { HOUR_MS } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off', TRUST_PROXY: '1', COUNTRY_HEADER: 'CF-IPCountry' });
const owner = useOwner(service);
const form = useForm(owner);
const upkeep = () => service().upkeep();
const from = (page: string) => ({ Referer: `https://example.com${page}` });
const mark = (id: string, marks: object, of = form) =>
  owner.patch(`${pathOf(of)}/${id}`, { submission: marks }).expect(200);

type TopBody = Schemas['TopDto'];
type Told = Schemas['PageStatisticsDto'] & Schemas['CountryStatisticsDto'] & Schemas['ValueStatisticsDto'];

/** Returns the answer of the API for a form, or for all. */
async function told<Kind extends 'pages' | 'origins' | 'countries' | 'fields'>(
  kind: Kind,
  of: FormBody | null = form,
  caller = owner,
  query = '',
): Promise<Told[Kind]> {
  const door = of ? `/api/v1/forms/${of.identifier}/statistics` : '/api/v1/statistics';
  const last = { pages: 'pages', origins: 'pages', countries: 'countries', fields: 'values' }[kind];
  return ((await caller.read(`${door}/${last}?${query}`)) as unknown as Told)[kind];
}

/** Names and numbers, the rest under `other`. */
function plain({ values, other }: TopBody): Record<string, number> {
  const named = values.map(({ value, submissions }) => [value ?? 'none', submissions]);
  return Object.fromEntries([...named, ...(other > 0 ? [['other', other]] : [])]) as Record<string, number>;
}

async function listed(q: string | null | undefined, caller = owner): Promise<string[]> {
  const query = new URLSearchParams({ q: q ?? '', per_page: '100' }).toString();
  return (await caller.read(`/api/v1/submissions?${query}`)).submissions.map(({ id }) => id).sort();
}

/** Sends the same several times. */
async function several(times: number, values: object, headers = {}, of = form): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < times; n++) ids.push(await service().submit(of, values, headers));
  return ids;
}

describe('Pages and origins', () => {
  it('are counted without their query, and their line finds what they counted', async () => {
    const contact = await several(3, { a: 'b' }, from('/contact?from=ad#form'));
    const [none] = await several(1, { a: 'b' });
    // What browsers tell other sites is the origin, and no page.
    const [origin] = await several(1, { a: 'b' }, { Origin: 'https://other.example', ...from('/') });
    await service().submitSpam(form, {});

    await upkeep();

    for (const one of [form, null]) {
      const { pages, origins } = { pages: await told('pages', one), origins: await told('origins', one) };
      expect(plain(pages)).toEqual({ '/contact': 3, none: 2 });
      expect(plain(origins)).toEqual({ 'https://example.com': 3, 'https://other.example': 1, none: 1 });
      const [first] = pages.values;
      expect(await listed(first?.q)).toEqual(contact.sort());
      expect(await listed(pages.values.find(({ value }) => value === null)?.q)).toEqual([none, origin].sort());
      expect(await listed(origins.values[0]?.q)).toEqual(contact.sort());
    }
  });

  it('are found by the filter before and after they are indexed, and with other parts', async () => {
    const [here] = await several(1, { city: 'Oslo' }, from('/a%20b'));
    await several(1, { city: 'Rome' }, from('/a%20b'));
    await several(1, { city: 'Oslo' }, from('/c'));
    for (let round = 0; round < 2; round++) {
      for (const q of ['page:"/a b"', 'page:https://x.example/a%20b?q', 'origin:example.com']) {
        expect(await listed(`${q} city:Oslo page:/a%20b`)).toEqual([here]);
      }
      expect(await listed('page:/c origin:example.com')).toHaveLength(1);
      expect(await listed('page:/c origin:other.example')).toEqual([]);
      expect(await listed('origin:example.com page:/d')).toEqual([]);
      expect(await listed('page:/A')).toEqual([]);
      expect(await listed('origin:none')).toEqual([]);
      await upkeep();
    }
    await owner.delete(`${pathOf(form)}/${here ?? ''}`).expect(200);
    await upkeep();
    expect(await listed('page:/a%20b city:Oslo')).toEqual([]);
    await owner.get('/api/v1/submissions?q=page:here').expect(refusal(422, 'filter_unclear'));
  });

  it('that may be of one person are counted without a name', async () => {
    await several(1, { a: 'b' }, from('/reset/4f9d8c7b6a5e4d3c2b1a'));
    await several(1, { a: 'b' }, from('/f/01a1fe6f-1e58-7000-842b-694654d2b033'));
    await several(1, { a: 'b' }, from('/jane@example.com'));
    await several(1, { a: 'b' }, from(`/${'long-'.repeat(60)}`));
    await upkeep();
    expect(plain(await told('pages'))).toEqual({ other: 4 });
  });

  it('are the ten with most, and the rest together', async () => {
    for (let n = 0; n < 12; n++) await several(n < 10 ? 2 : 1, { a: 'b' }, from(`/${n}`));
    await upkeep();
    const { values, other } = await told('pages');
    expect(values.map(({ submissions }) => submissions)).toEqual(Array(10).fill(2));
    expect(other).toBe(2);
  });

  it('go with their form, from those of all forms too', async () => {
    const other = await owner.makeForm();
    await several(2, { a: 'b' }, from('/x'), other);
    await several(1, { a: 'b' }, from('/y'), other);
    await several(1, { a: 'b' }, from('/x'));
    await upkeep();
    expect(plain(await told('pages', null))).toEqual({ '/x': 3, '/y': 1 });
    await owner.delete(`/api/v1/forms/${other.identifier}`).expect(200);
    await upkeep();
    expect(plain(await told('pages', null))).toEqual({ '/x': 1 });
    const left = await service().query<unknown[]>('SELECT 1 FROM counters WHERE form_id = ?', [other.id]);
    expect(left).toEqual([]);
  });

  it('have their names up to a number of them, and no sum changes', async () => {
    const hour = Math.floor(Date.now() / HOUR_MS);
    const counting = service().app.get(Counting);
    const add = (pages: [page: string, amount: number][]) =>
      service()
        .app.get(UnitOfWork)
        .run((tx) =>
          counting.addReceived(tx, [
            {
              ...{ formId: form.id, hour, submissions: 0, spam: 0 },
              facets: pages.map(([text, amount]) => ({ facet: PAGE, name: '', text, amount })),
            },
          ]),
        );
    const sum = async () => {
      const { values, other } = await told('pages');
      return values.reduce((all, { submissions }) => all + submissions, other);
    };
    await add([['/often', 50]]);
    const junk = Array.from({ length: NAMED_MAX }, (_, n): [string, number] => [`/junk/${n}`, 1]);
    await add(junk);
    expect(await sum()).toBe(50 + NAMED_MAX);

    await add([['/late', 30]]);
    await add([['/late', -1]]);
    await add([['/often', -1]]);
    await add([[`/junk/${NAMED_MAX - 1}`, -1]]);

    expect(await sum()).toBe(49 + NAMED_MAX + 29 - 1);
    const found = plain(await told('pages'));
    expect(found['/often']).toBe(49);
    expect(found).not.toHaveProperty('/late');
  });
});

describe('Values of a field', () => {
  it('are told from three submissions on, with a line that finds them', async () => {
    const sales = await several(3, { topic: 'sales & more', agree: true });
    await several(2, { topic: 'support' });
    await service().submitSpam(form, { topic: 'sales & more' });
    await upkeep();

    const fields = await told('fields');

    expect(fields.map((each) => [each.field, plain(each)])).toEqual([
      ['agree', { true: 3 }],
      ['topic', { 'sales & more': 3, other: 2 }],
    ]);
    for (const { values } of fields) expect(await listed(values[0]?.q)).toEqual(sales.sort());
    await several(1, { topic: 'support' });
    await upkeep();
    const [, topic] = await told('fields');
    expect(topic && plain(topic)).toEqual({ 'sales & more': 3, support: 3 });
  });

  it('are told once three senders had them, however often one sends', async () => {
    const from = (email: string) => service().submit(form, { email, topic: 'mine' });
    for (let n = 0; n < 4; n++) await from('jane@example.com');
    await from('joe@example.com');
    await upkeep();
    const topic = async () => (await told('fields')).filter(({ field }) => field === 'topic').map(plain);
    expect(await topic()).toEqual([]);

    await from('ann@example.com');
    await upkeep();
    expect(await topic()).toEqual([{ mine: 6 }]);
  });

  it('lose their name with the last submission that is erased, and keep their number', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await service().submit(form, { topic: 'mine' }));
    await several(3, { topic: 'sales' });
    await upkeep();
    const topics = async () => (await told('fields')).map(plain);
    const erase = (id = '') => owner.delete(`${pathOf(form)}/${id}`).expect(200);
    await erase(ids[0]);
    await erase(ids[1]);
    expect(await topics()).toEqual([{ mine: 3, sales: 3 }]);
    await erase(ids[2]);
    await upkeep();

    expect(await topics()).toEqual([{ sales: 3, other: 3 }]);
    const texts: unknown = await service().query('SELECT text FROM counters WHERE form_id = ?', [form.id]);
    expect(JSON.stringify(texts)).not.toContain('mine');
    await several(2, { topic: 'mine' });
    await several(2, { topic: 'sales' });
    await upkeep();
    expect(await topics()).toEqual([{ sales: 5, other: 5 }]);
    await several(1, { topic: 'mine' });
    await upkeep();
    expect(await topics()).toEqual([{ mine: 6, sales: 5 }]);
  });

  it('of a list count one by one', async () => {
    await several(3, { days: ['Monday', 'Friday'] });
    await upkeep();
    const [days] = await told('fields');
    expect(days && plain(days)).toEqual({ Friday: 3, Monday: 3 });
  });

  it.each([
    ['later than twenty others', (n: number) => `Option ${n}`, 21],
    ['long', () => 'x'.repeat(100), 4],
    ['an address', () => 'jane@example.com', 4],
    ['the number of a phone', () => '+49 30 1234567', 4],
  ])('have no name when they are %s, and hide the field once they are most', async (...each) => {
    const [, valueOf, times] = each;
    await several(4, { topic: 'sales', plan: 'gold' });
    for (let n = 0; n < 20; n++) await several(1, { topic: `Option ${n}`, plan: 'gold' });
    await several(20, { topic: 'sales' });
    await upkeep();
    const topic = async () => (await told('fields')).filter(({ field }) => field === 'topic').map(plain);
    expect(await topic()).toEqual([{ sales: 24, other: 20 }]);
    await several(4, { topic: valueOf(20) });
    await upkeep();
    expect(await topic()).toEqual([{ sales: 24, other: 24 }]);

    for (let n = 0; n < times; n++) await several(1, { topic: valueOf(n) });
    await upkeep();
    expect((await told('fields')).map(({ field }) => field)).toEqual(['plan']);
    const named = await service().query<{ text: string }[]>(
      "SELECT text FROM counters WHERE form_id = ? AND name = 'field:topic' AND text IS NOT NULL",
      [form.id],
    );
    expect(named).toEqual([{ text: 'sales' }]);
  });

  it('are those of twelve fields', async () => {
    const fields = Array.from({ length: 13 }, (_, n) => `choice${String.fromCharCode(97 + n)}`);
    await several(3, Object.fromEntries(fields.map((field) => [field, 'yes'])));
    await upkeep();
    expect((await told('fields')).map(({ field }) => field)).toEqual(fields.slice(0, 12));
  });

  it.each(['email', 'your_name', 'message', 'Telefon', 'password', 'zip code', '_note'])(
    'of a field %s are never kept',
    async (field) => {
      await several(3, { [field]: 'same' });
      await upkeep();
      expect(await told('fields')).toEqual([]);
      const kept = await service().query<unknown[]>(
        "SELECT 1 FROM counters WHERE form_id = ? AND name LIKE 'field:%'",
        [form.id],
      );
      expect(kept).toEqual([]);
    },
  );
});

it('Countries are those that the proxy tells, and found by a filter', async () => {
  const ids = await several(2, { a: 'b' }, { 'CF-IPCountry': 'de' });
  await several(1, { a: 'b' }, { 'CF-IPCountry': 'FR' });
  for (const header of ['XX', 'Germany', 'T1', '<b>']) {
    await several(1, { a: 'b' }, { 'CF-IPCountry': header });
  }
  await upkeep();
  for (const one of [form, null]) {
    const countries = await told('countries', one);
    expect(plain(countries)).toEqual({ DE: 2, FR: 1 });
    expect(await listed(countries.values[0]?.q)).toEqual(ids.sort());
  }
  const { body } = await owner.get(`${pathOf(form)}/${ids[0] ?? ''}/source`).expect(200);
  expect(body).toMatchObject({ country: 'DE' });
});

describe('What charts divide', () => {
  it('is of those forms alone that one may see', async () => {
    const [other, stranger] = [await owner.makeForm(), await service().openAccount()];
    const strange = await stranger.makeForm();
    const headers = { ...from('/own'), 'CF-IPCountry': 'DE' };
    await several(3, { plan: 'own' }, headers);
    await several(3, { plan: 'secret' }, { ...from('/secret'), 'CF-IPCountry': 'FR' }, other);
    await several(3, { plan: 'strange' }, { ...from('/strange'), 'CF-IPCountry': 'IT' }, strange);
    await upkeep();
    const asClient = await owner.makeClientCaller({ form_ids: [form.id] });

    expect(plain(await told('pages', null))).toEqual({ '/own': 3, '/secret': 3 });
    for (const one of [form, null]) {
      const pages = await told('pages', one, asClient);
      expect(plain(pages)).toEqual({ '/own': 3 });
      expect(await listed(pages.values[0]?.q, asClient)).toHaveLength(3);
      expect(plain(await told('countries', one, asClient))).toEqual({ DE: 3 });
      expect(plain(await told('origins', one, asClient))).toEqual({ 'https://example.com': 3 });
    }
    expect(plain(await told('pages', null, stranger))).toEqual({ '/strange': 3 });
    for (const last of ['pages', 'countries', 'values']) {
      const path = `/api/v1/forms/${other.identifier}/statistics/${last}` as const;
      await asClient.get(path).expect(refusal(404, 'form_not_found'));
      await stranger.get(path).expect(refusal(404, 'form_not_found'));
    }
  });

  it('is the same for each zone and span, hour by hour', async () => {
    const counting = service().app.get(Counting);
    const first = Math.floor(Date.parse('2030-01-01T00:00:00Z') / HOUR_MS);
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const received = Array.from({ length: 300 }, () => {
      const facet = { facet: PAGE, name: '', text: `/${next(3)}`, amount: 1 + next(4) };
      const hour = first + next(120 * 24);
      return { formId: form.id, hour, submissions: 0, spam: 0, facets: [facet] };
    });
    await service()
      .app.get(UnitOfWork)
      .run((tx) => counting.addReceived(tx, received));
    for (const [query, begin, end] of [
      ['from=2030-01-01&to=2030-05-01', '2030-01-01T00:00Z', '2030-05-01T00:00Z'],
      ['from=2030-01-10&to=2030-04-20&zone=Asia/Tokyo', '2030-01-09T15:00Z', '2030-04-19T15:00Z'],
      ['from=2030-02-02&to=2030-02-03&zone=America/New_York', '2030-02-02T05:00Z', '2030-02-03T05:00Z'],
    ] as const) {
      const [a, b] = [Date.parse(begin) / HOUR_MS, Date.parse(end) / HOUR_MS];
      const expected: Record<string, number> = {};
      for (const { hour, facets } of received) {
        for (const { text, amount } of facets) {
          if (hour >= a && hour < b) expected[text] = (expected[text] ?? 0) + amount;
        }
      }
      expect(plain(await told('pages', form, owner, query))).toEqual(expected);
    }
  });

  it('is counted exactly, whatever is sent, marked and erased, and in whatever order', async () => {
    const command = fc.record({
      kind: fc.constantFrom('submit', 'submit', 'submit', 'spam', 'mark', 'trash', 'erase', 'count'),
      which: fc.nat(20),
      value: fc.boolean(),
    });
    type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
    const stored: { id: string; n: number; isSpam: boolean; isErased: boolean }[] = [];
    const act = async ({ kind, which, value }: Command) => {
      const there = stored.filter(({ isErased }) => !isErased);
      const one = there[which % Math.max(there.length, 1)];
      if (kind === 'count') await upkeep();
      else if (kind === 'submit' || kind === 'spam' || !one) {
        const isSpam = kind === 'spam';
        const n = which % 3;
        const values = { plan: `plan ${n}`, ...(isSpam && { _gotcha: 'x' }) };
        const headers = { ...from(`/${n}`), 'CF-IPCountry': ['DE', 'FR', 'IT'][n] ?? '' };
        const id = await service().submit(form, values, headers);
        stored.push({ id, n, isSpam, isErased: false });
      } else if (kind === 'mark') {
        await mark(one.id, { spam: value });
        one.isSpam = value;
      } else if (kind === 'trash') await mark(one.id, { trash: value });
      else {
        await owner.delete(`${pathOf(form)}/${one.id}`).expect(200);
        one.isErased = true;
      }
    };
    const countsOf = (nameOf: (n: number) => string) => {
      const sums: Record<string, number> = {};
      for (const { n, isSpam } of stored) {
        if (!isSpam) sums[nameOf(n)] = (sums[nameOf(n)] ?? 0) + 1;
      }
      return sums;
    };
    const total = (sums: Record<string, number>) => Object.values(sums).reduce((all, each) => all + each, 0);

    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        for (const each of commands) await act(each);
        await Promise.all([upkeep(), upkeep()]);
        for (const one of [form, null]) {
          expect(plain(await told('pages', one))).toEqual(countsOf((n) => `/${n}`));
          expect(plain(await told('countries', one))).toEqual(countsOf((n) => ['DE', 'FR', 'IT'][n] ?? ''));
        }
        const [plans] = await told('fields');
        const expected = countsOf((n) => `plan ${n}`);
        const found = plans ? plain(plans) : {};
        if (plans) expect(total(found)).toBe(total(expected));
        const { other: _, ...named } = found;
        expect(expected).toMatchObject(named);
      }),
      { numRuns: 10 },
    );
  });
});
