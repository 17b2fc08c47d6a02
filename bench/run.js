/**
 * Measures the service against baselines written by hand, one after the other in rounds on the same
 * database server, and then looks whether everything that was acknowledged is stored.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases, untilIndexed } from './databases.js';
import { startLoad } from './load.js';
import { call, cpuOf, memoryOf, startProgram, startService, TOKEN } from './programs.js';
import { keepResult, median, spread, table, target, targetTable } from './report.js';
import { verify } from './verify.js';
import { listWorks } from './works.js';

const HELP = `Usage: npm run bench -- [options]

Measures the service against baselines and prints tables; takes about fifteen minutes on two cores.
  --url mysql://…  on a running server, whose user may create databases; by default an installed
                   MariaDB or MySQL server is started privately
  --embedded       on the embedded database, against one baseline on the same
  --only TEXT      only works whose name holds this text
  --rounds 3       how often each contender has its turn in each work
  --seconds 2      how long a turn is measured, after a warm-up of a quarter of that
  --connections 64 how many requests are under way at once
  --rates 25,50,75 mean arrival rates, in per cent of what the service reached, which it and the baseline
                   that it is to keep up with are measured at besides; none with an empty text
  --against FOLDER another checkout of the service, built, which has its turns too
  --one-core       lets the service and its database share one processor, and sends from another
  --strict         a missed target fails the run too
Exit code 0: measured, and everything acknowledged is stored. 1: it is not, or could not be measured.
`;

const options = readOptions(HELP, {
  url: { type: 'string' },
  embedded: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '2' },
  connections: { type: 'string', default: '64' },
  rates: { type: 'string', default: '25,50,75' },
  against: { type: 'string' },
  'one-core': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
});

const ROUNDS = Number(options.rounds);
const MEASURE_MS = Number(options.seconds) * 1000;
/** Each turn begins with a warm-up; each work with a long one, so that the code is compiled. */
const WARM_UP_MS = MEASURE_MS / 4;
const FIRST_WARM_UP_MS = 2_000;
const CONNECTIONS = Number(options.connections);
const RATES = options.rates.split(',').filter(Boolean).map(Number);
/** Connections that requests at a fixed rate are spread over; more than are ever needed. */
const RATE_CONNECTIONS = 256;
const FORMS = 100;
const ACCOUNTS = 20;
const STARTS = 5;
/** How long a started service is left alone before its memory is read: V8 gives back what the start took. */
const IDLE_MS = 60_000;
const MIB = 1024 * 1024;
/** Only what a form promises by itself: the baselines send no mail. */
const FORM = { notify_owner_on_submission: false };

/** The best that a hand would write, and what owners ask elsewhere: compared at the same arrival rates. */
const PEERS = options.embedded ? { submit: 'a', read: 'a' } : { submit: 'b', read: 'c' };

const BASELINES = options.embedded
  ? [{ key: 'a', label: '(a) node:http, single', file: './baselines/embedded.js' }]
  : [
      { key: 'a', label: '(a) node:http, single', file: './baselines/single.js' },
      { key: 'b', label: '(b) node:http, group', file: './baselines/group.js' },
      { key: 'c', label: '(c) Express, single', file: './baselines/express.js' },
    ];

const folder = await temporaryFolder();
const contenders = [];
let databases;
let load;
let failed = false;
try {
  databases = options.embedded ? embeddedDatabases(folder) : await serverDatabases(options.url);
  console.log(`On ${databases.description}, Node ${process.version}, ${cpus().length} processors`);
  load = startLoad();
  const works = await prepare();
  if (options['one-core']) await shareOneCore();
  const results = [];
  for (const work of works) results.push(await measureWork(work));
  const ledgers = await verifyAll();
  const start = await measureStart();
  const targets = [...results.flatMap(targetsOf), ...start];
  console.log(`\n${targetTable(targets)}`);
  const file = await keepResult(`-${databases.description.replaceAll(/[^a-z0-9.]+/g, '-')}`, {
    database: databases.description,
    node: process.version,
    processors: cpus().map(({ model }) => model),
    options,
    works: results,
    targets,
    ledgers,
  });
  console.log(`\nKept in ${relative(process.cwd(), file)}`);
  failed ||= options.strict && targets.some(({ reached }) => reached === false);
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  load?.stop();
  for (const { program, database } of contenders) {
    await program.stop();
    await database.close();
  }
  await databases?.stop();
}
process.exitCode = failed ? 1 : 0;

