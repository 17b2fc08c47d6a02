import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateServer } from '../support/private-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startDatabase } from './kit/database.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';
import { expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;
const CRASHES = 3;
const SILENCE_MS = 8_000;
const ANSWER_MS = 6_000;
const RECOVERY_MS = 2_000;

let database: PrivateServer;
let link: TcpProxy;
let service: RunningService;
let form: string;
let ledger: Ledger;
beforeAll(async () => {
  database = await startDatabase();
});
beforeEach(async () => {
  link = await TcpProxy.to(database.url);
  service = await RunningService.start({ DATABASE_URL: link.through(database.url) });
  form = await service.makeForm();
  ledger = new Ledger([`${service.url}/f/${form}`]);
});
afterEach(async () => {
  await service.remove();
  await link.cut();
  await ledger.stop();
});
afterAll(() => database.stop());

describe('With a database server that fails', () => {
  it('loses nothing it acknowledged when the server is killed', async () => {
    ledger.start(CLIENTS);
    for (let crash = 0; crash < CRASHES; crash++) {
      await ledger.untilAcknowledged(500);
      await database.crash();
    }
    await ledger.untilAcknowledged(500);
    await ledger.stop();

    await expectNothingLost('Database killed', ledger, service.owner, form);
  });

  it('acknowledges once, and stores once, when the answer to the commit is lost', async () => {
    await ledger.submit(); // the first one makes the key that signs links, in a transaction of its own
    for (let commit = 0; commit < 10; commit++) {
      link.loseNextCommit();
      await ledger.submit();
    }

    expect(ledger.acknowledged.size).toBe(11);
    await expectNothingLost('Commit unanswered', ledger, service.owner, form);
  });

  it('answers in time while it is silent, and works again soon after', async () => {
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged(100);

    link.silence();
    const reads = Array.from({ length: 20 }, () => timed(`${service.url}/f/${form}`));
    await pause(SILENCE_MS);
    link.speak();
    const spoken = performance.now();
    await ledger.untilAcknowledged(CLIENTS);
    const recovery = performance.now() - spoken;
    await ledger.stop();

    expect(Math.max(...(await Promise.all(reads)))).toBeLessThan(ANSWER_MS);
    expect(ledger.longest).toBeLessThan(ANSWER_MS);
    expect(ledger.refused).toBeGreaterThan(0);
    expect(recovery).toBeLessThan(RECOVERY_MS);
    await expectNothingLost('Database silent', ledger, service.owner, form);
    // Were slots of the pool still taken, these would wait for one.
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${service.url}/health/ready`)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });
});

async function timed(url: string): Promise<number> {
  const start = performance.now();
  await fetch(url);
  return performance.now() - start;
}
