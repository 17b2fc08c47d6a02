/**
 * Fills a form with many submissions and measures what an owner then waits for: pages near and far, filters and their
 * counts, searches, charts, questions by value, and the deletion of the form; each when everything is in memory, and
 * after a restart. The service runs as the built program, in a process of its own; the rows go in by SQL.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases, untilIndexed } from './databases.js';
import { Filler, firstTime, idAt, RARE_EVERY } from './filler.js';
import { startLoad } from './load.js';
import { call as callAt, cpuOf, memoryOf, startService, TOKEN } from './programs.js';
import { keepResult, median, spread, table, target, targetTable } from './report.js';
import { signIn } from './signed-in.js';
import { listWorks } from './works.js';

const HELP = `Usage: npm run bench:million -- [--submissions 1000000] [--embedded | --server | --url mysql://…] [--keep FOLDER] [--exports csv] [--submit 1000000] [--only-fill | --only-exports | --only-job | --only-purge]

  --submissions  how many the form gets, by SQL, with texts of 250 to 1,000 characters
  --embedded     on the embedded database, as without any of the three
  --server       on an installed MariaDB or MySQL server, started privately for the run
  --url          on a running server, whose user may create databases
  --keep         a folder that keeps what was filled, without --url: another run with it measures the same again,
                 and leaves out what would change it, the deletion
  --exports      exports that are measured too, of csv,ndjson,xlsx; by default none
  --submit       how many more are then submitted over HTTP, to watch the memory; by default none
  --only-fill    ends when everything is there
  --only-exports leaves out everything but the exports, by default all of them
  --only-job     leaves out everything but a job that marks all of them as done, and a kill in the middle of it;
                 it is part of a run without --keep
  --only-purge   leaves out everything but the deletion of the form; what --keep kept is filled again by the next run
  --visitors     how many come each second beside a job and the deletion, by default 300
Prints tables. A million takes some minutes and 3 GB of disk; ten of them half an hour and 30 GB.
Exit code 0: measured. 1: could not be measured, or not every submission is counted.
`;

const options = readOptions(HELP, {
  submissions: { type: 'string', default: '1000000' },
  embedded: { type: 'boolean', default: false },
  server: { type: 'boolean', default: false },
  url: { type: 'string' },
  keep: { type: 'string' },
  exports: { type: 'string' },
  submit: { type: 'string', default: '0' },
  'only-fill': { type: 'boolean', default: false },
  'only-exports': { type: 'boolean', default: false },
  'only-job': { type: 'boolean', default: false },
  'only-purge': { type: 'boolean', default: false },
  visitors: { type: 'string', default: '300' },
});

const ROWS = Number(options.submissions);
const SUBMIT = Number(options.submit);
const FEW = 1_000;
/** Forms beside the large one that a search over the whole account goes through. */
const OTHER_FORMS = 50;
const PER_PAGE = 100;
const REPEATS = 5;
/** Answers before those that count as warm: a service that has run for minutes has met each question before. */
const WARM_UP = 40;
/** Slower requests are warm after their first answer. */
const SLOW_MS = 500;
/** How long visitors submit before the memory is read. */
const TURN_MS = 5_000;
/** How long visitors submit alone, to compare with. */
const ALONE_MS = 15_000;
/**
 * How long the service rests before what it keeps is read: V8 gives back what it no longer needs only
 * then.
 */
const REST_MS = 60_000;
/** How long an export of a million may take, in seconds. */
const EXPORT_S = { server: { ndjson: 15, csv: 20, xlsx: 60 }, embedded: { ndjson: 20, csv: 25, xlsx: 60 } };
/** Visitors a second while something is done in the background, whether they are answered or not. */
const VISITORS_PER_SECOND = Number(options.visitors);
const VISITOR_CONNECTIONS = 64;
/** How often visitors come without and with what is done in the background, and for how long each time. */
const BESIDE_ROUNDS = 3;
const BESIDE_MS = 8_000;
/** A task looks for deleted forms every five seconds; by then its code is compiled too. */
const BESIDE_WARM_UP_MS = 7_000;
/** How long the background is watched when nobody comes. */
const UNDISTURBED_MS = 10_000;
/** File that makes Linux drop cached files, when root writes a 3 to it. */
const DROP_CACHES = '/proc/sys/vm/drop_caches';

