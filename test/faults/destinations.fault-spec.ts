import { setTimeout as pause } from 'node:timers/promises';
import { Config } from '../../src/platform/config/config.js';
import { databaseOptions, openDatabase } from '../../src/platform/database/data-source.js';
import type { PrivateServer } from '../support/private-server.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';
import { startDatabase } from './kit/database.js';
import { inFull } from './kit/duration.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';

const KILLS = inFull(20, 4);
const CLIENTS = 4;
const DESTINATIONS = 12;
/** Longest time under load before a kill. */
const LIFE_MS = 500;
/** Part of the calls that are refused, and have to be repeated. */
const REFUSED = 0.1;
/** Calls that a worker has under way at most, so that a kill can repeat them. */
const UNDER_WAY = 50;
const POLL_MS = 2_000;

/** A condition on the number of a submission, as the API takes it. */
interface Rule {
  field: 'number';
  op: 'contains' | 'greater' | 'less' | 'is_not';
  value: string;
}

/** A call, as far as it is read here. */
interface Body {
  data: { submission: { values: { number: number } } };
}

/** Meanings of rules, in words of this test. */
const MEANING: Record<Rule['op'], (number: number, value: string) => boolean> = {
  contains: (number, value) => String(number).includes(value),
  greater: (number, value) => number > Number(value),
  less: (number, value) => number < Number(value),
  is_not: (number, value) => number !== Number(value),
};

let database: PrivateServer;
let receiver: WebhookReceiver;
let service: RunningService;
let ledger: Ledger;
beforeAll(async () => {
  database = await startDatabase();
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start(undefined, '0.0.0.0');
});
afterEach(async () => {
  await ledger.stop();
  await service.remove();
  await receiver.close();
});
afterAll(() => database.stop());

const among = <T>(choices: readonly T[]): T =>
  choices[Math.floor(Math.random() * choices.length)] as T;

function randomRule(): Rule {
  const op = among(['contains', 'greater', 'less', 'is_not'] as const);
  const value = op === 'contains' ? Math.floor(Math.random() * 10) : Math.random() * 400;
  return { field: 'number', op, value: String(Math.floor(value)) };
}

/** Adds a destination with random conditions, on a host of its own. @returns which numbers it is to get */
async function addDestination(form: string, index: number): Promise<(number: number) => boolean> {
  const match = among(['all', 'any'] as const);
  const conditions = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, randomRule);
  const settings = { url: `http://127.0.1.${index + 1}:${receiver.port}/d${index}` };
  const destination = { name: `d${index}`, kind: 'webhook', settings, match, conditions };
  const where = `/api/v1/forms/${form}/destinations` as const;
  await service.owner.post(where, { destination }).expect(201);
  return (number) => {
    const met = conditions.map(({ op, value }) => MEANING[op](number, value));
    return match === 'all' ? met.every(Boolean) : met.some(Boolean);
  };
}

/** Makes everything due now, as if the waits had passed; the service is down. */
async function passTime(settings: Readonly<Record<string, string>>): Promise<void> {
  const opened = await openDatabase(await databaseOptions(Config.from({ ...settings })));
  await opened.query(
    "UPDATE deliveries SET lease_until = '2000-01-01 00:00:00.000' WHERE state = 'delivering'",
  );
  await opened.query(
    "UPDATE deliveries SET next_attempt_at = '2000-01-01 00:00:00.000' WHERE state = 'pending'",
  );
  await opened.destroy();
}

/** Counts deliveries that are not over. */
async function open(form: string): Promise<number> {
  let count = 0;
  for (const path of await paths(form)) {
    const { body } = await service.owner.get(`${path}/deliveries?state=pending`).expect(200);
    count += Number(body.deliveries.length);
  }
  return count;
}

async function paths(form: string): Promise<string[]> {
  const where = `/api/v1/forms/${form}/destinations` as const;
  const { body } = await service.owner.get(where).expect(200);
  const { destinations } = body as { destinations: { id: string; of: string }[] };
  return destinations.filter(({ of }) => of === 'form').map(({ id }) => `${where}/${id}`);
}

describe('Destinations with random rules', () => {
  it.each([
    ['the embedded database', () => ({})],
    ['a database server', () => ({ DATABASE_URL: database.url })],
  ])(
    'D-19: get what their conditions say, through kills and refusals, on %s',
    async (name, more) => {
      service = await RunningService.start({
        ...more(),
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      });
      const form = await service.makeForm({ notify_owner_on_submission: false });
      const rules = new Map<string, (number: number) => boolean>();
      for (let i = 0; i < DESTINATIONS; i++) {
        rules.set(`/d${i}`, await addDestination(form, i));
      }
      const taken: { path: string; id: string; number: number }[] = [];
      receiver.behaviour = (response, request) => {
        if (Math.random() < REFUSED) {
          answers(500)(response, request);
          return;
        }
        const { id, path, body } = receiver.last;
        const { data } = JSON.parse(body) as Body;
        taken.push({ path, id, number: data.submission.values.number });
        answers(200)(response, request);
      };

      ledger = new Ledger([`${service.url}/f/${form}`]);
      ledger.start(CLIENTS);
      for (let kill = 0; kill < KILLS; kill++) {
        await ledger.untilAcknowledged();
        await pause(Math.random() * LIFE_MS);
        await service.kill();
        await passTime(service.settings);
        await service.up();
      }
      await ledger.stop();
      // What two kills broke off waits for somebody who looks at it.
      for (const path of await paths(form)) await service.owner.post(`${path}/retry`).expect(200);
      for (let before = Infinity, now = await open(form); now > 0; now = await open(form)) {
        if (now >= before) {
          // What is left waits for its next try, or for the end of a lease.
          await service.kill();
          await passTime(service.settings);
          await service.up();
        }
        before = now;
        await pause(POLL_MS);
      }

      const lost = [...ledger.acknowledged.keys()].flatMap((number) =>
        [...rules]
          .filter(([path, isFor]) => isFor(number) && !taken.some(hit(path, number)))
          .map(([path]) => `${path} ${number}` as const),
      );
      const wrong = taken.filter(({ path, number }) => !rules.get(path)?.(number));
      const ids = new Map<string, Set<string>>();
      for (const { path, number, id } of taken) {
        const key = `${path} ${number}` as const;
        ids.set(key, (ids.get(key) ?? new Set()).add(id));
      }
      const doubled = taken.length - ids.size;
      process.stdout.write(
        `D-19 on ${name}: ${ledger.acknowledged.size} submissions, ${taken.length} calls taken, lost ${lost.length}, wrong ${wrong.length}, doubled ${doubled}\n`,
      );
      expect(lost).toEqual([]);
      expect(wrong).toEqual([]);
      // Whoever is called twice can tell by the id; that happens only to calls that a kill broke off.
      expect([...ids.values()].filter(({ size }) => size > 1)).toEqual([]);
      expect(doubled).toBeLessThanOrEqual(KILLS * UNDER_WAY);
    },
  );
});

const hit = (path: string, number: number) => (call: { path: string; number: number }) =>
  call.path === path && call.number === number;
