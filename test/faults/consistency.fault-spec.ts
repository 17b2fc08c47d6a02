import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { Actors } from './kit/actors.js';
import { inFull } from './kit/duration.js';
import { Dice } from './kit/model.js';
import { useDatabase, useServices } from './kit/scene.js';

const SECONDS = inFull(180, 8);
const KILLS = 2;
/** Time for deliveries: the work of a killed process is leased for a minute, then retried. */
const DELIVERED_MS = 300_000;
/** `SEED=…` repeats the choices of a run, if not its timing. */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** More servers to run on in full, such as the ones of the e2e tests. */
const GIVEN = inFull((process.env.TEST_DATABASE_URL ?? '').split(/\s+/).filter(Boolean), []);

const database = useDatabase();
const { later, start, receive } = useServices();

describe('Everybody at once, with two kills', () => {
  it.each<[string, () => string]>([
    ['the embedded database', () => ''],
    ['a database server', () => database().url],
    ...GIVEN.map((url, n): [string, () => string] => [`given server ${n + 1}`, () => url]),
  ])('C-01: shows, counts, exports, erases and delivers as it said, on %s', async (name, urlOf) => {
    const made = await createDatabase(urlOf());
    later(() => made.drop());
    const receiver = await receive();
    const service = await start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...made.settings });
    const { owner } = service;
    const actors = new Actors(service.url, String(owner.secret), new Dice(SEED));
    const quiet = { notify_owner_on_submission: false };
    const called = await service.makeForm({ ...quiet, webhook_url: receiver.url });
    const others = [1, 2, 3].map(() => service.makeForm(quiet));
    const over = (async () => {
      for (let kill = 0; kill <= KILLS; kill++) {
        await pause((SECONDS * 1_000) / (KILLS + 1));
        if (kill === KILLS) return;
        await service.kill();
        await service.up();
      }
    })();
    await actors.run([called, ...(await Promise.all(others))], over);
    await actors.compareJobs();
    await actors.compareStatistics();
    await actors.compareAll();

    // Each that surely was never marked is called for, and after a kill perhaps again.
    const expected = actors.untouched.filter(({ form }) => form === called).map(({ id }) => id);
    const ids = () => new Set(receiver.calls.map(({ body }) => idIn(body)));
    const missing = () => expected.filter((id) => !ids().has(id));
    const begin = performance.now();
    await until(() => missing().length === 0, DELIVERED_MS).catch(() => undefined);
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    process.stdout.write(
      `Consistency on ${name}, seed ${SEED}: ${JSON.stringify(actors.done)}, violations ${actors.violations.length}, last call after ${seconds} s\n`,
    );
    const lost = missing().map((id) => owner.deliveriesOf({ identifier: called }, id));
    expect(await Promise.all(lost)).toEqual([]);
    expect(actors.violations).toEqual([]);
    expect(actors.done.submitted).toBeGreaterThan(0);
    expect(actors.done['exported by jobs']).toBeGreaterThan(0);
  });
});

const idIn = (body: string) => /"id":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';
