import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { Counter } from '../../src/statistics/counter.entity.js';
import { REFUSED } from '../../src/statistics/sums.js';
import { Counting, NAMED_MAX } from '../../src/statistics/counting.service.js';
import { RefusalsService } from '../../src/health/watch/refusals.service.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';
import { DAY_MS, HOUR_MS, useStoppedClock } from '../support/clock.js';
import { createTables } from '../support/database.js';
import { refusal } from '../support/refusal.js';
import { Service, useService } from '../support/service.js';
import { Inbox, json, send, urlencoded } from '../support/submit.js';

const clock = useStoppedClock();
const service = useService({ WORKERS: 'off', MAX_BODY_BYTES: '2000' });
let inbox: Inbox;
let path: string;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  path = `/api/v1/forms/${inbox.form.identifier}`;
});

const FULL = urlencoded([['email', 'ada@example.com']]);
const LONG = urlencoded([['email', 'x'.repeat(3000)]]);
const demand = (names: string[], onFailure?: string) =>
  inbox.owner.setFields(
    inbox.form,
    names.map((name) => ({ name, required: true })),
    onFailure,
  );
const flush = () => service().app.get(WaitingCounts).flush();
const counted = () => service().repository(Counter).countBy({ formId: inbox.form.id, name: REFUSED });
const hour = () => new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS).toISOString();

/** Returns what the form has refused, as its owner reads it. */
async function refused(query = ''): Promise<unknown[]> {
  await flush();
  return (await inbox.owner.read(`${path}/refusals${query}`)).refusals;
}

describe('The refusals of a form', () => {
  it('are none as long as it takes everything', async () => {
    await inbox.accept(FULL);
    expect(await refused()).toEqual([]);
    expect(await counted()).toBe(0);
  });

  it('are counted by the hour, the reason, and the first field that a rule names', async () => {
    await demand(['email', 'name']);
    const first = hour();
    for (let n = 0; n < 3; n++) expect((await inbox.submit(json([['a', '1']]))).status).toBe(422);
    await inbox.submit(json([['email', 'ada@example.com']]));
    await flush();
    await inbox.submit(json([['a', '1']]));
    expect(await refused()).toEqual([
      { hour: first, code: 'required', field: 'email', amount: 4 },
      { hour: first, code: 'required', field: 'name', amount: 1 },
    ]);
    clock.forward(HOUR_MS);
    await inbox.submit(json([['a', '1']]));
    expect((await refused()).at(-1)).toEqual({ ...{ hour: hour(), code: 'required', field: 'email', amount: 1 } });
  });

  it('have what is too large, unreadable, of a wrong type and empty', async () => {
    expect((await inbox.submit(LONG)).status).toBe(413);
    await inbox.submit({ type: 'application/json', body: '{' });
    await inbox.submit({ type: 'application/pdf', body: 'x' });
    await inbox.submit(urlencoded([]));
    const all = (await refused()) as { code: string; field: string | null }[];
    expect(all.map(({ code, field }) => [code, field])).toEqual([
      ['empty', null],
      ['too_large', null],
      ['unknown_encoding', null],
      ['unreadable', null],
    ]);
  });

  it('keep no text of a visitor: a field without a rule has no name', async () => {
    const name = `secret${'x'.repeat(300)}`;
    expect((await inbox.submit(urlencoded([[name, '1']]))).status).toBe(422);
    expect(await refused()).toEqual([{ hour: hour(), code: 'field_name_too_long', field: null, amount: 1 }]);
  });

  it('have nothing of unknown forms, closed ones, and what went on hold', async () => {
    await send(`${service().url}/f/0123456789abcdef`, json([]));
    await demand(['email'], 'hold');
    await inbox.accept(json([['a', '1']]));
    await inbox.owner.put(`${path}/intake`, { intake: { paused: true } }).expect(200);
    expect((await inbox.submit(json([]))).status).toBe(410);
    expect(await refused()).toEqual([]);
  });

  it('have nothing of what the service itself cannot store', async () => {
    const unitOfWork = service().app.get(UnitOfWork);
    await inbox.submit(urlencoded([]));
    jest.spyOn(unitOfWork, 'run').mockRejectedValueOnce(new Error('full'));
    await expect(flush()).rejects.toThrow('full');
    await inbox.submit(urlencoded([]));
    expect(await refused()).toEqual([{ hour: hour(), code: 'empty', field: null, amount: 2 }]);
  });

  it('are those of the last seven days, or of as many as are asked for', async () => {
    await inbox.submit(urlencoded([]));
    await flush();
    clock.forward(8 * DAY_MS);
    expect(await refused()).toEqual([]);
    expect(await refused('?days=9')).toHaveLength(1);
    for (const days of ['0', '61', 'x', '1.5']) {
      await inbox.owner.get(`${path}/refusals?days=${days}`).expect(refusal(422, 'invalid_fields', 'days'));
    }
  });

  it('have two hundred reasons by name, and go with the form', async () => {
    const { app } = service();
    const of = { formId: inbox.form.id, hour: Math.floor(clock.now().getTime() / HOUR_MS) };
    const reasons = Array.from({ length: NAMED_MAX + 5 }, (_, n) => {
      return { ...of, name: REFUSED, item: `${n}`, text: `code${n} `, amount: 1 };
    });
    await app.get(UnitOfWork).run((tx) => app.get(Counting).add(tx, reasons));
    const all = (await refused()) as { code: string; amount: number }[];
    expect(all).toHaveLength(NAMED_MAX + 1);
    expect(all.find(({ code }) => code === 'other')?.amount).toBe(5);
    await inbox.owner.delete(path).expect(200);
    await service().upkeep(new Date(clock.now().getTime() + DAY_MS));
    expect(await counted()).toBe(0);
  });

  it('are read for many forms at once', async () => {
    const other = await Inbox.open(service());
    await inbox.submit(urlencoded([]));
    await other.submit(LONG);
    await flush();
    const now = Math.floor(clock.now().getTime() / HOUR_MS);
    const ids = [inbox.form.id, other.form.id, 0];
    expect([...(await service().app.get(RefusalsService).lately(ids, now))]).toEqual([
      [inbox.form.id, [{ hour: now, code: 'empty', field: '', amount: 1 }]],
      [other.form.id, [{ hour: now, code: 'too_large', field: '', amount: 1 }]],
    ]);
    expect(
      (
        await service()
          .app.get(RefusalsService)
          .lately(ids, now + 1)
      ).size,
    ).toBe(0);
  });

  it('are nothing of a form that is deleted meanwhile', async () => {
    await inbox.submit(urlencoded([]));
    await inbox.owner.delete(path).expect(200);
    await flush();
    expect(await counted()).toBe(0);
  });
});

it('An instance that ends stores what it has counted', async () => {
  const database = await createTables();
  const settings = { ...database.settings, WORKERS: 'off' };
  const first = await Service.start(settings);
  const ending = await Inbox.open(first);
  await ending.submit(urlencoded([]));
  await first.close();
  const second = await Service.start(settings);
  const { body } = await ending.at(second).owner.get(`/api/v1/forms/${ending.form.identifier}/refusals`).expect(200);
  expect(body.refusals).toHaveLength(1);
  await second.close();
  await database.drop();
});
