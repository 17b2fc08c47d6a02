/**
 * Floods the service in four ways, each at twice the rate that it stores, and measures what honest visitors of other
 * forms, a tenth of that rate from other addresses, wait for meanwhile.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases, untilIndexed } from './databases.js';
import { startLoad } from './load.js';
import { call, memoryOf, startService } from './programs.js';
import { keepResult, median, spread, table, target, targetTable } from './report.js';
import { verify } from './verify.js';
import { submissionOf } from './works.js';

const HELP = `Usage: npm run bench:flood -- [options]

  --embedded       on the embedded database; by default an installed MariaDB or MySQL server is started privately
  --url mysql://…  on a running server, whose user may create databases
  --rounds 3       how often each flood comes
  --seconds 4      how long each is measured
  --strict         a missed target fails the run too
Exit code 0: measured, and everything acknowledged is stored. 1: it is not, or could not be measured.
`;

const options = readOptions(HELP, {
  url: { type: 'string' },
  embedded: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '4' },
  strict: { type: 'boolean', default: false },
});

const ROUNDS = Number(options.rounds);
const MEASURE_MS = Number(options.seconds) * 1000;
const WARM_UP_MS = 1_000;
const HONEST_FORMS = 20;
const TEXTS = 1_000;
/** Honest visitors, each from a network of their own. */
const HONEST_ADDRESSES = 2_000;
const CONNECTIONS = 256;
const LARGE_BYTES = 1024 * 1024;
/** Longer than what is measured: the row is locked for all of it. */
const LOCKED_MS = WARM_UP_MS + MEASURE_MS + 500;
const MIB = 1024 * 1024;
const HONEST_P99_MS = 50;
const REFUSED_MS = 5;

const folder = await temporaryFolder();
const databases = options.embedded ? embeddedDatabases(folder) : await serverDatabases(options.url);
const own = join(folder, 'flood');
await mkdir(own);
// Addresses are those that the proxy names, and limited as by default.
const more = { TRUST_PROXY: 'loopback', RATE_LIMIT_ADDRESS: '1200' };
const service = await startService(own, await databases.create('flood', own), [], more);
const database = await databases.open('flood');
const [honest, attack] = [startLoad(), startLoad()];
const acknowledged = [];
let unanswered = 0;
let failed = false;
try {
  const forms = [];
  for (let number = 0; number <= HONEST_FORMS; number++) {
    const form = { name: `Form ${number}`, notify_owner_on_submission: false };
    forms.push((await call(service.url, 'POST', '/api/v1/forms', { form })).identifier);
  }
  const [attacked, ...others] = forms;
  const visitors = Array.from({ length: HONEST_ADDRESSES }, (_, n) =>
    requestTo(others[n % others.length], `2001:db8:${n.toString(16)}::1`, n),
  );
  const most = await reached(visitors);
  const floods = {
    nobody: null,
    'one address': { requests: manyTo(attacked, () => '192.0.2.1') },
    // The embedded database has no rows to lock.
    ...(!options.embedded && {
      'a form whose row is locked': {
        requests: manyTo(attacked, (n) => `2001:db8:a:${n.toString(16)}::1`),
        lock: true,
      },
    }),
    'bodies of 1 MB': {
      requests: [0, 1, 2, 3].map((n) => requestTo(attacked, `198.51.100.${n}`, n, 'a'.repeat(LARGE_BYTES))),
      rate: most / 10,
    },
    'unknown identifiers': {
      requests: Array.from({ length: TEXTS }, (_, n) =>
        requestTo(n.toString(16).padStart(16, '0'), `2001:db8:b:${n.toString(16)}::1`, n),
      ),
    },
  };
  console.log(`On ${databases.description}: ${most.toFixed(0)} submissions a second`);
  const rows = [];
  const targets = [];
  for (const [name, flood] of Object.entries(floods)) {
    const turns = [];
    for (let round = 0; round < ROUNDS; round++) turns.push(await measure(visitors, most, flood));
    const of = (figure) => turns.map((turn) => turn[figure]);
    const codes = (part) => [...new Set(turns.flatMap((turn) => Object.keys(turn[part])))].join(' ');
    rows.push([
      name,
      spread(of('p50'), 1),
      spread(of('p99'), 1),
      spread(of('p999'), 1),
      codes('failures') || '200',
      codes('failures') ? spread(of('refusedMs'), 1) : '',
      flood ? spread(of('attackRate')) : '',
      flood ? codes('answers') : '',
      spread(of('memory').map((bytes) => bytes / MIB)),
    ]);
    targets.push(target(`${name}: p99`, median(of('p99')), `≤ ${HONEST_P99_MS}`, ' ms'));
    if (codes('failures') !== '') {
      targets.push(target(`${name}: refused within`, median(of('refusedMs')), `≤ ${REFUSED_MS}`, ' ms'));
    }
  }
  const head = ['Flood', 'p50 ms', 'p99 ms', 'p99.9 ms', 'Honest get', 'Refused in ms'];
  console.log(`\n${table([[...head, 'Floods/s', 'Floods get', 'Memory MiB'], ...rows])}`);
  const ledger = await verify(database, acknowledged, unanswered);
  console.log(`\nStored: ${JSON.stringify(ledger)}\n\n${targetTable(targets)}`);
  await keepResult('-flood', { database: databases.description, rows, targets, ledger });
  failed = !ledger.exact || (options.strict && targets.some(({ reached: is }) => is === false));
} finally {
  honest.stop();
  attack.stop();
  await service.stop();
  await database.close();
  await databases.stop();
}
process.exitCode = failed ? 1 : 0;

