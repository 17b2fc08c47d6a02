/**
 * Fills a form with many submissions and measures what an owner then waits for: pages near and far,
 * questions by value, exports of everything while visitors go on submitting, and the deletion of the
 * form. The service runs as the built program, in a process of its own; the rows go in by SQL.
 */
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeServer, findServer, startServer } from '../test/support/private-server.js';

const HELP = `Usage: npm run build && node bench/million.js [--rows 1000000] [--server | --url mysql://…] [--exports csv]

  --rows    how many submissions the form gets
  --server  on an installed MariaDB or MySQL server, started privately for the run
  --url     on an empty database of a running server
  --exports which exports are measured, by default csv,ndjson,xlsx
Without --server and --url, on the embedded database. Prints a table; takes some minutes.
`;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    server: { type: 'boolean', default: false },
    url: { type: 'string' },
    exports: { type: 'string', default: 'csv,ndjson,xlsx' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const ROWS = Number(options.rows);
const TOKEN = randomBytes(24).toString('hex');
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const ROWS_PER_INSERT = 200;
const PER_PAGE = 100;
const REPEATS = 5;
/** How long the purge is watched at most. */
const PURGE_MS = 120_000;
/** Ids and times are spread over the days before today. */
const FIRST_MS = Date.now() - 90 * 24 * 3600 * 1000;

const BATCH = 'INSERT INTO submission_batches (submission_ids) VALUES (?)';
const SET_COUNT = 'UPDATE forms SET submission_count = submission_count + ? WHERE id = ?';
const ID_AT = 'SELECT id FROM submissions WHERE form_id = ? ORDER BY id LIMIT 1 OFFSET ?';
const countSql = (table, formId) =>
  `SELECT COUNT(*) AS n FROM ${table}${formId === undefined ? '' : ` WHERE form_id = ${formId}`}`;

const folder = await mkdtemp(join(tmpdir(), 'fcs-bench-'));
const own = options.server ? await startServer(findServer()) : null;
if (own) await prepare(own.url);
const url = own ? `${own.url}bench` : options.url;
const results = [];
let service;
try {
  console.log(
    `${ROWS} submissions on ${url ? await describeServer(url) : 'the embedded database'}`,
  );
  service = await startService();
  const { body } = await call('POST', '/api/v1/forms', { form: { name: 'A million' } });
  const form = body;
  await service.stop();

  const database = url ? await openServer(url) : openEmbedded();
  await timed('fill', () => fill(database, form.id));
  service = await startService();
  await untilIndexed(database);
  await measurePages(database, form);
  await measureValues(form);
  for (const kind of options.exports.split(',').filter(Boolean)) await measureExport(form, kind);
  await measureDeletion(database, form);
  await database.close();
} finally {
  await service?.stop();
  await own?.stop();
  await rm(folder, { recursive: true, force: true });
}
const width = Math.max(...results.map(([name]) => name.length));
for (const [name, text] of results) console.log(`| ${name.padEnd(width)} | ${text} |`);

async function measurePages(database, { id, identifier, submission_count: before }) {
  const path = `/api/v1/forms/${identifier}/submissions`;
  const last = Math.ceil((ROWS + before) / PER_PAGE);
  const middle = Math.ceil(last / 2);
  const beside = async (page) => {
    const newer = await database.idAt(id, ROWS - (page - 1) * PER_PAGE);
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
}

async function measureValues({ identifier }) {
  const path = `/api/v1/forms/${identifier}/value_exists?field=email&value=`;
  const known = `person-${Math.floor(ROWS / 2)}@example.com`;
  await repeated('value_exists, there', path + known, ({ exists }) => exists);
  await repeated('value_exists, not there', `${path}nobody@example.com`, ({ exists }) => !exists);
}

/** Reads an export as fast as it comes, while visitors submit, and watches the memory. */
async function measureExport({ identifier }, kind) {
  await pause(2_000);
  const before = await service.rss();
  let peak = before;
  let running = true;
  const watch = (async () => {
    for (; running; await pause(100)) peak = Math.max(peak, await service.rss());
  })();
  const visitors = visit(identifier, () => running);
  const start = performance.now();
  const response = await fetch(`${service.url}/api/v1/forms/${identifier}/submissions.${kind}`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  const seconds = (performance.now() - start) / 1000;
  running = false;
  await watch;
  const { accepted, slowest } = await visitors;
  note(
    `export ${kind}`,
    `${seconds.toFixed(1)} s, ${mib(bytes)}, memory +${mib(peak - before)} (from ${mib(before)}), ${accepted} submissions accepted meanwhile, slowest ${slowest.toFixed(0)} ms`,
  );
}

/** Four visitors who submit one after the other. */
async function visit(identifier, goesOn) {
  let accepted = 0;
  let slowest = 0;
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
      accepted++;
      slowest = Math.max(slowest, performance.now() - start);
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: 4 }, visitor));
  return { accepted, slowest };
}