const countSql = (table, formId) =>
  `SELECT COUNT(*) AS n FROM ${table}${formId === undefined ? '' : ` WHERE form_id = ${formId}`}`;

const folder = await temporaryFolder();
const kept = options.keep && resolve(options.keep);
const own = join(kept ?? folder, 'million');
/** Says what an earlier run filled. */
const filledFile = join(own, 'filled.json');
const isFilled = existsSync(filledFile);
if (!isFilled) rmSync(own, { recursive: true, force: true });
await mkdir(own, { recursive: true });
const results = [];
const rows = [];
const targets = [];
let databases;
let service;
try {
  databases =
    options.server || options.url ? await serverDatabases(options.url, kept) : embeddedDatabases(kept ?? folder);
  const address = isFilled ? databases.urlOf('million') : await databases.create('million', own);
  console.log(`${ROWS} submissions on ${databases.description}`);
  const filled = isFilled ? JSON.parse(readFileSync(filledFile, 'utf8')) : await fill(address);
  if (filled.rows !== ROWS) throw new Error(`${kept} holds ${filled.rows} submissions.`);
  writeFileSync(filledFile, JSON.stringify(filled));
  if (!options['only-fill']) await measure(filled, address);
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await service?.stop();
  await databases?.stop();
}
console.log(`\n${table([[`${ROWS} submissions`, 'Warm', 'Slowest', 'Cold', ''], ...rows])}\n`);
const width = Math.max(...results.map(([name]) => name.length));
for (const [name, text] of results) console.log(`| ${name.padEnd(width)} | ${text} |`);
console.log(`\n${targetTable(targets)}`);
await keepResult('-million', { database: databases?.description, options, rows, results, targets });

/** Makes the forms and fills them. @returns what another run has to know of it */
async function fill(address) {
  service = await startService(own, address);
  const few = await call('POST', '/api/v1/forms', { form: { name: 'A thousand' } });
  const form = await call('POST', '/api/v1/forms', { form: { name: 'A million' } });
  const others = [];
  while (others.length < OTHER_FORMS) {
    others.push(await call('POST', '/api/v1/forms', { form: { name: `Other ${others.length}` } }));
  }
  await service.stop();
  const database = await databases.open('million');
  const from = firstTime();
  const filler = new Filler(database, from);
  const begin = performance.now();
  await filler.fill(form.id, ROWS, '');
  note('fill', `${Math.round((ROWS / (performance.now() - begin)) * 1000)} submissions a second`);
  await filler.fill(few.id, FEW, 'few');
  for (const { id } of others) await filler.fill(id, FEW / 10, `other ${id} `);
  await timed('index of values and blocks of texts, all at once', () => filler.finish());
  await database.close();
  return { rows: ROWS, from, few, form, textBytes: filler.textBytes };
}

async function measure({ few, form, from, textBytes }, address) {
  service = await startService(own, address);
  const database = await databases.open('million');
  const isAll = ['only-exports', 'only-job', 'only-purge'].every((name) => !options[name]);
  if (isAll) {
    const get = await signIn(service.url, own, address);
    await measureAll({ few, form, from }, (path) => get(service.url, path));
    await measureSpace(textBytes);
  }
  await measureExports(form);
  if (SUBMIT > 0) await measureMemory(database);
  if (options['only-job'] || (isAll && !kept)) await measureJob(database, form, address);
  if (options['only-purge'] || (isAll && !kept)) await measureDeletion(database, form, address);
  await database.close();
}