/** Starts every contender on a database with the same accounts, forms and tokens. */
async function prepare() {
  const url = await enter('service', 'the service', startService);
  const tokens = await makeAccounts(contenders[0].database);
  const forms = [];
  for (let number = 1; number <= FORMS; number++) {
    // The last one shows what was sent.
    const form = { name: `Form ${number}`, show_submitted_values: number === FORMS, ...FORM };
    const token = tokens[number % ACCOUNTS];
    const { identifier } = await call(url, 'POST', '/api/v1/forms', { form }, token);
    forms.push({ identifier, token });
  }
  if (options.against) {
    const program = resolve(options.against, 'dist/main.js');
    await enter('against', 'the other build', (own) => startService(own, databases.urlOf('against'), [], {}, program));
  }
  for (const { key, label, file } of BASELINES) {
    await enter(key, label, (own, address) => {
      const environment = { DATABASE_URL: address, DATA_DIR: own };
      return startProgram(file, '/health/ready', environment);
    });
  }
  return listWorks(forms, await thanksPage(url, forms.at(-1).identifier)).filter(({ name }) =>
    name.includes(options.only),
  );
}

/** Binds what is measured, with all of its threads, to the first processor, and the load generator to the second. */
async function shareOneCore() {
  const run = promisify(execFile);
  const bind = (pid, core) => run('taskset', ['--all-tasks', '--cpu-list', '--pid', core, `${pid}`]);
  const measured = [databases.pid, ...contenders.map(({ program }) => program.pid)];
  for (const pid of measured.filter(Boolean)) await bind(pid, '0');
  for (const pid of [load.pid, process.pid]) await bind(pid, '1');
}

/** Opens accounts beside the first one, each with a token. @returns the tokens of all */
async function makeAccounts(database) {
  const tokens = [TOKEN];
  for (let id = 2; id <= ACCOUNTS; id++) {
    const token = `${TOKEN}-${id}`;
    const digest = createHash('sha256').update(token).digest();
    const now = '2026-01-01 00:00:00';
    await database.query('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', [id, `Account ${id}`, now]);
    await database.query("INSERT INTO tokens (account_id, name, digest, created_at) VALUES (?, 'Owner', ?, ?)", [
      id,
      digest,
      now,
    ]);
    tokens.push(token);
  }
  return tokens;
}

/** Path of the page that thanks for a submission to this form and shows its values. */
async function thanksPage(url, identifier) {
  const values = { name: 'Ann', message: 'A few words, as people send them.' };
  const { id, next } = await call(url, 'POST', `/f/${identifier}`, values);
  const [service] = contenders;
  service.acknowledged.push([id, { form: identifier, fields: Object.entries(values), file: null }]);
  const { pathname, search } = new URL(next);
  return pathname + search;
}

async function enter(key, label, start) {
  const own = join(folder, key);
  await mkdir(own, { recursive: true });
  const like = contenders.length > 0 ? 'service' : undefined;
  const address = await databases.create(key, own, like);
  const program = await start(own, address);
  const database = await databases.open(key);
  contenders.push({ key, label, address, own, program, database, acknowledged: [], unanswered: 0 });
  return program.url;
}

