import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateServer } from '../support/private-server.js';
import { startDatabase } from './kit/database.js';
import { inFull } from './kit/duration.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';
import { expectNothingLost } from './kit/tally.js';

const KILLS = inFull(20, 4);
const CLIENTS = 32;
/** Longest time under load before a kill. */
const LIFE_MS = 500;
const STOP_MS = 10_000;

const started: RunningService[] = [];
let ledger: Ledger;
let database: PrivateServer;
beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  for (const service of started.splice(0)) await service.remove();
  await ledger.stop();
});
afterAll(() => database.stop());

async function start(settings: Record<string, string>): Promise<RunningService> {
  const service = await RunningService.start(settings);
  started.push(service);
  return service;
}

describe('A service that is killed', () => {
  it.each([
    ['the embedded database', () => ({})],
    ['a database server', () => ({ DATABASE_URL: database.url })],
  ])('D-01: loses nothing it acknowledged, on %s', async (name, settings) => {
    const service = await start(settings());
    const form = await service.makeForm();
    ledger = new Ledger([`${service.url}/f/${form}`]);
    ledger.start(CLIENTS);

    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.untilAcknowledged();
      await pause(Math.random() * LIFE_MS);
      await service.kill();
      await service.up();
    }
    await ledger.stop();

    await expectNothingLost(
      `D-01 service killed ${KILLS} times, on ${name}`,
      ledger,
      service.owner,
      form,
    );
  });
});

describe('A service that is asked to stop', () => {
  it('D-10: answers what it has, and leaves the rest to its neighbour', async () => {
    const settings = { DATABASE_URL: database.url };
    const [first, second] = await Promise.all([start(settings), start(settings)]);
    const form = await first.makeForm();
    ledger = new Ledger([`${first.url}/f/${form}`, `${second.url}/f/${form}`]);
    ledger.start(CLIENTS);

    await ledger.untilAcknowledged(100);
    const asked = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(STOP_MS);
    await ledger.untilAcknowledged(100);
    await ledger.stop();

    expect({ refused: ledger.refused, unanswered: ledger.unanswered }).toEqual({
      refused: 0,
      unanswered: 0,
    });
    await expectNothingLost('D-10 service stopped, another goes on', ledger, second.owner, form);
  });
});