/** Asks everything twice: some times in a row, and once after each restart. */
async function measureAll({ few, form, from }, getPage) {
  const questions = [
    ...listQuestions(few, form, from),
    ...filterQuestions(form),
    ...searchQuestions(form),
    ...pageQuestions(form, from, getPage),
  ];
  const warm = [];
  for (const question of questions) {
    // What takes long is not asked so often.
    const [first] = await ask(question, 1);
    if (first < SLOW_MS) await ask(question, WARM_UP);
    warm.push(await ask(question, REPEATS));
  }
  for (const [index, question] of questions.entries()) {
    await cool();
    // What is measured is not the first look at the token, nor the first request of the process.
    await call('GET', '/api/v1/me');
    const [cold] = await ask(question, 1);
    const [median, slowest] = [warm[index][REPEATS >> 1], warm[index][REPEATS - 1]];
    const { name, most, mostCold } = question;
    const figures = [median, slowest, cold].map((ms) => `${ms.toFixed(0)} ms`);
    const isMissed = median > most || cold > mostCold;
    rows.push([name, ...figures, most ? (isMissed ? 'MISSED' : 'reached') : '']);
    if (most) targets.push(target(name, median, `≤ ${most}`, ' ms'));
    if (mostCold) targets.push(target(`${name}, cold`, cold, `≤ ${mostCold}`, ' ms'));
    console.log(`${name}: ${figures.join(', ')}`);
  }
}

/** Starts everything anew, with nothing of the database in memory where that can be had. */
async function cool() {
  await service.stop();
  await databases.restart();
  try {
    writeFileSync(DROP_CACHES, '3');
  } catch {
    // Root alone may.
  }
  service = await startService(own, databases.urlOf('million'));
}