async function measureWork(work) {
  if (work.kind === 'read') await assertSameAnswers(work);
  // Only the service has the submission that the page shows.
  const compared = work.kind === 'page' ? contenders.slice(0, 1) : contenders;
  const turns = new Map(compared.map(({ key }) => [key, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of compared) {
      const warmUpMs = round === 0 ? FIRST_WARM_UP_MS : WARM_UP_MS;
      turns.get(contender.key).push(await measureTurn(work, contender, warmUpMs));
    }
  }
  const rows = compared.map(({ key, label }) => {
    const of = (figure) => turns.get(key).map((turn) => turn[figure]);
    return [
      label,
      spread(of('perSecond')),
      spread(of('p50'), 1),
      spread(of('p99'), 1),
      String(of('errors').reduce((sum, errors) => sum + errors)),
      spread(of('memory').map((bytes) => bytes / MIB)),
      spread(of('cpu'), 2),
      databases.pid === undefined ? '' : spread(of('databaseCpu'), 2),
      work.kind === 'submit' ? spread(of('cpuMsEach'), 3) : '',
    ];
  });
  const head = ['', 'Requests/s', 'p50 ms', 'p99 ms', 'Errors', 'Memory MiB', 'CPU', 'Database CPU', 'CPU ms each'];
  console.log(`\n${work.name}\n\n${table([head, ...rows])}`);
  const reached = new Map(compared.map(({ key }) => [key, median(turns.get(key).map(({ perSecond }) => perSecond))]));
  const rates = await measureRates(work, compared, reached);
  return { name: work.name, kind: work.kind, turns: Object.fromEntries(turns), rates };
}

/**
 * Measures latencies when requests come at their own times, as from visitors: of the service, and in turns with it of the
 * baseline that it is to keep up with, where that takes so many at all.
 * @param reached requests a second of each contender in a closed loop, by its key
 * @returns for each rate the medians of each
 */
async function measureRates(work, compared, reached) {
  const measured = compared.filter(({ key }) => isService(key) || key === PEERS[work.kind]);
  const rates = [];
  const rows = [];
  for (const percent of RATES) {
    const rate = (reached.get('service') * percent) / 100;
    const able = measured.filter(({ key }) => reached.get(key) > rate);
    const turns = new Map(able.map(({ key }) => [key, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const contender of able) {
        const open = { rate, connections: RATE_CONNECTIONS };
        turns.get(contender.key).push(await measureTurn(work, contender, WARM_UP_MS, open));
      }
    }
    for (const { key, label } of able) {
      const of = (figure) => turns.get(key).map((turn) => turn[figure]);
      rows.push([
        label,
        `${percent} %`,
        rate.toFixed(0),
        median(of('perSecond')).toFixed(0),
        ...['p50', 'p99', 'p999'].map((name) => spread(of(name), 1)),
        String(of('errors').reduce((sum, errors) => sum + errors)),
        work.kind === 'submit' ? spread(of('cpuMsEach'), 3) : '',
      ]);
      const [p50, p99, p999] = ['p50', 'p99', 'p999'].map((name) => median(of(name)));
      rates.push({ key, percent, rate, p50, p99, p999, turns: turns.get(key) });
    }
  }
  if (rates.length === 0) return rates;
  const head = [...['', 'Load', 'Offered/s', 'Answered/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'Errors'], 'CPU ms each'];
  console.log(`\n${work.name}, at mean rates\n\n${table([head, ...rows])}`);
  return rates;
}

async function measureTurn(work, contender, warmUpMs, open = { connections: CONNECTIONS }) {
  const { program, database } = contender;
  const pids = [program.pid, databases.pid].filter((pid) => pid !== undefined);
  const before = await Promise.all(pids.map(cpuOf));
  const begin = performance.now();
  const { acknowledged, unanswered, failures, ...outcome } = await load.run({
    port: program.port,
    requests: work.requests.map(({ bytes }) => bytes),
    ...open,
    warmUpMs,
    measureMs: MEASURE_MS,
    minimum: work.minimum,
  });
  const seconds = (performance.now() - begin) / 1000;
  const after = await Promise.all(pids.map(cpuOf));
  const [cpu, databaseCpu] = after.map((used, index) => (used - before[index]) / seconds);
  const memory = await memoryOf(program.pid);
  if (work.kind === 'submit') {
    for (const [id, request] of acknowledged) {
      contender.acknowledged.push([id, work.requests[request]]);
    }
    contender.unanswered += unanswered;
  }
  const errors = Object.values(failures).reduce((sum, count) => sum + count, unanswered);
  if (errors > 0) {
    console.error(`${contender.label}, ${work.name}:`, failures, { unanswered });
    if (isService(contender.key)) failed = true;
  }
  // Before the next contender has its turn.
  const indexMs = await untilIndexed(database);
  // All that follows included.
  const cpuMsEach = ((await cpuOf(program.pid)) - before[0]) * (1000 / acknowledged.length);
  return { ...outcome, errors, memory, cpu, databaseCpu, indexMs, cpuMsEach };
}

async function assertSameAnswers({ name, asked: [{ path, token }] }) {
  const answers = await Promise.all(contenders.map(({ program }) => call(program.url, 'GET', path, undefined, token)));
  const [first, ...others] = answers.map((answer) => withoutCounts(answer));
  for (const [index, other] of others.entries()) {
    if (!isDeepStrictEqual(first, other)) {
      throw new Error(`${contenders[index + 1].label} answers differently: ${name}`);
    }
  }
}

function isService(key) {
  return key === 'service' || key === 'against';
}

/** Each contender has got as many submissions as it could take. */
function withoutCounts(answer) {
  return JSON.parse(JSON.stringify(answer), (key, value) => (key === 'submission_count' ? typeof value : value));
}

async function verifyAll() {
  const ledgers = [];
  for (const { label, database, acknowledged, unanswered } of contenders) {
    const ledger = await verify(database, acknowledged, unanswered);
    ledgers.push({ label, ...ledger });
    failed ||= !ledger.exact;
  }
  const names = ['acknowledged', 'stored', 'lost', 'wrong', 'surplus', 'wrongCounts', 'unanswered'];
  const rows = ledgers.map((ledger) => [ledger.label, ...names.map((name) => String(ledger[name]))]);
  console.log(`\nStored\n\n${table([['', ...names], ...rows])}`);
  return ledgers;
}

/** Measures the time to the first answer on a migrated database, and the memory when idle. */
async function measureStart() {
  const [service] = contenders;
  const starts = [];
  for (let number = 0; number < STARTS; number++) {
    await service.program.stop();
    service.program = await startService(service.own, service.address);
    starts.push(service.program.startMs / 1000);
    await call(service.program.url, 'GET', '/api/v1/forms');
  }
  await pause(IDLE_MS);
  const memory = await memoryOf(service.program.pid);
  return [
    target('start to first answer', median(starts), '≤ 1.0', ' s'),
    target('memory when idle', memory / MIB, '≤ 100', ' MiB'),
  ];
}

/** Returns the bound of the p99 of a work at half of what was reached, in milliseconds. */
function boundAtHalf({ kind }) {
  if (kind === 'read') return '≤ 5';
  if (options.embedded) return '≤ 10';
  return databases.description.startsWith('mariadb') ? '≤ 5' : '≤ 8';
}

/** Returns what a work is to reach beside each baseline in a closed loop. */
function boundsOf({ name, kind }) {
  if (options.embedded) return {};
  if (kind === 'read') return { c: '≥ 1.3' };
  return { a: '≥ 5', b: name.includes('100 forms') ? '≥ 1' : '≥ 0.8' };
}

function targetsOf(work) {
  const { name, kind, turns, rates } = work;
  // A file is flushed one by one by everybody, and only the service has pages: nothing to be faster at.
  const isPromised = kind !== 'page' && !name.includes('file');
  const bounds = isPromised ? boundsOf(work) : {};
  const ratios = BASELINES.filter(({ key }) => turns[key]).map(({ key }) => {
    const each = turns.service.map(({ perSecond }, at) => perSecond / turns[key][at].perSecond);
    return target(`${name}: × (${key})`, median(each), bounds[key]);
  });
  const atHalf = (wanted) => rates.find(({ key, percent }) => key === wanted && percent === 50);
  const [half, peer] = [atHalf('service'), atHalf(PEERS[kind])];
  const bound = isPromised ? boundAtHalf(work) : undefined;
  const felt = half ? [target(`${name}: p99 at half of it`, half.p99, bound, ' ms')] : [];
  if (half && peer) {
    const beside = target(`${name}: the same, × (${PEERS[kind]})`, half.p99 / peer.p99, '≤ 1.5');
    felt.push(isPromised ? beside : { ...beside, bound: '', reached: null });
  }
  if (kind === 'submit') {
    const each = median(turns.service.map(({ cpuMsEach }) => cpuMsEach));
    felt.push(target(`${name}: processor time of each`, each, isPromised ? '≤ 0.22' : '', ' ms'));
  }
  return [...ratios, ...felt];
}
