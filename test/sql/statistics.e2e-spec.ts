import fc from 'fast-check';
import { In } from 'typeorm';
import type { Answers } from '../../build/api.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { parseUuid, timeOf } from '../../src/platform/kernel/uuid.js';
import { Counter } from '../../src/statistics/counter.entity.js';
import { RECEIVED } from '../../src/statistics/sums.js';
import { Counting } from '../../src/statistics/counting.service.js';
import { HOUR_MS } from '../support/clock.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);
const upkeep = () => service().upkeep();
const rows = () => service().repository(Counter);

/** Submissions and spam by "form length begin", without those where nothing is left. */
type Counts = Record<string, readonly [submissions: number, spam: number]>;

/** Returns the counts for the account of a form. */
async function counted(of: FormBody = form): Promise<Counts> {
  const [account] = await service().query<{ id: number }[]>('SELECT account_id AS id FROM forms WHERE id = ?', [of.id]);
  const forms = await service().query<{ id: number }[]>('SELECT id FROM forms WHERE account_id = ?', [account?.id]);
  const all = -(account?.id ?? 0);
  const ids = [all, ...forms.map(({ id }) => id)];
  const found = await rows().findBy({ name: RECEIVED, formId: In(ids), length: In([1, 24]) });
  return sorted(
    found.map(({ formId, length, begins, item, amount }) => [
      `${formId === all ? 0 : formId} ${length} ${begins}`,
      item === 'spam' ? [0, amount] : [amount, 0],
    ]),
  );
}

/** Sums that are not zero, in the order of their keys. */
function sorted(all: [key: string, counts: readonly [number, number]][]): Counts {
  const sums = new Map<string, readonly [number, number]>();
  for (const [key, [submissions, spam]] of all) {
    const [a, b] = sums.get(key) ?? [0, 0];
    sums.set(key, [a + submissions, b + spam]);
  }
  const left = [...sums].filter(([, [submissions, spam]]) => submissions !== 0 || spam !== 0);
  return Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the expected counts of a submission: in its hour and its day, for its form and for all. */
function countsOf(formId: number, id: string, isSpam: boolean): [string, [number, number]][] {
  const hour = Math.floor(timeOf(parseUuid(id) ?? Buffer.alloc(16)).getTime() / HOUR_MS);
  return [formId, 0].flatMap((each) =>
    [`${each} 1 ${hour}`, `${each} 24 ${hour - (hour % 24)}`].map((key): [string, [number, number]] => [
      key,
      isSpam ? [0, 1] : [1, 0],
    ]),
  );
}

const mark = (id: string, marks: object) => owner.patch(`${pathOf(form)}/${id}`, { submission: marks }).expect(200);

describe('What a form received', () => {
  it('is counted once, by hour and day, when the values are indexed', async () => {
    const ids = [await service().submit(form), await service().submit(form)];
    const spam = await service().submitSpam(form, {});
    expect(await counted()).toEqual({});

    await Promise.all([upkeep(), upkeep()]);

    const expected = [...ids.flatMap((id) => countsOf(form.id, id, false)), ...countsOf(form.id, spam, true)];
    expect(await counted()).toEqual(sorted(expected));
    await upkeep();
    expect(await counted()).toEqual(sorted(expected));
  });

  it('is counted once when the transaction that counts fails', async () => {
    const id = await service().submit(form);
    const unitOfWork = service().app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    const failing = jest.spyOn(unitOfWork, 'run').mockImplementation((work) =>
      run(async (tx) => {
        const done = await work(tx);
        if (await tx.existsBy(Counter, { formId: form.id })) throw new Error('killed');
        return done;
      }),
    );
    await expect(upkeep()).rejects.toThrow('killed');
    failing.mockRestore();
    expect(await counted()).toEqual({});

    await upkeep();

    expect(await counted()).toEqual(sorted(countsOf(form.id, id, false)));
  });

  it('goes with the form when that is deleted, also what was not counted yet', async () => {
    const other = await owner.makeForm();
    const id = await service().submit(other);
    await service().submit(form);
    await upkeep();
    await service().submit(form);

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await upkeep();

    expect(await counted(other)).toEqual(sorted(countsOf(other.id, id, false)));
  });

  it('is counted exactly, whatever is sent, marked and erased, and in whatever order', async () => {
    const now = Date.now.bind(Date);
    let later = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
    const command = fc.record({
      kind: fc.constantFrom('submit', 'submit', 'spam', 'mark', 'trash', 'erase', 'wait', 'count'),
      which: fc.nat(20),
      value: fc.boolean(),
    });
    type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
    const stored: { id: string; isSpam: boolean; isErased: boolean }[] = [];

    const act = async ({ kind, which, value }: Command) => {
      const there = stored.filter(({ isErased }) => !isErased);
      const one = there[which % Math.max(there.length, 1)];
      if (kind === 'wait') later += which * (HOUR_MS / 4);
      else if (kind === 'count') await upkeep();
      else if (kind === 'submit' || kind === 'spam' || !one) {
        const isSpam = kind === 'spam';
        const id = await (isSpam ? service().submitSpam(form, {}) : service().submit(form));
        stored.push({ id, isSpam, isErased: false });
      } else if (kind === 'mark') {
        await mark(one.id, { spam: value });
        one.isSpam = value;
      } else if (kind === 'trash') await mark(one.id, { trash: value });
      else {
        await owner.delete(`${pathOf(form)}/${one.id}`).expect(200);
        one.isErased = true;
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        for (const each of commands) await act(each);
        await upkeep();

        const scanned = await service().query<{ id: Buffer; spam: number }[]>(
          'SELECT id, spam FROM submissions WHERE form_id = ?',
          [form.id],
        );
        const erased = stored.filter(({ isErased }) => isErased);
        const expected = [
          ...scanned.map(({ id, spam }) => [id.toString('hex'), spam === 1] as const),
          ...erased.map(({ id, isSpam }) => [id, isSpam] as const),
        ].map(([id, isSpam]) => [withDashes(id), isSpam] as const);
        expect(scanned).toHaveLength(stored.length - erased.length);
        expect(await counted()).toEqual(sorted(expected.flatMap(([id, isSpam]) => countsOf(form.id, id, isSpam))));
      }),
      { numRuns: 12 },
    );
  });
});

