/**
 * Imports a file with many rows beside visitors who submit to the same form at a steady rate: how long it takes, what
 * visitors wait for meanwhile, and how much memory the service takes.
 */
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases } from './databases.js';
import { call, cpuOf, memoryOf, startService, TOKEN } from './programs.js';
import { keepResult, spread, target, targetTable } from './report.js';
import { Visitors, words } from './visitors.js';

const HELP = `Usage: npm run bench:import -- [--rows 100000] [--rate 20] [--rounds 3] [--embedded | --url mysql://…]

  --rows      of the file, a CSV with three fields and without ids
  --rate      submissions of visitors a second, meanwhile; 0 for none
  --rounds    how often, each into a form of its own
  --embedded  on the embedded database; else on an installed server, started privately for the run
  --url       on a running server, whose user may create databases
  --profile   folder for a processor profile of the service
Prints a table. Exit code 0: measured. 1: could not be measured.
`;

const options = readOptions(HELP, {
  rows: { type: 'string', default: '100000' },
  rate: { type: 'string', default: '20' },
  rounds: { type: 'string', default: '3' },
  embedded: { type: 'boolean', default: false },
  url: { type: 'string' },
  profile: { type: 'string' },
});

const ROWS = Number(options.rows);
const RATE = Number(options.rate);
const POLL_MS = 250;
const WARM_UP_MS = 3_000;
const FROM_MS = Date.UTC(2019, 0, 1);
/** Time between two rows of the file. */
const APART_MS = 60_000;

const folder = await temporaryFolder();
const dataDir = join(folder, 'import');
await mkdir(dataDir);
const databases = options.embedded ? embeddedDatabases(folder) : await serverDatabases(options.url);
const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
const service = await startService(dataDir, await databases.create('import', dataDir), flags);
const rounds = [];
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.push(await measure(round));
    process.stdout.write(`${JSON.stringify(rounds.at(-1))}\n`);
  }
} finally {
  await service.stop();
  await databases.stop();
}
const all = (name) => rounds.map((each) => each[name]);
const targets = [
  target('Import', median(all('seconds')), '≤ 30', ' s'),
  target('Visitors, p99', median(all('p99')), '≤ 100', ' ms'),
];
process.stdout.write(
  `\n${ROWS} rows beside ${RATE} visitors a second on ${databases.description}, load ${loadavg()[0].toFixed(1)}:\n\n`,
);
process.stdout.write(`${targetTable(targets)}\n`);
for (const name of ['seconds', 'cpu', 'p50', 'p99', 'slowest', 'memory', 'grown']) {
  process.stdout.write(`${name}: ${spread(all(name), 1)}\n`);
}
await keepResult('-import', { description: databases.description, rows: ROWS, rate: RATE, rounds });

/** Imports the file into a new form. */
async function measure(round) {
  const { identifier } = await call(service.url, 'POST', '/api/v1/forms', {
    form: { name: `Import ${round}`, notify_owner_on_submission: false },
  });
  const visitors = new Visitors(`${service.url}/f/${identifier}`, RATE);
  await pause(WARM_UP_MS);
  visitors.latencies.length = 0;
  const before = await memoryOf(service.pid);
  const cpuBefore = await cpuOf(service.pid);
  const path = `/api/v1/forms/${identifier}/imports`;
  const begin = performance.now();
  const { import: entry } = await sendFile(`${service.url}${path}?provider=csv`);
  let most = before;
  for (;;) {
    const { import: now } = await call(service.url, 'GET', `${path}/${entry.id}`);
    most = Math.max(most, await memoryOf(service.pid));
    if (now.state === 'finished') break;
    if (now.error) throw new Error(now.error.message);
    await pause(POLL_MS);
  }
  const seconds = (performance.now() - begin) / 1000;
  const cpu = ((await cpuOf(service.pid)) - cpuBefore) / seconds;
  await visitors.stop();
  const { submission_count: count } = await call(service.url, 'GET', `/api/v1/forms/${identifier}`);
  if (count !== ROWS + visitors.stored) {
    throw new Error(`${count} are stored of ${ROWS} and ${visitors.stored} acknowledged.`);
  }
  const { p50, p99, slowest } = visitors;
  const memory = most / 2 ** 20;
  return { seconds, cpu, p50, p99, slowest, memory, grown: memory - before / 2 ** 20 };
}

async function sendFile(url) {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/octet-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(file()) });
  const answer = await response.json();
  if (response.status !== 202) throw new Error(JSON.stringify(answer));
  return answer;
}

function file() {
  const lines = ['Date,name,email,message'];
  for (let row = 0; row < ROWS; row++) {
    const time = new Date(FROM_MS + row * APART_MS).toISOString();
    lines.push(`${time},Person ${row},person-${row}@example.com,"${words(row)}, please\n& thank you."`);
  }
  return `${lines.join('\n')}\n`;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}
