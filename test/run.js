import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import mysql from 'mysql2/promise';
import buildWhenChanged from '../scripts/build-when-changed.js';
import { describeServer, findServer, startServer, WITHOUT_LOG } from './support/private-server.js';

const HELP = `Usage: npm test -- [jest options]

Runs the unit tests once and the e2e tests on every database there is:
  the embedded one, always;
  each server of TEST_DATABASE_URL (one or more mysql:// URLs, separated by spaces);
  an installed mariadbd or mysqld, started privately for the run.
PARTS=unit,embedded,mariadb,mysql runs those alone, in that order, and fails when one of them cannot be had.
BRIEF=true is for where time is short: what is about SQL runs on each database, each other file on one of them,
another one after each commit. TURN=0, 1 … says which.
`;

if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}

/** Files of tests that no database takes part in: the embedded one is enough. */
const ONCE = [
  'browser',
  'connections',
  'deploy',
  'hostile-server',
  'log-output',
  'openapi',
  'passkeys-browser',
  'release',
  'ssrf',
  'web-assets',
  'web-drawn',
  'web-fifty',
  'web-keyboard',
  'web-keys',
  'web-pages',
  'web-together',
];
/** Files of tests about SQL that servers may understand differently: locks, order, collation, time, plans. */
const SQL = [
  'assignees',
  'bulk',
  'counts',
  'deleted-forms',
  'delivery-claims',
  'delivery-statistics',
  'events',
  'export-jobs',
  'facets',
  'few-statements',
  'file-quota',
  'intake-idempotency',
  'isolation',
  'locked-form',
  'lost-answers',
  'mail-caps',
  'many-forms',
  'migrations',
  'outbox',
  'owner-digest',
  'portable-sql',
  'presence',
  'reading-abuse',
  'restarted-clock',
  'saved-views',
  'scale',
  'scale-changes',
  'search',
  'spam',
  'spam-learning',
  'statistics',
  'submissions',
  'timeline',
  'triage',
  'unit-of-work',
  'upgrade',
  'value-exists',
  'written-columns',
];

const wanted = (process.env.PARTS ?? '').split(',').filter(Boolean);
const isServerWanted =
  wanted.length === 0 || wanted.some((part) => /^(?:mariadb|mysql)$/.test(part));
const program = isServerWanted ? findServer() : null;
const own = program ? await startServer(program, [WITHOUT_LOG]) : null;
const urls = [
  ...(process.env.TEST_DATABASE_URL ?? '').split(/\s+/).filter(Boolean),
  ...(own ? [own.url] : []),
];
const all = [
  { name: 'unit', url: '' },
  { name: 'embedded', url: '' },
];
for (const url of urls) all.push({ name: await describeServer(url), url });
if (isServerWanted && urls.length === 0) {
  console.log(
    'Servers are left out: install MariaDB or MySQL, or set TEST_DATABASE_URL=mysql://…, to run on one.',
  );
}
const parts =
  wanted.length === 0
    ? all
    : wanted.flatMap((part) => all.filter(({ name }) => isAmong(name, [part])));

const databases = parts.map(({ name }) => name).filter((name) => name !== 'unit');
const turn = Number(process.env.TURN ?? countCommits());
if (process.env.BRIEF) console.log(`TURN=${turn % databases.length}`);

buildWhenChanged();
const folder = mkdtempSync(join(tmpdir(), 'fcs-results-'));
let passed = 0;
let failed = 0;
for (const { name, url } of parts) {
  console.log(`\n== ${name}`);
  const options = [
    '--selectProjects',
    name === 'unit' ? 'unit' : 'e2e',
    ...(url ? [`--testPathIgnorePatterns=${pathsOf(ONCE)}`] : []),
    ...(process.env.BRIEF && name !== 'unit'
      ? [`--testPathPatterns=${pathsOf([...SQL, ...othersOf(name)])}`]
      : []),
    ...process.argv.slice(2),
  ];
  const template = url ? await makeTemplate(url) : null;
  const run = (more) => runJest(more, url, template?.name ?? '');
  let counts = run(options);
  if (counts.failures.length > 0) {
    // A busy machine stops for seconds at times. What fails for another reason fails alone too.
    console.log('\nWhat failed is run again, one file at a time.');
    const again = run(['--runTestsByPath', ...counts.failures, '--runInBand']);
    for (const file of counts.failures.filter((path) => !again.failures.includes(path))) {
      console.log(`Passed only when run alone: ${relative(process.cwd(), file)}`);
    }
    counts = { ...again, passed: counts.passed + again.passed };
  }
  await template?.drop();
  passed += counts.passed;
  failed += counts.failed;
}
rmSync(folder, { recursive: true });
await own?.stop();

const missing = wanted.filter((part) => !parts.some(({ name }) => isAmong(name, [part])));
for (const part of missing) console.log(`Wanted, but not there: ${part}.`);
console.log(`\nRan: ${parts.map(({ name }) => name).join(', ')}.`);
console.log(`${passed} passed, ${failed + missing.length} failed`);
process.exit(failed + missing.length === 0 ? 0 : 1);

/** Tells whether a part is in a list: a server is called by its engine, without its version. */
function isAmong(name, list) {
  return list.includes(name.split(' ')[0]);
}

/** Names the files of tests, but those about SQL, that are a database's this time. */
function othersOf(database) {
  const files = readdirSync('test', { recursive: true }).flatMap((file) => /([^/]+)\.e2e-spec\.ts$/.exec(file)?.[1] ?? []);
  const others = files.filter((file) => !SQL.includes(file) && !ONCE.includes(file)).sort();
  const taken = others.filter(
    (_, index) => databases[(index + turn) % databases.length] === database,
  );
  return database === 'embedded' ? [...ONCE, ...taken] : taken;
}

function pathsOf(files) {
  return `/(?:${files.join('|')})\\.e2e-spec`;
}

function countCommits() {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10) || 0;
}

/**
 * Makes a database with all tables on a server. Files of tests copy it: to run the migrations in each of them takes ten
 * times as long.
 */
async function makeTemplate(url) {
  const name = `fcs_template_${process.pid}`;
  const { href } = new URL(`/${name}`, url);
  const settings = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: href };
  await query(url, `CREATE DATABASE ${name}`);
  const made = spawnSync(process.execPath, ['dist/cli/main.js', 'migrate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: settings,
  });
  if (made.status !== 0) throw new Error('The tables could not be made.');
  return { name, drop: () => query(url, `DROP DATABASE ${name}`) };
}

async function query(url, sql) {
  const connection = await mysql.createConnection(url);
  await connection.query(sql);
  await connection.end();
}

/**
 * Runs Jest on a database.
 * @returns tests that failed, files with such, and tests that passed in other files
 */
function runJest(options, url, template) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      `--outputFile=${report}`,
      ...options,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TEST_DATABASE_URL: url, TEST_TEMPLATE: template },
    },
  );
  const { testResults = [], numFailedTests = 0, success = false } = readReport(report);
  // A file may be left out on a database as a whole: it has not failed.
  const ofFiles = (failed) => testResults.filter((file) => (file.status === 'failed') === failed);
  const tests = ofFiles(false).flatMap((file) => file.assertionResults);
  const hasFailedElse = numFailedTests === 0 && (status !== 0 || !success);
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: numFailedTests + (hasFailedElse ? 1 : 0),
    failures: ofFiles(true).map((file) => file.name),
  };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