/** @returns how long each turn took, in order, in milliseconds */
async function ask({ name, path, holds, get = (address) => call('GET', address) }, turns) {
  const times = [];
  for (let i = 0; i < turns; i++) {
    const start = performance.now();
    const body = await get(path);
    times.push(performance.now() - start);
    if (!holds(body)) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 200)}`);
  }
  return times.sort((a, b) => a - b);
}

function listQuestions(few, { identifier }, from) {
  const path = `/api/v1/forms/${identifier}`;
  const last = Math.ceil(ROWS / PER_PAGE);
  const middle = Math.ceil(last / 2);
  const beside = (page) => `page=${page}&before=${uuid(idAt(from, ROWS - (page - 1) * PER_PAGE, ROWS, ''))}`;
  const known = `person-${Math.floor(ROWS / 2)}@example.com`;
  const isFull = ({ submissions }) => submissions.length === PER_PAGE;
  const pages = {
    'first page': 'page=1',
    'last page by its link': beside(last),
    'middle page by its link': beside(middle),
    'last page by number': `page=${last}`,
    'first page, spam too': 'spam=all',
    'a day of it': `from=${day(30)}&to=${day(29)}`,
    'a month of it': `from=${day(60)}&to=${day(30)}`,
    'is:unread': 'q=is:unread',
    'is:done (none)': 'q=is:done',
  };
  return [
    {
      name: 'first page of a thousand',
      path: `/api/v1/forms/${few.identifier}/submissions`,
      holds: ({ count }) => count === FEW,
      most: 30,
    },
    ...Object.entries(pages).map(([name, query]) => ({
      name,
      path: `${path}/submissions?${query}`,
      holds: name.endsWith('(none)') ? ({ count }) => count === 0 : isFull,
      most: 30,
    })),
    { name: 'middle page by number', path: `${path}/submissions?page=${middle}`, holds: isFull },
    {
      name: 'value_exists, there',
      path: `${path}/value_exists?field=email&value=${known}`,
      holds: ({ exists }) => exists,
      most: 10,
    },
    {
      name: 'value_exists, not there',
      path: `${path}/value_exists?field=email&value=nobody@example.com`,
      holds: ({ exists }) => !exists,
      most: 10,
    },
    { name: 'statistics, days of a month', path: `${path}/statistics?by=day`, holds: () => true, most: 30 },
    { name: 'statistics of all forms', path: '/api/v1/statistics?by=day', holds: () => true, most: 30 },
    {
      name: 'statistics of all forms, days of a year',
      path: `/api/v1/statistics?by=day&from=${day(365)}`,
      holds: ({ statistics }) => statistics !== null,
      most: 30,
    },
    ...['pages', 'values'].map((facet) => ({
      name: `statistics of ${facet}`,
      path: `${path}/statistics/${facet}`,
      holds: () => true,
      most: 30,
    })),
    { name: 'unread of each form', path: '/api/v1/unread', holds: () => true, most: 30 },
  ];
}

/** First pages of every other filter, in one form and in the whole account; those that nothing matches say so. */
function filterQuestions({ identifier }) {
  const one = `person-${ROWS >> 1}@example.com`;
  const matches = {
    'is:new': ROWS,
    'assigned:none': ROWS,
    'page:/contact': ROWS,
    'origin:https://example.com': ROWS,
    [`"email":${one}`]: 1,
    [`email:${one}`]: 1,
    'is:starred': 0,
    'is:answered': 0,
    'is:held': 0,
    'is:failed': 0,
    'is:spam': 0,
    'is:trash': 0,
    'tag:urgent': 0,
    'assigned:owner@example.com': 0,
    'has:file': 0,
    'page:/elsewhere': 0,
    'country:DE': 0,
  };
  return Object.entries(matches).flatMap(([line, count]) => {
    const holds = ({ submissions }) => submissions.length >= Math.min(count, PER_PAGE);
    const q = new URLSearchParams({ q: line });
    const name = count === 0 ? `${line} (none)` : line.replace(one, '…');
    return [
      ['in the form', `/api/v1/forms/${identifier}/submissions?${q}`],
      ['in the account', `/api/v1/submissions?${q}`],
    ].map(([where, path]) => ({ name: `${name}, ${where}`, path, holds, most: 30 }));
  });
}

/** First pages of searches, in one form, in the whole account, and with their count. */
function searchQuestions({ identifier }) {
  const searches = {
    'a common word': 'hello',
    'a word of the texts': 'oea',
    'a word in one of 10,000': 'zebrafish',
    'a word that is not there': 'nobodyhasthis',
    'a phrase in one of 10,000': '"zebrafish crossing"',
    'a rare word in another script': 'Ζέβρα',
  };
  const times = ROWS > 1_000_000 ? 3 : 1;
  const most = times * (options.server || options.url ? 150 : 100);
  const found = ({ submissions, next_page }) => submissions.length > 0 || next_page !== null;
  return Object.entries(searches).flatMap(([name, words]) => {
    const holds = words === 'nobodyhasthis' || ROWS < RARE_EVERY ? () => true : found;
    const query = (q) => new URLSearchParams({ ...q, per_page: '50' });
    const list = `/api/v1/forms/${identifier}/submissions`;
    return [
      ['in the form', `/api/v1/submissions?${query({ q: `form:${identifier} ${words}` })}`],
      ['in the account', `/api/v1/submissions?${query({ q: words })}`],
      ['with its count', `${list}?${query({ q: words })}`],
    ].map(([where, path]) => {
      return { name: `${name}, ${where}`, path, holds, most, mostCold: times * 500 };
    });
  });
}

/** The pages of people who sign in: the first bytes until the last, without a browser. */
function pageQuestions({ identifier }, from, get) {
  const row = uuid(idAt(from, ROWS - 1, ROWS, ''));
  const pages = {
    'inbox of all forms': '/inbox',
    'inbox of the form': `/inbox?q=form:${identifier}`,
    'inbox, unread': `/inbox?q=form:${identifier}+is:unread`,
    'page of a submission': `/inbox/${identifier}/${row}`,
    'list of forms': '/forms',
    'page of the form': `/forms/${identifier}`,
    'charts of the form': `/forms/${identifier}/activity`,
    'charts of all forms': '/statistics',
    'charts of all forms, a year by days': `/statistics?by=day&from=${day(365)}&to=${day(0)}`,
    'all of a person': `/visitors/person-${ROWS >> 1}@example.com`,
  };
  return Object.entries(pages).map(([name, path]) => ({
    name: `page: ${name}`,
    path,
    get,
    holds: (text) => text.includes('</html>'),
    most: name === 'page of a submission' ? 50 : 30,
  }));
}

/** Tells what is on disk, beside the bytes of the texts, and what is in memory. */
async function measureSpace(textBytes) {
  const sizes = await databases.sizes('million');
  for (const [name, bytes] of sizes) note(`disk: ${name}`, mib(bytes));
  const ofSearch = sizes.filter(([name]) => name.startsWith('text_') || name.endsWith('_texts'));
  const sum = ofSearch.reduce((all, [, bytes]) => all + bytes, 0);
  note('bytes of the texts', mib(textBytes));
  targets.push(target('disk for searches × the texts', sum / textBytes, '≤ 1.5'));
  note('memory of the service', mib(await memoryOf(service.pid)));
  if (databases.pid) note('memory of the server', mib(await memoryOf(databases.pid)));
}

/** Measures what visitors wait alone, and then each export beside them. */
async function measureExports(form) {
  const wanted = options.exports ?? (options['only-exports'] ? 'csv,ndjson,xlsx' : '');
  const kinds = wanted.split(',').filter(Boolean);
  if (kinds.length === 0) return;
  await pause(REST_MS / 4);
  await visitFor(form, 2_000);
  const alone = await visitFor(form, ALONE_MS);
  note('visitors alone', describeVisits(alone));
  for (const kind of kinds) await measureExport(form, kind, alone.p99);
}

/** Reads an export as fast as it comes, while visitors submit, and watches the memory. */
async function measureExport({ identifier }, kind, aloneP99) {
  await pause(2_000);
  const before = await memoryOf(service.pid);
  let peak = before;
  let running = true;
  const watch = (async () => {
    for (; running; await pause(100)) peak = Math.max(peak, await memoryOf(service.pid));
  })();
  const visitors = visit(identifier, () => running);
  const cpu = await cpuOf(service.pid);
  const path = `/api/v1/forms/${identifier}/submissions.${kind}`;
  const { bytes, seconds } = await readApart(service.url + path);
  running = false;
  await watch;
  const spent = (await cpuOf(service.pid)) - cpu;
  const visits = await visitors;
  note(
    `export ${kind}`,
    `${seconds.toFixed(1)} s, ${spent.toFixed(1)} s of processor time, ${mib(bytes)}, memory +${mib(peak - before)} (from ${mib(before)}), load ${loadavg()[0].toFixed(1)}; visitors: ${describeVisits(visits)}`,
  );
  const bound = (options.server || options.url ? EXPORT_S.server : EXPORT_S.embedded)[kind];
  targets.push(
    target(`export ${kind}, a million`, (seconds * 1_000_000) / ROWS, `≤ ${bound}`, ' s'),
    target(`export ${kind}, growth`, (peak - before) / 1024 / 1024, '≤ 64', ' MiB'),
    target(`export ${kind}, p99 of visitors, × alone`, visits.p99 / aloneP99, '≤ 2'),
  );
}

async function readApart(url) {
  const reader = new Worker(new URL('reader.js', import.meta.url), { workerData: { url, token: TOKEN } });
  const [outcome] = await once(reader, 'message');
  return outcome;
}

function visitFor({ identifier }, milliseconds) {
  const end = performance.now() + milliseconds;
  return visit(identifier, () => performance.now() < end);
}

function describeVisits({ accepted, p99, slowest }) {
  return `${accepted} submissions accepted, p99 ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`;
}

/** Four visitors who submit one after the other. */
async function visit(identifier, goesOn) {
  const times = [];
  const visitor = async () => {
    while (goesOn()) {
      const start = performance.now();
      const response = await fetch(`${service.url}/f/${identifier}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ name: 'Visitor', email: 'visitor@example.com' }),
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`A submission got ${response.status}.`);
      times.push(performance.now() - start);
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: 4 }, visitor));
  times.sort((a, b) => a - b);
  const accepted = times.length;
  return { accepted, p99: times[Math.floor(accepted * 0.99)] ?? 0, slowest: times.at(-1) ?? 0 };
}

