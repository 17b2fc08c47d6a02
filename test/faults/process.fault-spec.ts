import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until.js';
import { inFull } from './kit/duration.js';
import { onBoth, useDatabase, useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const KILLS = inFull(20, 4);
const CLIENTS = 32;
/** Longest time under load before a kill. */
const LIFE_MS = 500;
const STOP_MS = 10_000;

const database = useDatabase();
const { start, sendTo } = useServices();

describe('A service that is killed', () => {
  onBoth(database)('D-01: loses nothing it acknowledged, on %s', async (name, settings) => {
    const service = await start(settings());
    const form = await service.makeForm();
    const ledger = sendTo(form, [service]);
    ledger.start(CLIENTS);

    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.untilAcknowledged();
      await pause(Math.random() * LIFE_MS);
      await service.kill();
      await service.up();
    }
    await ledger.stop();

    const what = `D-01 service killed ${KILLS} times, on ${name}`;
    await expectNothingLost(what, ledger, service.owner, form);
  });
});

/** Submissions that the job changes: enough that a kill comes in between. */
const CHANGED = inFull(3_000, 1_000);
/** How long the kill waits for the job to have begun, which a worker looks for once a second. */
const BEGUN_MS = 5_000;
const SUBMITTED_AT_ONCE = 100;

describe('A job that changes all that match', () => {
  it('D-16: goes on behind its last portion after a kill, and is done exactly once', async () => {
    const service = await start({});
    const form = await service.makeForm();
    const ledger = sendTo(form, [service]);
    for (let sent = 0; sent < CHANGED; sent += SUBMITTED_AT_ONCE) {
      await Promise.all(Array.from({ length: SUBMITTED_AT_ONCE }, () => ledger.submit()));
    }
    const { owner } = service;
    const task = { q: `form:${form}`, changes: { add_tag: 'seen' } };
    const { body } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
    const { id } = body;
    const shown = async () => (await owner.get(`/api/v1/jobs/${id}`)).body;

    await until(async () => (await shown()).done > 0, BEGUN_MS);
    await service.kill();
    await service.up();
    const { done } = await shown();
    expect(done).toBeLessThan(CHANGED);

    await until(async () => (await shown()).state !== 'running');
    expect(await shown()).toMatchObject({ state: 'finished', total: CHANGED, done: CHANGED, changed: CHANGED });
    const tagged = new URLSearchParams({ q: 'tag:seen', per_page: '1' }).toString();
    const { body: list } = await owner.get(`/api/v1/forms/${form}/submissions?${tagged}`);
    expect(list.count).toBe(CHANGED);
    process.stdout.write(`D-16: killed at ${done} of ${CHANGED}, all changed once\n`);
  });
});

describe('A service that is asked to stop', () => {
  it('D-10: answers what it has, and leaves the rest to its neighbour', async () => {
    const settings = { DATABASE_URL: database().url };
    const [first, second] = await Promise.all([start(settings), start(settings)]);
    const form = await first.makeForm();
    const ledger = sendTo(form, [first, second]);
    ledger.start(CLIENTS);

    await ledger.untilAcknowledged(100);
    const asked = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(STOP_MS);
    await ledger.untilAcknowledged(100);
    await ledger.stop();

    expectAllTaken(ledger);
    await expectNothingLost('D-10 service stopped, another goes on', ledger, second.owner, form);
  });
});
