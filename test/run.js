import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import prepare from './runner/bundle.js';
import { filesAbout, testFiles } from './runner/files.js';
import { summarise } from './runner/summary.js';
import { describeServer, findServer, startServer, WITHOUT_LOG } from './support/private-server.js';

const HELP = `Usage: npm test -- [words] [jest options]

Runs the unit tests and the e2e tests on the embedded database, and those of test/sql on each server there is:
those of TEST_DATABASE_URL (mysql:// URLs, separated by spaces) and an installed mariadbd or mysqld, started for the run.
  words        tests in folders or files of these names alone: npm test -- forms
  -t text      tests whose name has the text alone
  --gate       what each change must pass: test/heavy and the short faults too
  --faults     test/faults alone
  --all        what a release must pass: all tests on all databases, all faults, and the broken rules of test/mutants
  --needs x    fails where one is missing, of: mariadb,mysql,chromium
`;
/** Faults of a minute or less. */
const SHORT_FAULTS = /(?:clock|database|disk|embedded|process|workers)\.fault-spec/;
const MEMORY = '/dev/shm';
/** Room for a run in memory, and the least room anywhere, in bytes. */
const ROOM_BYTES = 4e9;
const LEAST_ROOM_BYTES = 1e9;
const JEST = [
  ...['--experimental-vm-modules', '--enable-source-maps', '--disable-warning=ExperimentalWarning'],
  'node_modules/jest/bin/jest.js',
];
/** Where a run leaves what it was, for `npm run release:check`. */
const RECORD = 'build/test-run.json';

const { mode, words, options, needed } = read(process.argv.slice(2));
if (mode === 'help') {
  process.stdout.write(HELP);
  process.exit(0);
}
const begun = performance.now();
const chosen = filesAbout(words, testFiles('.'));
if (chosen.length === 0) {
  console.error(`No tests are about ${words.join(' ')}: name a folder or a file of src or test.`);
  process.exit(1);
}
const disk = tmpdir();
const folders = [];
process.on('exit', () => {
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
});
const isRoomy = existsSync(MEMORY) && roomIn(MEMORY) > ROOM_BYTES;
const folder = makeFolder(isRoomy ? MEMORY : disk);
process.env.TMPDIR = folder;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopping ??= stop()));
/** Jest as it runs, and the end of it all once that is asked for. */
let running = null;
let stopping = null;
const run = { files: [], errors: [], alone: [], skipped: [] };

