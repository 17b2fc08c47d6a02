import { setTimeout as pause } from 'node:timers/promises';
import { Config } from '../../src/platform/config/config.js';
import { databaseOptions, openDatabase } from '../../src/platform/database/data-source.js';
import type { Caller } from '../support/caller.js';
import { answers } from '../support/webhook-receiver.js';
import { inFull } from './kit/duration.js';
import { onBoth, useDatabase, useServices } from './kit/scene.js';

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

/** Meanings of conditions on the number of a submission, in words of this test. */
const MEANING = {
  contains: (number: number, value: string) => String(number).includes(value),
  greater: (number: number, value: string) => number > Number(value),
  less: (number: number, value: string) => number < Number(value),
  is_not: (number: number, value: string) => number !== Number(value),
};

const { start, receive, sendTo } = useServices();

const among = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;

function randomRule() {
  const op = among(Object.keys(MEANING) as (keyof typeof MEANING)[]);
  const value = op === 'contains' ? Math.random() * 10 : Math.random() * 400;
  return { field: 'number', op, value: String(Math.floor(value)) };
}

/** Adds a destination with random conditions, on a host of its own. @returns which numbers it is to get */
async function addDestination(owner: Caller, where: string, index: number, port: number) {
  const match = among(['all', 'any'] as const);
  const conditions = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, randomRule);
  const settings = { url: `http://127.0.1.${index + 1}:${port}/d${index}` };
  const destination = { name: `d${index}`, kind: 'webhook', settings, match, conditions };
  const { body } = await owner.post(where, { destination }).expect(201);
  const path = `${where}/${String(body.destination.id)}`;
  const isFor = (number: number) => {
    const met = conditions.map(({ op, value }) => MEANING[op](number, value));
    return match === 'all' ? met.every(Boolean) : met.some(Boolean);
  };
  return { name: `/d${index}`, path, isFor };
}

/** Makes everything due now, as if the waits had passed; the service is down. */
async function passTime(settings: Readonly<Record<string, string>>): Promise<void> {
  const opened = await openDatabase(await databaseOptions(Config.from({ ...settings })));
  for (const [column, state] of [
    ['lease_until', 'delivering'],
    ['next_attempt_at', 'pending'],
  ])
    await opened.query(`UPDATE deliveries SET ${column} = '2000-01-01' WHERE state = '${state}'`);
  await opened.destroy();
}

describe('Destinations with random rules', () => {
  onBoth(useDatabase())(
    'D-19: get what their conditions say, through kills and refusals, on %s',
    async (name, more) => {
      const receiver = await receive();
      const service = await start({ ...more(), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
      const { owner } = service;
      const form = await service.makeForm({ notify_owner_on_submission: false });
      const where = `/api/v1/forms/${form}/destinations`;
      const destinations: Awaited<ReturnType<typeof addDestination>>[] = [];
      for (let i = 0; i < DESTINATIONS; i++) {
        destinations.push(await addDestination(owner, where, i, receiver.port));
      }
      const taken: { path: string; id: string; number: number }[] = [];
      receiver.behaviour = (response, request) => {
        if (Math.random() < REFUSED) {
          answers(500)(response, request);
          return;
        }
        const { id, path, body } = receiver.last;
        const { data } = JSON.parse(body) as { data: { submission: { values: { number: number } } } };
        taken.push({ path, id, number: data.submission.values.number });
        answers(200)(response, request);
      };
      const killAndWait = async () => {
        await service.kill();
        await passTime(service.settings);
        await service.up();
      };
      /** Counts deliveries that are not over. */
      const open = async () => {
        const lists = destinations.map(({ path }) => owner.read(`${path}/deliveries?state=pending`));
        return (await Promise.all(lists)).flatMap(({ deliveries }) => deliveries).length;
      };

      const ledger = sendTo(form, [service]);
      ledger.start(CLIENTS);
      for (let kill = 0; kill < KILLS; kill++) {
        await ledger.untilAcknowledged();
        await pause(Math.random() * LIFE_MS);
        await killAndWait();
      }
      await ledger.stop();
      // What two kills broke off waits for somebody who looks at it.
      for (const { path } of destinations) await owner.post(`${path}/retry`).expect(200);
      for (let before = Infinity, now = await open(); now > 0; now = await open()) {
        // What is left waits for its next try, or for the end of a lease.
        if (now >= before) await killAndWait();
        before = now;
        await pause(POLL_MS);
      }

      const ids = new Map<string, Set<string>>();
      for (const { path, number, id } of taken) {
        const key = `${path} ${number}`;
        ids.set(key, (ids.get(key) ?? new Set()).add(id));
      }
      const wanted = [...ledger.acknowledged.keys()].flatMap((number) =>
        destinations.filter(({ isFor }) => isFor(number)).map((each) => `${each.name} ${number}`),
      );
      const lost = wanted.filter((key) => !ids.has(key));
      const isWrong = ({ path, number }: (typeof taken)[0]) =>
        destinations.some((each) => each.name === path && !each.isFor(number));
      const doubled = taken.length - ids.size;
      process.stdout.write(
        `D-19 on ${name}: ${ledger.acknowledged.size} submissions, ${taken.length} calls taken, lost ${lost.length}, doubled ${doubled}\n`,
      );
      expect(lost).toEqual([]);
      expect(taken.filter(isWrong)).toEqual([]);
      // Whoever is called twice can tell by the id; that happens only to calls that a kill broke off.
      expect([...ids.values()].filter(({ size }) => size > 1)).toEqual([]);
      expect(doubled).toBeLessThanOrEqual(KILLS * UNDER_WAY);
    },
  );
});
