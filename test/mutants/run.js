import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import buildWhenChanged from '../../scripts/build-when-changed.js';
import { transpile } from '../runner/transpile.js';
import { mutants } from './mutants.js';

const HELP = `Usage: npm run test:mutants -- [--only text] [--list]

Breaks one rule of the service at a time, in a copy of the sources, and runs the tests that are near it
on the embedded database. Tells which broken rules no test noticed.
  --only text   those rules alone whose sentence or file contains the text; may be repeated
  --part n/m    the n-th of m parts of the rules
  --list        only say which rules there are, and whether each can still be broken and its tests exist
Fails when fewer than 95 % are noticed, or when a rule does not stand where it is to be broken.
`;
/** Share of broken rules that tests must notice; the rest leaves room for a rule that is hard to test. */
const NOTICED_MIN = 0.95;
/** A broken rule may keep a test waiting for ever, which is noticed; and all tests of a file, which says nothing. */
const TEST_TIMEOUT_MS = 40_000;
const TIMEOUT_MS = 3 * 60_000;
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'coverage']);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    part: { type: 'string', default: '1/1' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const named = mutants.filter(
  ({ rule, file }) => values.only.length === 0 || values.only.some((text) => `${rule} ${file}`.includes(text)),
);
const [part, parts] = values.part.split('/').map(Number);
const chosen = named.filter((_, index) => index % parts === part - 1);
const tests = ['src', 'test'].flatMap((root) => readdirSync(root, { recursive: true })).map((path) => `/${path}`);
const stale = chosen.filter((mutant) => !isThere(mutant) || !hasTests(mutant));
if (values.list) for (const { rule, file, near } of chosen) console.log(`${rule} (${file}; ${near})`);
for (const mutant of stale) {
  const { rule, file, near } = mutant;
  if (!isThere(mutant)) {
    console.error(`Cannot be broken, since its text is not there exactly once: ${rule} (${file})`);
  }
  if (!hasTests(mutant)) console.error(`There are no tests near it: ${rule} (${near})`);
}
if (chosen.length === 0) console.error('There is no such rule.');
if (values.list || stale.length > 0 || chosen.length === 0) process.exit(stale.length > 0 ? 1 : 0);

buildWhenChanged();
const folder = mkdtempSync(join(tmpdir(), 'fcs-mutants-'));
let running = null;
process.on('exit', () => {
  end(running);
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
for (const name of readdirSync('.')) {
  if (!LEFT_OUT.has(name)) cpSync(name, join(folder, name), { recursive: true, preserveTimestamps: true });
}
symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
// The copy is built; of what is broken, that file alone is compiled again.
const { default: prepare } = await import(join(folder, 'test/runner/bundle.js'));
await prepare();

/** How the tests near some rule end when nothing is broken. */
const unbroken = new Map();
const unnoticed = [];
const broken = [];
for (const [index, mutant] of chosen.entries()) {
  const begin = Date.now();
  const outcome = await attempt(mutant);
  const seconds = Math.round((Date.now() - begin) / 1_000);
  console.log(`${index + 1}/${chosen.length} ${outcome}: ${mutant.rule} (${seconds} s)`);
  if (outcome === 'NOT NOTICED') unnoticed.push(mutant);
  if (outcome === 'NO VERDICT') broken.push(mutant);
}

const noticed = chosen.length - unnoticed.length - broken.length;
console.log(`\n${noticed} of ${chosen.length} broken rules were noticed.`);
for (const { rule, file, near } of unnoticed) {
  console.log(`Not noticed by ${near}: ${rule} (${file})`);
}
for (const { rule, file, near } of broken) {
  console.log(`Tests of ${near} do not end, or fail without it too: ${rule} (${file})`);
}
process.exit(noticed >= chosen.length * NOTICED_MIN && broken.length === 0 ? 0 : 1);

/** Breaks a rule in the copy, runs what is near, and mends it again. */
async function attempt({ file, find, put, near }) {
  const path = join(folder, file);
  // What runs in browsers is compiled for itself.
  const built = path
    .replace('/src/web/browser/', '/dist/web/browser/')
    .replace('/src/visitor-pages/browser/', '/dist/visitor-pages/')
    .replace('/src/', '/build/')
    .replace(/\.tsx?$/, '.js');
  const [text, code] = [path, built].map((each) => readFileSync(each, 'utf8'));
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
  writeFileSync(built, transpile(path));
  let outcome;
  try {
    outcome = await outcomeOf(near);
  } finally {
    writeFileSync(path, text);
    writeFileSync(built, code);
  }
  if (outcome !== 'noticed') return outcome;
  // A test that fails anyway notices nothing.
  if (!unbroken.has(near)) unbroken.set(near, await outcomeOf(near));
  return unbroken.get(near) === 'NOT NOTICED' ? 'noticed' : 'NO VERDICT';
}

function isThere({ file, find }) {
  return existsSync(file) && readFileSync(file, 'utf8').split(find).length === 2;
}

function hasTests({ near }) {
  const pattern = new RegExp(patternOf(near));
  return tests.some((path) => pattern.test(path));
}

/** The path of the test file that `near` names. */
function patternOf(near) {
  const [project, file] = near.split(' ');
  return `/${file}\\.${project === 'unit' ? 'spec' : 'e2e-spec'}\\.tsx?$`;
}

/** Ends a run with every process it started. */
function end(run) {
  if (!run || run.exitCode !== null || run.signalCode !== null) return;
  process.kill(-run.pid, 'SIGKILL');
}

/** @param near `unit` or `e2e`, the name of a test file, and perhaps words of names of its tests */
async function outcomeOf(near) {
  const [, , ...name] = near.split(' ');
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  running = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      ...['--testPathPatterns', patternOf(near)],
      ...(name.length > 0 ? ['--testNamePattern', name.join(' ')] : []),
      ...['--testTimeout', String(TEST_TIMEOUT_MS), '--forceExit', '-w', '1'],
      ...['--json', `--outputFile=${report}`],
    ],
    {
      cwd: folder,
      stdio: 'ignore',
      detached: true, // a group of its own, which ends as a whole
      env: { ...process.env, TEST_DATABASE_URL: '', TEST_PREPARED: 'true' },
    },
  );
  const timer = setTimeout(() => end(running), TIMEOUT_MS);
  await once(running, 'exit');
  clearTimeout(timer);
  const { numFailedTests = 0, numPassedTests = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  if (numFailedTests > 0) return 'noticed';
  return numPassedTests > 0 ? 'NOT NOTICED' : 'NO VERDICT';
}