await prepare();
process.env.TEST_PREPARED = 'true';
process.env.TEST_MODE = mode;
process.env.TEST_SEED = mode === 'all' ? String(Date.now() % 1e9) : '1';
if (mode === 'all') console.log(`Seed of properties: TEST_SEED=${process.env.TEST_SEED}`);
const within = (pattern) => chosen.filter((path) => pattern.test(path));
if (mode !== 'faults') {
  const env = { TEST_TEMPLATE: embeddedTemplate() };
  const isHeavyToo = mode !== '' || words.length > 0;
  const paths = isHeavyToo ? /^(?:src|test\/(?!faults))/ : /^(?:src|test\/(?!faults|heavy))/;
  await runPart('embedded', within(paths), env);
  await runOnServers(within(mode === 'all' ? /^test\/(?!faults\/)/ : /^test\/sql\//));
}
if (mode !== '') await runFaults(within(mode === 'gate' ? SHORT_FAULTS : /^test\/faults\//));
if (mode === 'all') noticeMutants();
for (const name of needed.filter((name) => !isThere(name)))
  run.errors.push(`Missing, though --needs asks for it: ${name}`);
if (run.files.every(({ passed }) => passed === 0))
  run.errors.push('No test has passed. Faults run by npm run test:faults alone.');
const hasPassed = summarise({ ...run, seconds: (performance.now() - begun) / 1_000 });
writeFileSync(RECORD, JSON.stringify({ mode, hasPassed, alone: run.alone }));
process.exit(hasPassed ? 0 : 1);

/** Reads the command line; what is not ours goes to Jest. */
function read(args) {
  const found = { mode: '', words: [], options: [], needed: [] };
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    if (/^--(?:gate|all|faults|help)$/.test(arg)) found.mode = arg.slice(2);
    else if (arg === '--needs') found.needed = (args.shift() ?? '').split(',');
    else if (/^-[a-z]$/.test(arg)) found.options.push(arg, args.shift() ?? '');
    else (arg.startsWith('-') ? found.options : found.words).push(arg);
  }
  return found;
}

/** Makes a folder that goes with the run. */
function makeFolder(parent) {
  if (roomIn(parent) < LEAST_ROOM_BYTES) {
    console.error(`${parent} has less than 1 GB of room: free some, or set TMPDIR elsewhere.`);
    process.exit(1);
  }
  folders.push(mkdtempSync(join(parent, 'fcs-run-')));
  return folders.at(-1);
}

function roomIn(path) {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Tells whether the run had a database server, or a browser. */
function isThere(name) {
  if (name === 'chromium') return !run.files.some(({ reasons }) => reasons.includes('no Chromium'));
  return run.files.some(({ part }) => part.startsWith(name));
}

async function runOnServers(paths) {
  if (paths.length === 0) return;
  const program = findServer();
  const own = program ? await startServer(program, [WITHOUT_LOG]) : null;
  const given = (process.env.TEST_DATABASE_URL ?? '').split(/\s+/).filter(Boolean);
  const urls = own ? [...given, own.url] : given;
  for (const url of urls) {
    const template = await serverTemplate(url);
    const env = { TEST_DATABASE_URL: url, TEST_TEMPLATE: template };
    await runPart(await describeServer(url), paths, env);
    await query(url, `DROP DATABASE ${template}`);
  }
  await own?.stop();
  if (urls.length === 0) {
    const remedy = 'install MariaDB or MySQL, or set TEST_DATABASE_URL=mysql://…';
    run.skipped.push(`no database server: ${paths.length} files (${remedy})`);
  }
}

/** Runs faults one at a time, since they measure, fill disks and kill. They need a disk that keeps what it is given. */
function runFaults(paths) {
  return runPart('faults', paths, { TMPDIR: makeFolder(disk) }, ['--runInBand']);
}

function noticeMutants() {
  const { status } = spawnSync(process.execPath, ['test/mutants/run.js'], { stdio: 'inherit' });
  if (status !== 0) run.errors.push('Broken rules were not noticed.');
}

/** Runs files on a database. What failed runs again alone: a busy machine stops for seconds at times. */
async function runPart(part, paths, env, more = []) {
  if (paths.length === 0) return;
  console.log(`\n== ${part}`);
  const settings = { TEST_DATABASE_URL: '', ...env };
  const { files, error } = await runJest(paths, more, settings);
  const failures = files.filter(({ failed }) => failed > 0).map(({ path }) => path);
  let again = [];
  if (failures.length > 0) {
    console.log('\nWhat failed is run again, one file at a time.');
    again = (await runJest(failures, [...more, '--runInBand'], settings)).files;
    const passed = again.filter(({ failed }) => failed === 0);
    run.alone.push(...passed.map(({ path }) => `${path} on ${part}`));
  }
  const last = files.map((file) => again.find(({ path }) => path === file.path) ?? file);
  run.files.push(...last.map((file) => ({ ...file, part })));
  if (error) run.errors.push(`${part}: ${error}`);
}

async function runJest(paths, more, env) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  running = spawn(process.execPath, [...JEST, ...more, ...options, '--runTestsByPath', ...paths], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, TEST_REPORT: report },
    detached: true, // a group of its own, which ends as a whole
  });
  const code = await new Promise((resolve) => running.on('close', resolve));
  running = null;
  await stopping; // which ends the process
  if (existsSync(report)) return JSON.parse(readFileSync(report, 'utf8'));
  return { files: [], error: `Jest ended with ${code} before its end.` };
}

/** Makes a database with all tables, to be copied by each file of tests. @returns its file */
function embeddedTemplate() {
  const settings = { DATA_DIR: join(folder, 'template') };
  migrate(settings);
  const file = join(settings.DATA_DIR, 'database.sqlite');
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return file;
}

/** Makes the same on a server. @returns its name */
async function serverTemplate(url) {
  const name = `fcs_template_${process.pid}`;
  await query(url, `CREATE DATABASE ${name}`);
  migrate({ DATA_DIR: folder, DATABASE_URL: new URL(`/${name}`, url).href });
  return name;
}

function migrate(settings) {
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', 'migrate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...settings },
  });
  if (status !== 0) throw new Error('The tables could not be made.');
}

async function query(url, sql) {
  const connection = await mysql.createConnection(url);
  await connection.query(sql);
  await connection.end();
}

/** Ends Jest and all it has started; the server and the folder of the run go with this process. */
async function stop() {
  console.log('\nStopped.');
  const group = running ? -running.pid : null; // which may outlive Jest
  for (const signal of group === null ? [] : ['SIGTERM', 'SIGKILL']) {
    try {
      process.kill(group, signal);
    } catch {
      break; // all of it has ended
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  process.exit(130);
}