async function measureDeletion(database, { id, identifier }) {
  const { body: other } = await call('POST', '/api/v1/forms', { form: { name: 'Another' } });
  const total = await database.count('submissions', id);
  const start = performance.now();
  await call('DELETE', `/api/v1/forms/${identifier}`);
  note('deletion answers', `${(performance.now() - start).toFixed(0)} ms`);
  let running = true;
  const visitors = visit(other.identifier, () => running);
  let left = total;
  while (left > 0 && performance.now() - start < PURGE_MS) {
    await pause(3_000);
    left = await database.count('submissions', id);
  }
  const seconds = (performance.now() - start) / 1000;
  running = false;
  const { accepted, slowest } = await visitors;
  const values = await database.count('submission_values', id);
  note(
    'purge',
    `${Math.round((total - left) / seconds)} a second; ${left} submissions and ${values} index entries left after ${seconds.toFixed(0)} s; ${accepted} submissions accepted meanwhile, slowest ${slowest.toFixed(0)} ms`,
  );
}

async function untilIndexed(database) {
  const start = performance.now();
  while ((await database.count('submission_batches')) > 0) await pause(250);
  const seconds = (performance.now() - start) / 1000;
  note('values indexed', `${Math.round(ROWS / seconds)} submissions a second`);
}

async function fill(database, formId) {
  for (let from = 0; from < ROWS; from += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, ROWS - from) }, (_, index) =>
      submissionRow(formId, from + index),
    );
    await database.insert(rows);
  }
  await database.setCount(formId, ROWS);
}

function submissionRow(formId, number) {
  const time = FIRST_MS + Math.floor((number / ROWS) * 89 * 24 * 3600 * 1000);
  const id = createHash('sha256').update(String(number)).digest().subarray(0, 16);
  id.writeUIntBE(time, 0, 6);
  id.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  const texts = [
    `Person ${number}`,
    `person-${number}@example.com`,
    `Hello, this is message number ${number}. I should like to know more about what you offer, and when you are open.`,
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
    texts.join('\n').toLowerCase(),
    'https://example.com',
    'https://example.com/contact',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    '203.0.113.0',
  ];
}

function insertSql(count) {
  const row = `(${Array.from({ length: 12 }, () => '?').join(',')})`;
  return `INSERT INTO submissions (id, form_id, trash, spam, spam_reason, created_at, payload, search_text, origin, referer, user_agent, address) VALUES ${Array.from({ length: count }, () => row).join(',')}`;
}

function openEmbedded() {
  const database = new Database(join(folder, 'database.sqlite'), { timeout: 5_000 });
  const idsOf = (rows) => Buffer.concat(rows.map(([id]) => id));
  return {
    insert: (rows) => {
      database.transaction(() => {
        database.prepare(insertSql(rows.length)).run(...rows.flat());
        database.prepare(BATCH).run(idsOf(rows));
      })();
    },
    setCount: (formId, n) => database.prepare(SET_COUNT).run(n, formId),
    idAt: (formId, offset) => database.prepare(ID_AT).get(formId, offset).id,
    count: (table, formId) => database.prepare(countSql(table, formId)).get().n,
    close: () => database.close(),
  };
}

async function openServer(address) {
  const connection = await mysql.createConnection({ uri: address, timezone: 'Z' });
  await connection.query('SET SESSION unique_checks = 0');
  return {
    insert: async (rows) => {
      await connection.beginTransaction();
      await connection.query(insertSql(rows.length), rows.flat());
      await connection.query(BATCH, [Buffer.concat(rows.map(([id]) => id))]);
      await connection.commit();
    },
    setCount: (formId, n) => connection.query(SET_COUNT, [n, formId]),
    idAt: async (formId, offset) => (await connection.query(ID_AT, [formId, offset]))[0][0].id,
    count: async (table, formId) => (await connection.query(countSql(table, formId)))[0][0].n,
    close: () => connection.end(),
  };
}

async function prepare(address) {
  const connection = await mysql.createConnection(address);
  await connection.query('CREATE DATABASE bench');
  await connection.end();
}

async function startService() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      BOOTSTRAP_TOKEN: TOKEN,
      LOG_LEVEL: 'error',
      ...(url && { DATABASE_URL: url }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let stopping = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (!stopping) console.error(`The service ended by itself: code ${code}, signal ${signal}.`);
  });
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${address}/health/ready`).catch(() => null);
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error('The service did not start; was it built?');
    await pause(50);
  }
  return {
    url: address,
    rss: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
    },
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function call(method, path, body) {
  const response = await fetch(service.url + path, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, body: await response.json() };
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function repeated(name, path, holds) {
  const times = [];
  for (let i = 0; i < REPEATS; i++) {
    const start = performance.now();
    const { body } = await call('GET', path).catch((error) => ({ body: { error } }));
    times.push(performance.now() - start);
    if (body.error || !holds(body)) {
      note(name, `FAILED: ${String(body.error ?? JSON.stringify(body).slice(0, 200))}`);
      return;
    }
  }
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[Math.floor(REPEATS / 2)], times[REPEATS - 1]];
  note(name, `${median.toFixed(0)} ms (slowest of ${REPEATS}: ${slowest.toFixed(0)} ms)`);
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
