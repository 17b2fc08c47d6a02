/** Measures what an agent waits for at /mcp while visitors submit at half of what the service takes. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases } from './databases.js';
import { startLoad } from './load.js';
import { call, memoryOf, startService, TOKEN } from './programs.js';
import { keepResult, table, target, targetTable } from './report.js';
import { submissionOf } from './works.js';

const HELP = `Usage: npm run bench:agents -- [--embedded | --url mysql://…] [--seconds 5] [--strict]

  --embedded  on the embedded database; by default an installed MariaDB or MySQL server is started privately
  --url       on a running server, whose user may create databases
  --seconds   how long each message is sent, with a rest after each answer
  --strict    a missed target fails the run too
Exit code 0: measured. 1: could not be measured.
`;

const options = readOptions(HELP, {
  url: { type: 'string' },
  embedded: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '5' },
  strict: { type: 'boolean', default: false },
});

const MEASURE_MS = Number(options.seconds) * 1000;
const WARM_UP_MS = 1_000;
const CONNECTIONS = 64;
const SUBMISSIONS = 2_000;
const WAIT_MAX_MS = 30;
/** Rest of an agent after each answer, in milliseconds: a model thinks for longer. */
const REST_MS = 50;
const MIB = 1024 * 1024;

const folder = await temporaryFolder();
const own = join(folder, 'agents');
await mkdir(own);
const databases = options.embedded ? embeddedDatabases(folder) : await serverDatabases(options.url);
const database = await databases.create('agents', own);
const service = await startService(own, database);
const load = startLoad();
let failed = false;
try {
  const form = { name: 'Contact', notify_owner_on_submission: false };
  const { identifier } = await call(service.url, 'POST', '/api/v1/forms', { form });
  const requests = Array.from({ length: SUBMISSIONS }, (_, n) =>
    submissionOf(identifier, { email: `jane${n}@example.com`, message: `Message ${n}` }),
  );
  const visitors = { port: service.port, requests, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, minimum: 1 };
  const { perSecond } = await load.run({ ...visitors, measureMs: MEASURE_MS });
  const messages = {
    'List of tools': { method: 'tools/list', params: {} },
    'Call of list_forms': callOf('list_forms'),
    'Call of list_submissions': callOf('list_submissions', { form: identifier }),
    'Call of ensure_form': callOf('ensure_form', { name: 'Contact' }),
  };
  const before = await memoryOf(service.pid);
  const first = performance.now();
  await send(messages['List of tools']);
  const firstMs = performance.now() - first;
  const grownMiB = ((await memoryOf(service.pid)) - before) / MIB;
  const rows = [];
  const targets = [];
  for (const [name, message] of Object.entries(messages)) {
    const idle = await timesOf(message, MEASURE_MS / 5);
    const [beside, outcome] = await Promise.all([
      timesOf(message, WARM_UP_MS + MEASURE_MS),
      load.run({ ...visitors, measureMs: MEASURE_MS, rate: perSecond / 2 }),
    ]);
    const figures = [at(idle, 0.5), at(beside, 0.5), at(beside, 0.99), outcome.p50, outcome.p99];
    rows.push([name, ...figures.map((ms) => ms.toFixed(1)), String(beside.length)]);
    targets.push(target(`${name}: p50 beside half load`, at(beside, 0.5), `< ${WAIT_MAX_MS}`, ' ms'));
  }
  console.log(`On ${databases.description}: ${perSecond.toFixed(0)} submissions a second, half of them beside`);
  console.log(`First message ${firstMs.toFixed(0)} ms; memory +${grownMiB.toFixed(0)} MiB\n`);
  const head = ['Message', 'p50 alone', 'p50 beside', 'p99 beside', 'Visitors p50', 'Visitors p99', 'Messages'];
  console.log(`${table([head, ...rows])}\n\n${targetTable(targets)}`);
  await keepResult('-agents', { database: databases.description, perSecond, rows, targets });
  failed = options.strict && targets.some(({ reached }) => reached === false);
} finally {
  load.stop();
  await service.stop();
  await databases.stop();
}
process.exitCode = failed ? 1 : 0;

function callOf(name, args = {}) {
  return { method: 'tools/call', params: { name, arguments: args } };
}

/** Sends a message again and again; returns how long each took, in milliseconds, the shortest first. */
async function timesOf(message, forMs) {
  const times = [];
  for (const end = performance.now() + forMs; performance.now() < end;) {
    const begin = performance.now();
    await send(message);
    times.push(performance.now() - begin);
    await pause(REST_MS);
  }
  return Float64Array.from(times).sort();
}

function at(times, share) {
  return times[Math.min(times.length - 1, times.length * share) | 0] ?? NaN;
}

async function send(message) {
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  const text = await answer.text();
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(`${answer.status} ${text}`);
}
