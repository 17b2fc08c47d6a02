import type { Schemas } from '../../build/api.js';
import type { Sums } from '../../src/statistics/sums.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';
import { DAY_MS, HOUR_MS, useStoppedClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { Rhythms } from '../support/rhythm.js';
import { useService } from '../support/service.js';
import { Inbox, json, urlencoded } from '../support/submit.js';

type Watch = Schemas['WatchDto'];

const clock = useStoppedClock();
const service = useService({ WORKERS: 'off' });
let inbox: Inbox;
let path: string;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  path = `/api/v1/forms/${inbox.form.identifier}`;
});

const now = () => clock.now();
const rhythms = new Rhythms(service, clock);
const look = () => rhythms.look();
const FULL = urlencoded([['email', 'ada@example.com']]);

const receive = (hoursAgo: readonly number[], counted?: Partial<Sums>) =>
  rhythms.receive(inbox.form, hoursAgo, counted);
const liveEvery = (hours: number, weeks?: number) => rhythms.liveEvery(inbox.form, hours, weeks);

const watch = async (): Promise<Watch> => (await inbox.owner.read(`${path}/watch`)).watch;

const warned = async () =>
  (await inbox.owner.read(`/api/v1/forms/${inbox.form.identifier}/warnings`)).warnings.map(({ code }) => code);

const ahead = (text: string | null) => (Date.parse(text ?? '') - now().getTime()) / HOUR_MS;

describe('A form that lives', () => {
  it('is learnt once there are three weeks of it, and told dead after a silence that it never had', async () => {
    // By day: what begins at night is silent from the night after the next.
    clock.forward(((36 - now().getUTCHours()) % 24) * HOUR_MS);
    await liveEvery(3, 2);
    await look();
    expect(await watch()).toMatchObject({ state: 'learning', silent_from: null });
    await receive(Array.from({ length: 56 }, (_, n) => 24 * 14 + n * 3));
    clock.forward(DAY_MS);
    await receive([1]);
    await look();
    const alive = await watch();
    expect(alive.state).toBe('alive');
    expect(ahead(alive.silent_from)).toBeGreaterThan(6);
    expect(ahead(alive.silent_from)).toBeLessThan(36);
    expect(await warned()).not.toContain('form_silent');
    clock.forward(ahead(alive.silent_from) * HOUR_MS);
    await look();
    expect((await watch()).state).toBe('silent');
    expect(await warned()).toContain('form_silent');
    await receive([0]);
    clock.forward(HOUR_MS);
    await look();
    expect((await watch()).state).toBe('alive');
    expect(await warned()).not.toContain('form_silent');
  });

  it('is told sooner the stricter its level, and never when it is off', async () => {
    await liveEvery(5);
    await look();
    const silentAt = async (level: string) => {
      await inbox.owner.put(`${path}/watch`, { watch: { level } }).expect(200);
      await look();
      return ahead((await watch()).silent_from);
    };
    const normal = await silentAt('normal');
    expect(await silentAt('strict')).toBeLessThan(normal);
    expect(await silentAt('quiet')).toBeGreaterThan(normal);
    await silentAt('off');
    expect(await watch()).toMatchObject({ level: 'off', state: 'off', silent_from: null });
    clock.forward(90 * DAY_MS);
    await look();
    expect(await warned()).not.toContain('form_silent');
  });

  it('shows what came on each day, and what would have been usual', async () => {
    await liveEvery(6, 2);
    await look();
    const { days } = await watch();
    expect(days).toHaveLength(28);
    expect(days.at(-1)?.day).toBe(now().toISOString().slice(0, 10));
    expect(days.at(-2)).toMatchObject({ received: 4, expected_low: null });
    clock.forward(60 * DAY_MS);
    await liveEvery(6, 8);
    expect((await watch()).days.at(-2)).toMatchObject({ ...{ received: 4, expected_low: 2, expected_high: 6 } });
  });

  it('is not told dead while it is paused, and its silence counts from when it opens again', async () => {
    await liveEvery(3);
    await look();
    await inbox.owner.put(`${path}/intake`, { intake: { paused: true } }).expect(200);
    clock.forward(30 * DAY_MS);
    await look();
    expect((await watch()).state).toBe('off');
    await inbox.owner.put(`${path}/intake`, { intake: { paused: false } }).expect(200);
    clock.forward(HOUR_MS);
    await look();
    expect((await watch()).state).toBe('alive');
    clock.forward(10 * DAY_MS);
    await look();
    expect((await watch()).state).toBe('silent');
  });
});

it('A form that never received anything is told after three days, and no more once something has come', async () => {
  await look();
  clock.forward(2 * DAY_MS);
  await look();
  expect(await warned()).not.toContain('never_connected');
  clock.forward(1.1 * DAY_MS);
  await look();
  expect((await watch()).state).toBe('never_connected');
  expect(await warned()).toContain('never_connected');
  await inbox.accept(FULL);
  await receive([0]);
  clock.forward(HOUR_MS);
  await look();
  expect(await warned()).not.toContain('never_connected');
});

describe('Signs beside silence', () => {
  it('tell of visitors who are refused, why, and until it is over', async () => {
    await liveEvery(6);
    await look();
    await inbox.owner.setFields(inbox.form, [{ name: 'email', required: true }]);
    for (let n = 0; n < 12; n++) await inbox.submit(json([['name', 'Ada']]));
    await service().app.get(WaitingCounts).flush();
    clock.forward(HOUR_MS);
    await look();
    const [sign] = (await watch()).signs;
    expect(sign).toMatchObject({ code: 'visitors_refused', amount: 12, error: 'required', field: 'email' });
    expect(await warned()).toContain('visitors_refused');
    clock.forward(25 * HOUR_MS);
    await look();
    expect((await watch()).signs).toEqual([]);
  });

  it('tell of a flood of spam, and of verdicts that turned, each by its own name', async () => {
    await liveEvery(6);
    await receive([2], { submissions: 0, spam: 60 });
    await look();
    expect((await watch()).signs.map(({ code }) => code)).toEqual(['spam_rising']);
  });

  it('tell of verdicts that turned where all is judged spam and nothing else comes', async () => {
    await receive(Array.from({ length: 200 }, (_, n) => 30 + n * 6));
    await receive([2, 3, 4, 5, 6], { submissions: 0, spam: 2 });
    await look();
    expect((await watch()).signs.map(({ code }) => code)).toEqual(['verdicts_changed']);
  });
});

it('The watch of a form names the levels that there are', async () => {
  const loud = { watch: { level: 'loud' } };
  await inbox.owner.put(`${path}/watch`, loud).expect(refusal(422, 'invalid_fields', 'watch.level'));
});
