import { setTimeout as pause } from 'node:timers/promises';
import { importsOf, sendFile, shownImport } from '../support/imports.js';
import type { FormBody } from '../support/service.js';
import { inFull } from './kit/duration.js';
import type { RunningService } from './kit/running-service.js';
import { onBoth, useDatabase, useServices } from './kit/scene.js';

/** Submissions of the file, each of which it has twice: a second row like another is a submission of its own. */
const SENT = inFull(20_000, 2_000);
const ROWS = 2 * SENT;
const POLL_MS = 50;
const DAY = '2019-05-06';
const MINUTES_OF_DAY = 1_440;

const { start } = useServices();
let service: RunningService;

/** Returns a CSV without ids: all rows, and then all of them again. */
function file(): string {
  const rows = Array.from({ length: SENT }, (_, number) => {
    const minute = number % MINUTES_OF_DAY;
    const time = [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, '0'));
    return `${DAY} ${time.join(':')},${number},"Hello\nagain, ${number}"\n`;
  }).join('');
  return `Date,number,message\n${rows}${rows}`;
}

/** Returns how often the form has each number. */
async function stored({ identifier }: FormBody): Promise<number[]> {
  const text = await service.owner.download(`/api/v1/forms/${identifier}/submissions.ndjson`);
  const numbers = Array.from(text.matchAll(/"number":"(\d+)"/g), ([, number]) => Number(number));
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  return Array.from({ length: SENT }, (_, number) => times.get(number) ?? 0);
}

/** Returns what the day of the file has in the statistics of the form. */
async function counted({ identifier }: FormBody): Promise<number> {
  const { body } = await service.owner.get(`/api/v1/forms/${identifier}/statistics?from=${DAY}&to=2019-05-07`);
  return body.totals.submissions;
}

/** Resolves once it holds. It asks seldom, since an import leaves time to who asks. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(POLL_MS);
}

describe('A service that is killed while it imports', () => {
  onBoth(useDatabase())('D-18: stores each row once, on %s', async (name, settings) => {
    service = await start(settings());
    const { owner } = service;
    const form = await owner.makeForm();
    const { body } = await sendFile(owner, form, 'csv', file()).expect(202);
    const { id } = body.import;
    const shown = () => shownImport(owner, form, id);

    // In the second half, whose rows differ from the first by what came before the kill.
    await until(async () => (await shown()).done > SENT);
    await service.kill();
    await service.up();
    const { done } = await shown();
    expect(done).toBeLessThan(ROWS);
    await until(async () => (await shown()).state !== 'running');

    expect(await shown()).toMatchObject({
      ...{ state: 'finished', total: ROWS, done: ROWS, progress: 1 },
      ...{ imported: ROWS, skipped: 0, broken: 0, error: null },
    });
    expect((await stored(form)).filter((times) => times !== 2)).toEqual([]);
    const { body: now } = await owner.get(`/api/v1/forms/${form.identifier}`);
    expect(now.submission_count).toBe(ROWS);
    await until(async () => (await counted(form)) === ROWS);
    const { body: list } = await owner.get(importsOf(form)).expect(200);
    expect(list.imports).toHaveLength(1);
    process.stdout.write(`D-18 import killed at ${done} of ${ROWS}, on ${name}: each row once\n`);
  });
});