/** Submits over HTTP as fast as it goes, and watches what the service keeps of it. */
async function measureMemory(database) {
  const { id, identifier } = await call('POST', '/api/v1/forms', {
    form: { name: 'Busy', notify_owner_on_submission: false },
  });
  const [{ requests, minimum }] = listWorks([{ identifier }]);
  const load = startLoad();
  const { port, pid } = service;
  const run = { port, requests: requests.map(({ bytes }) => bytes), connections: 64, minimum };
  let accepted = 0;
  const turn = async () => {
    const outcome = await load.run({ ...run, warmUpMs: 0, measureMs: TURN_MS });
    const failed = Object.keys(outcome.failures);
    if (failed.length > 0) throw new Error(`Submissions failed: ${failed.join(', ')}`);
    accepted += outcome.acknowledged.length;
    return memoryOf(pid);
  };
  let indexed = 0;
  const atRest = async () => {
    const seconds = (await untilIndexed(database)) / 1000;
    note('values indexed', `${Math.round((accepted - indexed) / seconds)} submissions a second`);
    indexed = accepted;
    await pause(REST_MS);
    return memoryOf(pid);
  };
  let peak = await turn();
  const before = await atRest();
  const [first, begin] = [accepted, performance.now()];
  while (accepted < SUBMIT) peak = Math.max(peak, await turn());
  load.stop();
  const seconds = (performance.now() - begin) / 1000;
  const after = await atRest();
  const stored = await count(database, 'submissions', id);
  const { submission_count: counted } = await call('GET', `/api/v1/forms/${identifier}`);
  if (stored !== accepted || counted !== accepted) {
    throw new Error(`${accepted} were accepted, ${stored} are stored and ${counted} counted.`);
  }
  note(
    'submitted over HTTP',
    `${accepted} in all, ${Math.round((accepted - first) / seconds)} a second; memory at most ${mib(peak)}, at rest ${mib(before)} after the first ${first} and ${mib(after)} after all`,
  );
  targets.push(target('memory at rest, after all submissions × after the first', after / before, '≤ 1.1'));
}