/** Returns how many submissions the service takes a second when everybody sends again at once. */
async function reached(visitors) {
  // Each from an address of its own, so that none is limited.
  const times = { warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS };
  const outcome = await honest.run({ ...runOf(visitors), ...times, connections: 64 });
  note(visitors, outcome);
  return outcome.perSecond;
}

/** Has honest visitors come at a tenth of what the service takes, beside a flood of twice as much or none. */
async function measure(visitors, most, flood) {
  const times = { warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS, connections: CONNECTIONS };
  const isOver = flood?.lock ? lock(LOCKED_MS) : null;
  const rate = flood?.rate ?? most * 2;
  const flooding = flood && attack.run({ ...runOf(flood.requests), ...times, rate });
  const outcome = await honest.run({ ...runOf(visitors), ...times, rate: most / 10 });
  const memory = await memoryOf(service.pid);
  const flooded = await flooding;
  await isOver;
  note(visitors, outcome);
  if (flooded) note(flood.requests, flooded);
  await untilIndexed(database);
  const answers = flooded ? { ...flooded.failures, ...(flooded.answered > 0 && { 200: 1 }) } : {};
  const all = flooded ? flooded.answered + Object.values(flooded.failures).reduce((a, b) => a + b, 0) : 0;
  const attackRate = all / ((WARM_UP_MS + MEASURE_MS) / 1000);
  return { ...outcome, memory, answers, attackRate };
}

function runOf(requests) {
  return { port: service.port, requests: requests.map(({ bytes }) => bytes), minimum: 1 };
}

function note(requests, outcome) {
  for (const [id, index] of outcome.acknowledged) acknowledged.push([id, requests[index]]);
  unanswered += outcome.unanswered;
}

/** Locks the row of the first form for a while, as a slow transaction of somebody else would. */
async function lock(ms) {
  const first = 'SELECT id FROM forms ORDER BY id LIMIT 1 FOR UPDATE';
  const held = await databases.hold('flood', first);
  await pause(ms);
  await held.release();
}

function manyTo(form, addressOf) {
  return Array.from({ length: TEXTS }, (_, n) => requestTo(form, addressOf(n), n));
}

function requestTo(form, address, n, message = `This is what visitor ${n} has to say about ${n * 7}.`) {
  const fields = { name: `Visitor ${n}`, message };
  const bytes = submissionOf(form, fields, [`X-Forwarded-For: ${address}`]);
  return { form, fields: Object.entries(fields), file: null, bytes };
}
