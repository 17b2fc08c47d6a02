/**
 * Fills a form with many submissions and measures what an owner then waits for: pages near and far,
 * questions by value, searches, exports of everything while visitors go on submitting, and the deletion of
 * the form. The service runs as the built program, in a process of its own; the rows go in by SQL.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeUuid } from '../dist/platform/kernel/uuid.js';
import { SubmissionBatch } from '../dist/submissions/storage/submission-batch.entity.js';
import { encodeReceived, receivedOf } from '../dist/submissions/statistics/received.js';
import { SubmittedValues } from '../dist/submissions/values/submitted-values.js';
import { BLOCK_ROWS } from '../dist/submissions/texts/slices.js';
import { digestsOf } from '../dist/submissions/values/value-digests.js';
import { embeddedDatabases, serverDatabases } from './databases.js';
import { startLoad } from './load.js';
import { call as callAt, cpuOf, endOnSignal, memoryOf, startService, TOKEN } from './programs.js';
import { keepResult, target, targetTable } from './report.js';
import { signIn } from './signed-in.js';
import { listWorks } from './works.js';

const HELP = `Usage: npm run bench:million -- [--rows 1000000] [--server | --url mysql://…] [--exports csv] [--submit 1000000] [--search] [--only-exports]

  --rows    how many submissions the form gets, by SQL
  --server  on an installed MariaDB or MySQL server, started privately for the run
  --url     on a running server, whose user may create databases
  --exports which exports are measured, by default csv,ndjson,xlsx; '' for none
  --submit  how many more are then submitted over HTTP, to watch the memory; by default none
  --only-exports
            leaves out everything but the exports
  --search  longer texts, of 250 to 1,000 characters, and searches in them instead of all else
Without --server and --url, on the embedded database. Prints tables; takes some minutes.
Exit code 0: measured. 1: could not be measured, or not every submission is counted.
`;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    server: { type: 'boolean', default: false },
    url: { type: 'string' },
    exports: { type: 'string', default: 'csv,ndjson,xlsx' },
    submit: { type: 'string', default: '0' },
    search: { type: 'boolean', default: false },
    'only-exports': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const ROWS = Number(options.rows);
const SUBMIT = Number(options.submit);
const FEW = 1_000;
/** Salt of the ids of the smaller form, so that they differ from those of the larger. */
const FEW_SALT = 'few';
const ROWS_PER_INSERT = 200;
/** Forms beside the large one that a search over the whole account goes through. */
const OTHER_FORMS = 50;
/** One of so many submissions has the rare words. */
const RARE_EVERY = 10_000;
/** Words of two to ten letters, those of English more often, the same in each run. */
const VOCABULARY = vocabulary(5_000);
/** Index of the values in a row. */
const PAYLOAD_AT = 6;
const PER_PAGE = 100;
const REPEATS = 5;
/** How long visitors submit before the memory is read. */
const TURN_MS = 5_000;
/**
 * How long the service rests before what it keeps is read: V8 gives back what it no longer needs only
 * then.
 */
const REST_MS = 60_000;
/** How long visitors submit alone, to compare with. */
const ALONE_MS = 15_000;
/** How long an export of a million may take, in seconds. */
const EXPORT_S = {
  server: { ndjson: 15, csv: 20, xlsx: 60 },
  embedded: { ndjson: 20, csv: 25, xlsx: 60 },
};
/** How long the purge is watched at most. */
const PURGE_MS = 120_000;
/** Ids and times are spread over the days before today. */
const DAY_MS = 24 * 3600 * 1000;
const FIRST_MS = Date.now() - 90 * DAY_MS;

const BATCH =
  'INSERT INTO submission_batches (id, submission_ids, digests, counts) VALUES (?, ?, ?, ?)';
const SET_COUNT = 'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?';
const ID_AT = 'SELECT id FROM submissions WHERE form_id = ? ORDER BY id LIMIT 1 OFFSET ?';
const countSql = (table, formId) =>
  `SELECT COUNT(*) AS n FROM ${table}${formId === undefined ? '' : ` WHERE form_id = ${formId}`}`;