/** Marks all submissions as done by a job, and kills the service in the middle of it. */
async function measureJob(database, { id, identifier }, address) {
  const body = { q: `form:${identifier}`, changes: { done: true } };
  const job = await call('POST', '/api/v1/submissions/bulk', body);
  const now = async () => {
    const found = await call('GET', `/api/v1/jobs/${job.id}`);
    if (!['waiting', 'running', 'finished'].includes(found.state)) throw new Error(`The job: ${found.state}`);
    return found;
  };
  await measureBeside('the job', address, async () => (await now()).done);
  const { done } = await now();
  await restart(address, 'kill');
  while ((await now()).state !== 'finished') await pause(250);
  const { changed } = await now();
  const [{ n }] = await database.query(`${countSql('submissions', id)} AND done = 1`);
  if (Number(n) !== changed || changed < ROWS) throw new Error(`${n} are done, ${changed} changed.`);
  note('a job over all', `killed after ${done}, finished after a restart: each changed once`);
}

/** Deletes the form, and has it purged. */
async function measureDeletion(database, { id, identifier }, address) {
  rmSync(filledFile);
  const total = await count(database, 'submissions', id);
  const start = performance.now();
  await call('DELETE', `/api/v1/forms/${identifier}`);
  const answered = performance.now() - start;
  targets.push(target('deletion of the form, answered', answered, '≤ 30', ' ms'));
  await measureBeside('the purge', address, async () => total - (await count(database, 'submissions', id)));
}

