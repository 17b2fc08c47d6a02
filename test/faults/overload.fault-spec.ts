import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startDatabase } from './kit/database.js';
import { inFull } from './kit/duration.js';
import { Ledger } from './kit/ledger.js';
import { RunningService } from './kit/running-service.js';
import { expectNothingLost } from './kit/tally.js';

const OVERLOAD_MS = inFull(60_000, 12_000);
/** A commit takes this long, and holds 1 MiB: what can be stored is known, on any machine. */
const COMMIT_MS = 200;
const TEXT = 'x'.repeat(50_000);
const STORED_PER_SECOND = Math.floor((1024 * 1024) / TEXT.length) * (1_000 / COMMIT_MS);
const OVERLOAD_FACTOR = 5;
const USUAL_CLIENTS = 16;
const MEMORY_MIB = 128;
const SAMPLES = 20;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/** Returns the longest time of 99 of 100 acknowledged submissions, in milliseconds. */
function p99({ times }: Ledger): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

/** Returns the memory of the service in the middle of a third of the overload, in MiB. */
async function usualMemory(service: RunningService): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await pause(OVERLOAD_MS / 3 / SAMPLES);
    samples.push(await service.memory());
  }
  return samples.sort((a, b) => a - b)[SAMPLES >> 1] ?? 0;
}

describe('With five times as much as it can store', () => {
  it('D-07: accepts what it can store soon, refuses the rest at once, and keeps its memory', async () => {
    const database = await startDatabase();
    cleanUp.push(() => database.stop());
    const link = await TcpProxy.to(database.url);
    cleanUp.push(() => link.cut());
    const service = await RunningService.start({ DATABASE_URL: link.through(database.url) });
    cleanUp.push(() => service.remove());
    const [usualForm, form] = [await service.makeForm(), await service.makeForm()];
    link.commitDelayMs = COMMIT_MS;

    const usual = new Ledger([`${service.url}/f/${usualForm}`], { text: TEXT });
    usual.start(USUAL_CLIENTS);
    await usual.untilAcknowledged(10 * USUAL_CLIENTS);
    await usual.stop();

    const ledger = new Ledger([`${service.url}/f/${form}`], { text: TEXT });
    cleanUp.push(() => ledger.stop());
    ledger.startPace(OVERLOAD_FACTOR * STORED_PER_SECOND);
    await pause(OVERLOAD_MS / 3);
    const before = await usualMemory(service);
    const after = await usualMemory(service);
    await ledger.stop();

    const accepted = ledger.acknowledged.size;
    const perSecond = (count: number) => Math.round((count * 1_000) / OVERLOAD_MS);
    process.stdout.write(
      `D-07 overload: offered ${perSecond(accepted + ledger.refused)}/s, accepted ${perSecond(accepted)}/s, ` +
        `p99 of the accepted ${p99(ledger)} ms (usually ${p99(usual)} ms), ` +
        `memory ${Math.round(before)} to ${Math.round(after)} MiB\n`,
    );
    expect(ledger.refused).toBeGreaterThan(accepted);
    // A machine that others keep busy is slow before the overload too.
    expect(p99(ledger)).toBeLessThan(Math.max(1_000, 4 * p99(usual)));
    expect(after - before).toBeLessThan(MEMORY_MIB);
    await expectNothingLost('D-07 overload', ledger, service.owner, form);
  });
});
