import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onEmbedded } from '../support/database-matrix.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/program.js';
import { until } from '../support/until.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Their lines are more than a pipe and the service hold. */
const REQUESTS = 9_000;
const START_MS = 60_000;
const TOKEN = 'a-token-of-the-metrics.1';

let database: TestDatabase;
let service: ChildProcess;
let url: string;
beforeEach(async () => {
  database = await createTables();
});
afterEach(async () => {
  if (service.exitCode === null) {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
  await database.drop();
});

async function start(stdio: StdioOptions): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  service = spawn(process.execPath, [MAIN], {
    env: { ...database.settings, PORT: port, METRICS_TOKEN: TOKEN, LOG_LEVEL: 'debug' },
    stdio,
  });
  await until(
    () =>
      fetch(`${url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    START_MS,
  );
}

async function linesLost(): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  return Number(/^fcs_log_lines_lost (\d+)$/m.exec(await answer.text())?.[1]);
}

onEmbedded.each<[string, number, () => Promise<void>]>([
  [
    'to a full disk',
    1,
    async () => {
      const full = openSync('/dev/full', 'w');
      await start(['ignore', full, 'ignore']);
      closeSync(full);
    },
  ],
  [
    'since nobody reads it',
    REQUESTS,
    async () => {
      await start(['ignore', 'pipe', 'ignore']);
      service.stdout?.pause();
    },
  ],
  [
    'since its reader is gone',
    20,
    async () => {
      await start(['ignore', 'pipe', 'ignore']);
      service.stdout?.destroy();
    },
  ],
])('A log that cannot be written %s keeps nobody waiting, and the end either', async (_, requests, begin) => {
  await begin();

  for (let i = 0; i < requests; i += 100) {
    const asked = Array.from({ length: Math.min(100, requests) }, () => fetch(`${url}/health/live`));
    for (const answer of await Promise.all(asked)) await answer.arrayBuffer();
  }
  expect(await linesLost()).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
});