endOnSignal();
const folder = await mkdtemp(join(tmpdir(), 'fcs-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const own = join(folder, 'million');
await mkdir(own);
const results = [];
const medians = new Map();
const targets = [];
let databases;
let service;
try {
  databases =
    options.server || options.url ? await serverDatabases(options.url) : embeddedDatabases(folder);
  const address = await databases.create('million', own);
  console.log(`${ROWS} submissions on ${databases.description}`);
  service = await startService(own, address);
  const few = await call('POST', '/api/v1/forms', { form: { name: 'A thousand' } });
  const form = await call('POST', '/api/v1/forms', { form: { name: 'A million' } });
  const others = [];
  while (options.search && others.length < OTHER_FORMS) {
    others.push(await call('POST', '/api/v1/forms', { form: { name: `Other ${others.length}` } }));
  }
  await service.stop();

  const database = await databases.open('million');
  await timed('fill', async () => {
    await fill(database, few.id, FEW, FEW_SALT);
    await fill(database, form.id, ROWS, '');
    for (const { id } of others) await fill(database, id, FEW / 10, `other ${id} `);
  });
  service = await startService(own, address);
  await untilIndexed(database, ROWS);
  if (options.search) await measureSearches(form, address);
  else if (options['only-exports']) await measureExports(form);
  else await measureAll(database, { few, form }, address);
  await database.close();
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await service?.stop();
  await databases?.stop();
}
const width = Math.max(...results.map(([name]) => name.length));
for (const [name, text] of results) console.log(`| ${name.padEnd(width)} | ${text} |`);
console.log(`\n${targetTable(targets)}`);
await keepResult('-million', { database: databases?.description, options, results, targets });

async function measureAll(database, { few, form }, address) {
  await repeated(
    'first page of a thousand',
    `/api/v1/forms/${few.identifier}/submissions?page=1`,
    ({ count }) => count === FEW,
  );
  await measurePages(database, form);
  await measureWebPages(form, await signIn(service.url, own, address));
  await measureValues(form);
  await measureExports(form);
  if (SUBMIT > 0) await measureMemory(database);
  await measureDeletion(database, form);
}

/** Compares the pages of a million, all medians in milliseconds, with what they are to be. */
function judgePages(deep) {
  const first = medians.get('first page');
  targets.push(
    target('first page, × of a thousand', first / medians.get('first page of a thousand'), '≤ 2'),
    ...deep.map((name) => target(`${name}, × first page`, medians.get(name) / first, '≤ 3')),
  );
}

async function measurePages(database, { id, identifier }) {
  const path = `/api/v1/forms/${identifier}/submissions`;
  const last = Math.ceil(ROWS / PER_PAGE);
  const middle = Math.ceil(last / 2);
  const beside = async (page) => {
    const [{ id: newer }] = await database.query(ID_AT, [id, ROWS - (page - 1) * PER_PAGE]);
    return `page=${page}&before=${uuid(newer)}`;
  };
  const pages = {
    'first page': 'page=1',
    [`page ${last} by its link`]: await beside(last),
    [`page ${middle} by its link`]: await beside(middle),
    [`page ${last} by number`]: `page=${last}`,
    [`page ${middle} by number`]: `page=${middle}`,
    'first page, spam too': 'spam=all',
    [`page ${middle} by its link, spam too`]: `${await beside(middle)}&spam=all`,
    [`page ${middle} by number, spam too`]: `page=${middle}&spam=all`,
    'a day of it': `from=${day(30)}&to=${day(29)}`,
    'a rare word': `query=person-${Math.floor(ROWS / 2)}@`,
    'a word that is not there': 'query=nobody',
  };
  for (const [name, query] of Object.entries(pages)) {
    await repeated(name, `${path}?${query}`, ({ count }) => count > 0 || query.includes('nobody'));
  }
  judgePages(
    [last, middle].flatMap((page) => [`page ${page} by its link`, `page ${page} by number`]),
  );
  const number = `page ${middle} by number`;
  const ratio = medians.get(`${number}, spam too`) / medians.get(number);
  targets.push(target(`${number}, spam too, × without`, ratio, '≤ 3'));
}

/** Times the pages of people who sign in: the first bytes until the last, without a browser. */
async function measureWebPages({ identifier }, get) {
  const [row] = (await call('GET', `/api/v1/forms/${identifier}/submissions`)).submissions;
  const pages = {
    'inbox of all forms': '/inbox',
    'inbox of the form': `/inbox?q=form:${identifier}`,
    'inbox, unread': `/inbox?q=form:${identifier}+is:unread`,
    'page of a submission': `/inbox/${identifier}/${row.id}`,
    'list of forms': '/forms',
    'page of the form': `/forms/${identifier}`,
    'charts of the form': `/forms/${identifier}/statistics`,
    'charts of all forms': '/statistics',
  };
  for (const [name, path] of Object.entries(pages)) {
    await repeated(`page: ${name}`, path, (text) => text.includes('</html>'), get);
    const bound = name === 'page of a submission' ? '≤ 50' : '≤ 30';
    targets.push(target(`page: ${name}`, medians.get(`page: ${name}`), bound, ' ms'));
  }
}

/** Times first pages of searches, in one form and in the whole account, and pages without one beside them. */
async function measureSearches({ identifier }, address) {
  const searches = {
    'no search': '',
    'a common word': 'hello',
    'a rare word': 'zebrafish',
    'a word that is not there': 'nobodyhasthis',
    'a rare phrase': '"zebrafish crossing"',
  };
  const first = (q) => `/api/v1/submissions?${new URLSearchParams({ q, per_page: '50' })}`;
  for (const [where, line] of [
    ['in the form', `form:${identifier} `],
    ['in the account', ''],
  ]) {
    for (const [name, words] of Object.entries(searches)) {
      const path = first(line + words);
      // A search that runs out of time goes on by its link.
      const holds = ({ submissions, next_page }) =>
        submissions.length === 50 || next_page !== null || !/^$|hello/.test(words);
      await repeated(`${name}, ${where}`, path, holds);
      const bound = options.server || options.url ? '≤ 150' : '≤ 100';
      targets.push(target(`${name}, ${where}`, medians.get(`${name}, ${where}`), bound, ' ms'));
    }
  }
  for (const [name, words] of Object.entries(searches)) {
    const query = words.replaceAll('"', '');
    const path = `/api/v1/forms/${identifier}/submissions?per_page=50&query=${query}`;
    await repeated(`${name}, with its count`, path, ({ count }) => count >= 0);
  }
  await service.stop();
  service = await startService(own, address);
  await repeated(
    'a word that is not there, after a restart',
    first('nobodyhasthis'),
    () => true,
    undefined,
    1,
  );
}

async function measureValues({ identifier }) {
  const path = `/api/v1/forms/${identifier}/value_exists?field=email&value=`;
  const known = `person-${Math.floor(ROWS / 2)}@example.com`;
  await repeated('value_exists, there', path + known, ({ exists }) => exists);
  await repeated('value_exists, not there', `${path}nobody@example.com`, ({ exists }) => !exists);
}

/** Measures what visitors wait alone, and then each export beside them. */
async function measureExports(form) {
  const kinds = options.exports.split(',').filter(Boolean);
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
  const reader = new Worker(new URL('reader.js', import.meta.url), {
    workerData: { url, token: TOKEN },
  });
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
  const [{ requests, minimum }] = listWorks([identifier]);
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
    await untilIndexed(database, accepted - indexed);
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
  targets.push(
    target('memory at rest, after all submissions × after the first', after / before, '≤ 1.1'),
  );
}

async function measureDeletion(database, { id, identifier }) {
  const other = await call('POST', '/api/v1/forms', { form: { name: 'Another' } });
  const total = await count(database, 'submissions', id);
  const start = performance.now();
  await call('DELETE', `/api/v1/forms/${identifier}`);
  note('deletion answers', `${(performance.now() - start).toFixed(0)} ms`);
  let running = true;
  const visitors = visit(other.identifier, () => running);
  let left = total;
  while (left > 0 && performance.now() - start < PURGE_MS) {
    await pause(3_000);
    left = await count(database, 'submissions', id);
  }
  const seconds = (performance.now() - start) / 1000;
  running = false;
  const { accepted, slowest } = await visitors;
  const values = await count(database, 'submission_values', id);
  note(
    'purge',
    `${Math.round((total - left) / seconds)} a second; ${left} submissions and ${values} index entries left after ${seconds.toFixed(0)} s; ${accepted} submissions accepted meanwhile, slowest ${slowest.toFixed(0)} ms`,
  );
}

/** @param submissions how many wait for it */
async function untilIndexed(database, submissions) {
  const start = performance.now();
  while ((await count(database, 'submission_batches')) > 0) await pause(250);
  for (;;) {
    const [progress] = await database.query('SELECT moved_below FROM text_progress');
    if (progress && progress.moved_below.readUIntBE(0, 6) > FIRST_MS + 89.1 * DAY_MS) break;
    await pause(250);
  }
  while ((await count(database, 'text_blocks')) < Math.floor(ROWS / BLOCK_ROWS)) await pause(250);
  const seconds = (performance.now() - start) / 1000;
  note('values indexed', `${Math.round(submissions / seconds)} submissions a second`);
}

async function fill(database, formId, rows, salt) {
  for (let from = 0; from < rows; from += ROWS_PER_INSERT) {
    const some = Array.from({ length: Math.min(ROWS_PER_INSERT, rows - from) }, (_, index) =>
      submissionRow(formId, from + index, rows, salt),
    );
    await database.query('BEGIN');
    await database.query(insertSql(some.length), some.flat());
    const texts = some.map((row) => [formId, row[0], textOf(row)]);
    await database.query(textsSql(texts.length), texts.flat());
    const ids = some.map(([id]) => id);
    const counts = receivedOf(ids.map((id) => ({ id, formId, isSpam: false })));
    await database.query(BATCH, [
      makeUuid(),
      Buffer.concat(ids),
      packedDigests(some),
      encodeReceived(counts),
    ]);
    await database.query('COMMIT');
  }
  await database.query(SET_COUNT, [rows, formId]);
}

/** Packs digests as the service stores them with submissions: their number, and 8 bytes for each value. */
function packedDigests(rows) {
  return SubmissionBatch.pack(
    rows.map((row) => digestsOf(SubmittedValues.decode(row[PAYLOAD_AT]))),
  );
}

async function count(database, table, formId) {
  const [{ n }] = await database.query(countSql(table, formId));
  return Number(n);
}

function submissionRow(formId, number, rows, salt) {
  const time = FIRST_MS + Math.floor((number / rows) * 89 * 24 * 3600 * 1000);
  const id = createHash('sha256').update(`${salt}${number}`).digest().subarray(0, 16);
  id.writeUIntBE(time, 0, 6);
  id.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  const rare = number % RARE_EVERY === RARE_EVERY / 2 ? ' zebrafish crossing' : '';
  const texts = [
    `Person ${number}`,
    `person-${number}@example.com`,
    `Hello, this is message number ${number}. I should like to know more about what you offer, and when you are open.${rare}${options.search ? moreText(number) : ''}`,
  ];
  const names = ['name', 'email', 'message'];
  return [
    id,
    formId,
    0,
    0,
    null,
    new Date(time).toISOString().replace('T', ' ').replace('Z', ''),
    JSON.stringify(texts.map((text, index) => [names[index], text])),
    '',
    'https://example.com',
    'https://example.com/contact',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    '203.0.113.0',
  ];
}

function vocabulary(count) {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const letters = 'etaoinshrdlucmfgypwbvkxjqz';
  const letter = () => letters[Math.floor(random() ** 2 * letters.length)];
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join(''),
  );
}

/** Returns words that make a text 250 to 1,000 characters long with what is there; common ones come more often. */
function moreText(number) {
  let seed = number + 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let text = '';
  for (const length = 50 + 750 * random(); text.length < length;) {
    text += ` ${VOCABULARY[Math.floor(random() ** 2 * VOCABULARY.length)]}`;
  }
  return text;
}

/** Returns what a search compares, as upkeep writes it. */
function textOf(row) {
  return Buffer.from(SubmittedValues.decode(row[PAYLOAD_AT]).searchText());
}

function textsSql(count) {
  const rows = Array.from({ length: count }, () => '(?,?,?)').join(',');
  return `INSERT INTO submission_texts (form_id, id, text) VALUES ${rows}`;
}

function insertSql(count) {
  const row = `(${Array.from({ length: 12 }, () => '?').join(',')})`;
  return `INSERT INTO submissions (id, form_id, trash, spam, spam_reason, created_at, payload, search_text, origin, referer, user_agent, address) VALUES ${Array.from({ length: count }, () => row).join(',')}`;
}

function call(method, path, body) {
  return callAt(service.url, method, path, body);
}

async function repeated(
  name,
  path,
  holds,
  get = (address) => call('GET', address),
  turns = REPEATS,
) {
  const times = [];
  for (let i = 0; i < turns; i++) {
    const start = performance.now();
    const body = await get(path);
    times.push(performance.now() - start);
    if (!holds(body)) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 200)}`);
  }
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[Math.floor(turns / 2)], times[turns - 1]];
  medians.set(name, median);
  note(name, `${median.toFixed(0)} ms (slowest of ${turns}: ${slowest.toFixed(0)} ms)`);
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