type StatisticsBody = Answers['get /api/v1/statistics'];

describe('Statistics', () => {
  /** Counts `submissions` and spam in an hour, as upkeep would. */
  async function receive(at: string, submissions: number, spam = 0, of = form): Promise<void> {
    const hour = Math.floor(Date.parse(at) / HOUR_MS);
    const unitOfWork = service().app.get(UnitOfWork);
    const counting = service().app.get(Counting);
    await unitOfWork.run((tx) => counting.addReceived(tx, [{ formId: of.id, hour, submissions, spam }]));
  }

  async function statistics(query: string, of: FormBody | null = form, caller = owner) {
    const path = of ? `/api/v1/forms/${of.identifier}/statistics` : '/api/v1/statistics';
    return (await caller.read(`${path}?${query}`)) as StatisticsBody;
  }

  /** Buckets with something in them, by where they begin. */
  const filled = ({ buckets }: StatisticsBody) =>
    Object.fromEntries(
      buckets
        .filter(({ submissions, spam }) => submissions + spam > 0)
        .map(({ start, submissions, spam }) => [start, [submissions, spam]]),
    );

  it('are of the last 30 days in UTC unless something else is asked for', async () => {
    const now = new Date();
    await receive(now.toISOString(), 3, 1);
    await receive(new Date(now.getTime() - 40 * 24 * HOUR_MS).toISOString(), 2);

    const { from, to, by, zone, buckets, totals, before } = await statistics('');

    expect({ by, zone }).toEqual({ by: 'day', zone: 'UTC' });
    expect(totals).toMatchObject({ submissions: 3, spam: 1 });
    expect(buckets).toHaveLength(30);
    expect(buckets[0]?.start).toBe(`${from}T00:00:00.000Z`);
    expect(buckets.at(-1)).toMatchObject({ end: `${to}T00:00:00.000Z`, submissions: 3, spam: 1 });
    expect(before).toMatchObject({ end: buckets[0]?.start, submissions: 2, spam: 0 });
  });

  it('know the days of a time zone, also when its clocks change', async () => {
    await receive('2030-03-30T22:00:00Z', 1);
    await receive('2030-03-30T23:00:00Z', 2);
    await receive('2030-03-31T21:00:00Z', 3);
    await receive('2030-03-31T22:00:00Z', 4);

    const query = 'from=2030-03-30&to=2030-04-02&zone=Europe/Berlin';
    const days = await statistics(query);

    expect(days.buckets.map(({ start, submissions }) => [start, submissions])).toEqual([
      ['2030-03-29T23:00:00.000Z', 1],
      ['2030-03-30T23:00:00.000Z', 5],
      ['2030-03-31T22:00:00.000Z', 4],
    ]);
    expect(days.buckets.at(-1)?.end).toBe('2030-04-01T22:00:00.000Z');
    const hours = await statistics(`${query}&by=hour`);
    expect(hours.buckets).toHaveLength(24 + 23 + 24);
    expect(hours.totals).toEqual(days.totals);
    expect(filled(hours)).toMatchObject({ '2030-03-31T21:00:00.000Z': [3, 0] });
  });

  it('know a day of 23 hours that begins and ends near the same midnight of UTC', async () => {
    const first = Date.parse('2030-09-27T00:00:00Z');
    for (let hour = 0; hour < 96; hour++) {
      await receive(new Date(first + hour * HOUR_MS).toISOString(), 1 + (hour % 7));
    }
    const query = 'from=2030-09-28&to=2030-10-01&zone=Pacific/Auckland';
    const hours = await statistics(`${query}&by=hour`);
    for (const day of (await statistics(query)).buckets) {
      const own = hours.buckets.filter(({ start }) => start >= day.start && start < day.end);
      expect(day.submissions).toBe(own.reduce((sum, { submissions }) => sum + submissions, 0));
      expect(own).toHaveLength(day.start.startsWith('2030-09-28') ? 23 : 24);
    }
  });

  it('begin weeks on Monday, and months with their first day', async () => {
    await receive('2030-01-31T23:30:00Z', 1);
    await receive('2030-01-31T22:30:00Z', 2);
    await receive('2030-02-03T22:59:00Z', 4, 1);
    await receive('2030-02-03T23:00:00Z', 8);

    const query = 'from=2030-01-30&to=2030-03-02&zone=Europe/Berlin';

    expect(filled(await statistics(`${query}&by=week`))).toEqual({
      '2030-01-29T23:00:00.000Z': [7, 1],
      '2030-02-03T23:00:00.000Z': [8, 0],
    });
    const months = await statistics(`${query}&by=month`);
    expect(filled(months)).toEqual({ '2030-01-29T23:00:00.000Z': [2, 0], '2030-01-31T23:00:00.000Z': [13, 1] });
    expect(months.buckets).toHaveLength(3);
  });

  it('say the same in every step and zone, of this span and of the one before', async () => {
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const first = Date.parse('2030-01-01T00:00:00Z');
    for (let n = 0; n < 60; n++) {
      await receive(new Date(first + next(80 * 24) * HOUR_MS).toISOString(), next(5), next(2));
    }
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia']) {
      const span = `from=2030-02-08&to=2030-02-20&zone=${zone}`;
      const [day, ...others] = await Promise.all(
        ['day', 'hour', 'week', 'month'].map((by) => statistics(`${span}&by=${by}`)),
      );
      const before = await statistics(`from=2030-01-27&to=2030-02-08&zone=${zone}`);
      expect(day?.totals.submissions).toBeGreaterThan(0);
      expect(day?.before).toMatchObject(before.totals);
      for (const { totals, before } of others) {
        expect({ totals, before }).toEqual({ totals: day?.totals, before: day?.before });
      }
    }
  });

  it('are of all forms that one may see', async () => {
    const [other, stranger] = [await owner.makeForm(), await service().openAccount()];
    await receive('2030-01-02T00:00:00Z', 1);
    await receive('2030-01-02T00:00:00Z', 2, 0, other);
    await receive('2030-01-02T00:00:00Z', 4, 0, await stranger.makeForm());
    const asClient = await owner.makeClientCaller({ form_ids: [form.id] });
    const span = 'from=2030-01-01&to=2030-02-01';

    for (const query of [span, `${span}&by=month&zone=Asia/Tokyo`]) {
      expect((await statistics(query, null)).totals.submissions).toBe(3);
      expect((await statistics(query, null, asClient)).totals.submissions).toBe(1);
      expect((await statistics(query, null, stranger)).totals.submissions).toBe(4);
    }
  });

  it.each([
    ['from=2030-02-30', 'from', 'wrong_date'],
    ['from=2030-01-01T00:00:00Z', 'from', 'wrong_date'],
    ['to=x', 'to', 'wrong_date'],
    ['from=2030-01-02&to=2030-01-02', 'to', 'span_empty'],
    ['by=year', 'by', 'not_allowed'],
    ['zone=Mars', 'zone', 'wrong_time_zone'],
    ['from=2030-01-01&to=2031-02-06', 'by', 'too_many_buckets'],
    ['from=2030-01-01&to=2030-01-19&by=hour', 'by', 'too_many_buckets'],
    ['from=1900-01-01&to=9999-12-31&by=month', 'by', 'too_many_buckets'],
  ])('name the field at fault: %s', async (query, field, code) => {
    for (const path of [`/api/v1/forms/${form.identifier}/statistics`, '/api/v1/statistics']) {
      const { body } = await owner.get(`${path}?${query}`).expect(422);
      const { errors } = body as { errors: { field: string; code: string }[] };
      expect(errors.map((each) => [each.field, each.code])).toEqual([[field, code]]);
    }
  });
});

const withDashes = (id: string): string => id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
