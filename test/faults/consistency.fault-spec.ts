import mysql from 'mysql2/promise';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateServer } from '../support/private-server.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { Actors } from './kit/actors.js';
import { startDatabase } from './kit/database.js';
import { inFull } from './kit/duration.js';
import { Dice } from './kit/model.js';
import { RunningService } from './kit/running-service.js';

const SECONDS = inFull(180, 8);
const KILLS = 2;
const FORMS = 4;
/** Time for deliveries: the work of a killed process is leased for a minute, then retried. */
const DELIVERED_MS = 300_000;
/** Longest time of a run with all that it waits for. */
const RUN_MS = SECONDS * 1_000 + DELIVERED_MS + 120_000;
/** `SEED=…` repeats the choices of a run, if not its timing. */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** More servers to run on in full, such as the ones of the e2e tests. */
const GIVEN = inFull((process.env.TEST_DATABASE_URL ?? '').split(/\s+/).filter(Boolean), []);

let database: PrivateServer;
let service: RunningService;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  await service.remove();
  await receiver.close();
});
afterAll(() => database.stop());

/** A new database on a server that is there already. */
async function freshDatabase(given: string): Promise<string> {
  const name = `fcs_consistency_${Date.now()}`;
  const connection = await mysql.createConnection(given);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  return String(new URL(`/${name}`, given));
}

async function dropDatabase(url: string): Promise<void> {
  const connection = await mysql.createConnection(url);
  await connection.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
  await connection.end();
}

describe('Everybody at once, with two kills', () => {
  async function runActors(name: string, settings: Record<string, string>): Promise<void> {
    receiver = await WebhookReceiver.start();
    service = await RunningService.start({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...settings,
    });
    const actors = new Actors(service.url, String(service.owner.secret), new Dice(SEED));
    const forms: string[] = [];
    for (let number = 0; number < FORMS; number++) {
      const webhook = number === 0 ? { webhook_url: `http://127.0.0.1:${receiver.port}/` } : {};
      forms.push(await service.makeForm({ notify_owner_on_submission: false, ...webhook }));
    }
    const over = (async () => {
      for (let kill = 0; kill <= KILLS; kill++) {
        await pause((SECONDS * 1_000) / (KILLS + 1));
        if (kill === KILLS) return;
        await service.kill();
        await service.up();
      }
    })();
    await actors.run(forms, over);
    await actors.compareJobs();
    await actors.compareStatistics();
    await actors.compareAll();

    // Each that surely was never marked is called for, and after a kill perhaps again.
    const expected = actors.untouched.filter(({ form }) => form === forms[0]).map(({ id }) => id);
    const called = () => new Set(receiver.calls.map(({ body }) => idIn(body)));
    const missing = () => expected.filter((id) => !called().has(id));
    const begin = performance.now();
    await until(() => missing().length === 0, DELIVERED_MS).catch(() => undefined);
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    process.stdout.write(
      `Consistency on ${name}, seed ${SEED}: ${JSON.stringify(actors.done)}, violations ${actors.violations.length}, last call after ${seconds} s\n`,
    );
    expect(await Promise.all(missing().map((id) => deliveriesOf(forms[0] ?? '', id)))).toEqual([]);
    expect(actors.violations).toEqual([]);
    expect(actors.done.submitted).toBeGreaterThan(0);
    expect(actors.done['exported by jobs']).toBeGreaterThan(0);
  }

  it.each([
    ['the embedded database', () => ({})],
    ['a database server', () => ({ DATABASE_URL: database.url })],
  ])(
    'C-01: shows, counts, exports, erases and delivers as it said, on %s',
    (name, settings) => runActors(name, settings()),
    RUN_MS,
  );

  for (const [index, given] of GIVEN.entries()) {
    it(
      `C-01: shows, counts, exports, erases and delivers as it said, on given server ${index + 1}`,
      async () => {
        const url = await freshDatabase(given);
        try {
          await runActors(`given server ${index + 1}`, { DATABASE_URL: url });
        } finally {
          await service.kill();
          await dropDatabase(url);
        }
      },
      RUN_MS,
    );
  }
});

/** Returns the deliveries of a submission that should have caused a call. */
async function deliveriesOf(form: string, id: string): Promise<string> {
  const address = `${service.url}/api/v1/forms/${form}/submissions/${id}/deliveries`;
  const headers = { authorization: `Bearer ${String(service.owner.secret)}` };
  return (await fetch(address, { headers })).text();
}

function idIn(body: string): string {
  return /"id":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';
}
