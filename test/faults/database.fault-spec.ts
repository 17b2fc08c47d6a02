import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { inFull } from './kit/duration.js';
import type { Ledger } from './kit/ledger.js';
import type { RunningService } from './kit/running-service.js';
import { useDatabase, useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const CLIENTS = 32;
const CRASHES = inFull(10, 3);
const LOST_COMMITS = inFull(50, 10);
const SILENCE_MS = inFull(30_000, 8_000);
const ANSWER_MS = 6_000;
const RECOVERY_MS = 2_000;
const POOL_SIZE = 10;
/** Numbers out of a hundred commits that are taken back, or done without an answer. */
const TAKEN_BACK = 20;
const UNANSWERED = 2;

const database = useDatabase();
const { later, start, sendTo } = useServices();
let link: TcpProxy;
let service: RunningService;
let form: string;
let ledger: Ledger;
beforeEach(async () => {
  link = await TcpProxy.to(database().url);
  later(() => link.cut());
  const settings = { DATABASE_URL: link.through(database().url) };
  service = await start({ ...settings, DATABASE_POOL_SIZE: String(POOL_SIZE) });
  form = await service.makeForm();
  ledger = sendTo(form, [service]);
});

describe('With a database server that fails', () => {
  it('D-02: loses nothing it acknowledged when the server is killed', async () => {
    ledger.start(CLIENTS);
    for (let crash = 0; crash < CRASHES; crash++) {
      await ledger.untilAcknowledged(500);
      await database().crash();
    }
    await ledger.untilAcknowledged(500);
    await ledger.stop();

    await expectNothingLost(`D-02 database killed ${CRASHES} times`, ledger, service.owner, form);
  });

  it('D-03: acknowledges once, and stores once, when the answer to the commit is lost', async () => {
    await ledger.submit(); // the first one makes the key that signs links, in a transaction of its own
    for (let commit = 0; commit < LOST_COMMITS; commit++) {
      const lost = link.loseNextCommit();
      await ledger.submit();
      await lost;
    }

    expect(ledger.acknowledged.size).toBe(LOST_COMMITS + 1);
    const what = `D-03 commit unanswered ${LOST_COMMITS} times`;
    await expectNothingLost(what, ledger, service.owner, form);
  });

  it('D-04: answers in time while it is silent, and works again soon after', async () => {
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
    const what = `D-04 database silent for ${SILENCE_MS / 1_000} s`;
    await expectNothingLost(what, ledger, service.owner, form);
    await expectWholePool();
  });

  it('D-13: stores each submission once although commits are taken back or not answered', async () => {
    await ledger.submit(); // the first one makes the key that signs links, in a transaction of its own
    const fates = { 'taken back': 0, unanswered: 0 };
    link.commitFate = () => {
      const drawn = Math.random() * 100;
      if (drawn >= TAKEN_BACK + UNANSWERED) return 'passed on';
      const fate = drawn < TAKEN_BACK ? 'taken back' : 'unanswered';
      fates[fate]++;
      return fate;
    };
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged(inFull(10_000, 1_000));
    while (Math.min(...Object.values(fates)) === 0) await ledger.untilAcknowledged();
    await ledger.stop();
    link.commitFate = () => 'passed on';

    expectAllTaken(ledger);
    const name = `D-13 commits: ${fates['taken back']} taken back, ${fates.unanswered} unanswered`;
    await expectNothingLost(name, ledger, service.owner, form);
  });
});

/** As many queries as the pool has connections can be under way at once: none is taken for good. */
async function expectWholePool(): Promise<void> {
  link.silence();
  const reads = Array.from({ length: 2 * POOL_SIZE }, () => fetch(`${service.url}/health/ready`));
  try {
    await until(() => link.waiting === POOL_SIZE);
  } finally {
    link.speak();
  }
  expect((await Promise.all(reads)).every(({ ok }) => ok)).toBe(true);
}

async function timed(url: string): Promise<number> {
  const start = performance.now();
  await fetch(url);
  return performance.now() - start;
}