/**
 * Has visitors of another form come at a steady rate, in turns without and with the tasks that do something in the
 * background, and then nobody.
 * @param progress tells how many submissions were done
 */
async function measureBeside(name, address, progress) {
  const { identifier } = await call('POST', '/api/v1/forms', {
    form: { name: `Beside ${name}`, notify_owner_on_submission: false },
  });
  const [{ requests, minimum }] = listWorks([{ identifier }]);
  const load = startLoad();
  const come = async (measureMs) => {
    const times = { warmUpMs: BESIDE_WARM_UP_MS, measureMs };
    const [before, begin] = [await progress(), performance.now()];
    const outcome = await load.run({
      ...times,
      port: service.port,
      requests: requests.map(({ bytes }) => bytes),
      connections: VISITOR_CONNECTIONS,
      rate: VISITORS_PER_SECOND,
      minimum,
    });
    const failed = Object.keys(outcome.failures);
    if (failed.length > 0) throw new Error(`Submissions failed: ${failed.join(', ')}`);
    const done = ((await progress()) - before) / ((performance.now() - begin) / 1000);
    return { ...outcome, done, stallMs: await longestStall() };
  };
  const turns = { off: [], on: [] };
  try {
    for (let round = 0; round < BESIDE_ROUNDS; round++) {
      for (const workers of ['off', 'on']) {
        await restart(address, 'stop', { WORKERS: workers });
        await longestStall();
        turns[workers].push(await come(BESIDE_MS));
      }
    }
  } finally {
    load.stop();
  }
  const middle = (workers, figure) => median(turns[workers].map((turn) => turn[figure]));
  const describe = (workers) =>
    ['p50', 'p99', 'stallMs']
      .map((figure) => `${figure} ${spread(turns[workers].map((turn) => turn[figure]))} ms`)
      .join(', ');
  note(`visitors without ${name}`, describe('off'));
  note(`visitors beside ${name}`, describe('on'));
  const [before, begin] = [await progress(), performance.now()];
  await pause(UNDISTURBED_MS);
  const undisturbed = ((await progress()) - before) / ((performance.now() - begin) / 1000);
  note(
    name,
    `${middle('on', 'done').toFixed(0)} a second beside visitors, ${undisturbed.toFixed(0)} without; load ${loadavg()[0].toFixed(1)}`,
  );
  targets.push(
    target(`p99 of visitors beside ${name}, more than alone`, middle('on', 'p99') - middle('off', 'p99'), '≤ 5', ' ms'),
  );
}

/** Ends the service by `how`, `stop` or `kill`, and starts it again. */
async function restart(address, how, more = {}) {
  await service[how]();
  service = await startService(own, address, [], { METRICS_TOKEN: TOKEN, ...more });
}

/** Returns for how long nobody had their turn of the event loop at most since this was asked before, in milliseconds. */
async function longestStall() {
  const response = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text());
  return Number(seconds) * 1000;
}

async function count(database, table, formId) {
  const [{ n }] = await database.query(countSql(table, formId));
  return Number(n);
}

function call(method, path, body) {
  return callAt(service.url, method, path, body);
}

async function timed(name, work) {
  const start = performance.now();
  await work();
  note(name, `${((performance.now() - start) / 1000).toFixed(0)} s`);
}

function note(name, text) {
  console.log(`${name}: ${text}`);
  results.push([name, text]);
}

function day(ago) {
  return new Date(Date.now() - ago * 24 * 3600 * 1000).toISOString().slice(0, 10);
}

function mib(bytes) {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}

function uuid(id) {
  const hex = id.toString('hex');
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1])).join('-');
}
