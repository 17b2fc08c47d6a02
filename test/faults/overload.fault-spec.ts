import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../support/tcp-proxy.js';
import { inFull } from './kit/duration.js';
import type { Ledger } from './kit/ledger.js';
import type { RunningService } from './kit/running-service.js';
import { useDatabase, useServices } from './kit/scene.js';
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

const database = useDatabase();
const { later, start, sendTo } = useServices();

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

it('D-07: with five times as much as it can store, a service accepts that soon, refuses the rest at once, and keeps its memory', async () => {
  const link = await TcpProxy.to(database().url);
  later(() => link.cut());
  const service = await start({ DATABASE_URL: link.through(database().url) });
  const form = await service.makeForm();
  link.commitDelayMs = COMMIT_MS;
  const usual = sendTo(await service.makeForm(), [service], { text: TEXT });
  await usual.take(USUAL_CLIENTS, 10 * USUAL_CLIENTS);

  const ledger = sendTo(form, [service], { text: TEXT });
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
