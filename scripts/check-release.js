import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MIGRATIONS = 'src/platform/database/migrations/';
/** Record of the last run of the tests, which `npm test` wrote. */
const RUN = `${ROOT}build/test-run.json`;
/** Files that name the version in an image, a package or a command. */
const NAMING_VERSION = [
  'Dockerfile',
  'deploy/compose/compose.yml',
  'deploy/kubernetes/deployment.yaml',
  'deploy/systemd/form-collection-service.service',
  'docs/install.md',
];
/** Licences that let others use, change and pass on what the packages in `dist` contain. */
const FREE = new Set([
  'MIT',
  'ISC',
  'BSD-0-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'MIT-0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
]);

/** Packages that say so in their Readme alone: under MIT. */
const FREE_BY_README = new Set(['pause 0.0.1']);

/**
 * Refuses a release whose parts disagree: version, changelog, image, hashes of migrations, licences. `npm run openapi:check`
 * compares the document of the API, before this.
 * @param read returns the text of a file of the repository
 * @param isUnderWay whether changes after the last release are no problem
 * @returns a sentence for each problem, with its file
 */
export function problemsOfRelease(read, isUnderWay = false) {
  const { version, license } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const problems = [];
  const expect = (holds, problem) => holds || problems.push(problem);

  expect(
    lock.version === version && lock.packages[''].version === version,
    `package-lock.json: its version is not ${version}. Run npm install.`,
  );
  expect(
    JSON.parse(read('packages/client/package.json')).version === version,
    `packages/client/package.json: its version is not ${version}.`,
  );
  const changelog = read('CHANGELOG.md');
  const sections = isUnderWay ? changelog.replace('## [Unreleased]', '') : changelog;
  const [, newest, date] = /^## \[([^\]]+)\](?: - (\S+))?$/m.exec(sections) ?? [];
  expect(newest === version, `CHANGELOG.md: the newest section is ${newest}, not ${version}.`);
  expect(/^\d{4}-\d\d-\d\d$/.test(date ?? ''), `CHANGELOG.md: ${newest} has no date.`);
  for (const name of NAMING_VERSION) {
    const named = read(name).match(/(?<=version="|form-collection-service[:_-])\d+\.\d+\.\d+/g) ?? [];
    expect(named.length > 0 && named.every((one) => one === version), `${name}: it does not name version ${version}.`);
  }
  const frozen = JSON.parse(read(`${MIGRATIONS}released.json`));
  const found = migrationsOf(read);
  for (const release of new Set([...Object.keys(found), ...Object.keys(frozen)])) {
    expect(frozen[release] === found[release], `${MIGRATIONS}released.json: it does not have ${release}.ts as it is.`);
  }
  expect(
    isUnderWay || !existsSync(`${ROOT}${MIGRATIONS}next.ts`),
    `${MIGRATIONS}next.ts: it is not renamed to ${version}.ts.`,
  );
  const script = `src/visitor-pages/released/f.${version}.js`;
  expect(
    isUnderWay || (existsSync(ROOT + script) && read(script) === read('dist/visitor-pages/f.js')),
    `${script}: it is not dist/visitor-pages/f.js, which pages will name by its hash. Copy it.`,
  );
  expect(
    license === 'MIT' && read('LICENSE').startsWith('MIT License'),
    'LICENSE: it is not the MIT license that package.json names.',
  );
  for (const [, name, licence] of read('dist/licenses.txt').matchAll(/^(\S+ \d\S*) \(([^)]+)\)$/gm)) {
    expect(FREE.has(licence) || FREE_BY_README.has(name), `dist/licenses.txt: ${name} has the license ${licence}.`);
  }
  return problems;
}

/** Returns of each release that changed tables the SHA-256 of its migration, with what all share. */
function migrationsOf(read) {
  const names = readdirSync(ROOT + MIGRATIONS).filter((name) => /^\d/.test(name));
  const hashes = names.map((name) => {
    const hash = createHash('sha256').update(read(`${MIGRATIONS}columns.ts`));
    return [name.replace('.ts', ''), hash.update(read(MIGRATIONS + name)).digest('hex')];
  });
  return Object.fromEntries(hashes);
}

/** Refuses what the last run of the tests was: a part of them, or with tests that passed only when run alone. */
export function problemsOfTests({ mode, hasPassed, alone }) {
  const problems = alone.map((name) => `Passed only when run alone: ${name}`);
  if (mode !== 'all' || !hasPassed) problems.push('Not all tests have passed: npm run test:all.');
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => readFileSync(ROOT + name, 'utf8');
  const tests = existsSync(RUN) ? JSON.parse(readFileSync(RUN, 'utf8')) : { alone: [] };
  const problems = [...problemsOfRelease(read), ...problemsOfTests(tests)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
