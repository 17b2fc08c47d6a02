import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onEmbedded } from '../support/database-matrix.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/program.js';
import { until } from '../support/until.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Their lines are more than a pipe and the service hold. */
const REQUESTS = 9_000;
const START_MS = 60_000;
const BUDGET_MS = 120_000;
const TOKEN = 'a-token-of-the-metrics.1';

let database: TestDatabase;
let service: ChildProcess;
let url: string;
beforeEach(async () => {
  database = await createDatabase();
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

async function stop(): Promise<number | null> {
  service.kill('SIGTERM');
  const [code] = (await once(service, 'exit')) as [number | null];
  return code;
}

describe('A log that cannot be written', () => {
  onEmbedded(
    'to a full disk keeps nobody waiting, and the end either',
    async () => {
      const full = openSync('/dev/full', 'w');
      await start(['ignore', full, 'ignore']);
      closeSync(full);

      expect((await fetch(`${url}/api/v1/forms`)).status).toBe(401);
      expect(await linesLost()).toBeGreaterThan(0);
      expect(await stop()).toBe(0);
    },
    BUDGET_MS,
  );

  onEmbedded(
    'since nobody reads it keeps nobody waiting, and the end either',
    async () => {
      await start(['ignore', 'pipe', 'ignore']);
      service.stdout?.pause();

      for (let i = 0; i < REQUESTS; i += 100) {
        const answers = Array.from({ length: 100 }, () => fetch(`${url}/health/live`));
        for (const answer of await Promise.all(answers)) await answer.arrayBuffer();
      }
      expect(await linesLost()).toBeGreaterThan(0);
      expect(await stop()).toBe(0);
    },
    BUDGET_MS,
  );

  onEmbedded(
    'since its reader is gone keeps nobody waiting, and the end either',
    async () => {
      await start(['ignore', 'pipe', 'ignore']);
      service.stdout?.destroy();

      for (let i = 0; i < 20; i++) await (await fetch(`${url}/health/live`)).arrayBuffer();
      expect(await linesLost()).toBeGreaterThan(0);
      expect(await stop()).toBe(0);
    },
    BUDGET_MS,
  );
});
