import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Written after a build that succeeded, with what `package-lock.json` was then: npm prune writes the same file again. */
const STAMP = `${ROOT}dist/.built`;
const SOURCES = [
  'src',
  'docs',
  'README.md',
  'scripts/bundle.js',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * Builds the program when something it is made of is newer than the last build that succeeded.
 * @throws Error when it cannot be built; what is wrong is on stderr
 */
export default function buildWhenChanged() {
  if (newestOf(SOURCES) < timeOf(STAMP) && readFileSync(STAMP, 'utf8') === lockedPackages()) return;
  const begun = new Date();
  process.stderr.write('Compiling the service …\n');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`The service could not be compiled.${hint()}`);
  stamp(begun);
}

/** Remembers that the program is built from what was there at a time. */
function stamp(time) {
  writeFileSync(STAMP, lockedPackages());
  // What changed while it was being compiled is newer than this.
  utimesSync(STAMP, time, time);
}

/** Returns a short form of `package-lock.json`. */
function lockedPackages() {
  return createHash('sha256')
    .update(readFileSync(`${ROOT}package-lock.json`))
    .digest('hex');
}

/** Tells what is missing where packages for development were pruned. */
function hint() {
  const isThere = existsSync(`${ROOT}node_modules/@nestjs/cli`);
  return isThere ? '' : ' Its compiler is not installed: run npm ci && npm run build.';
}

function newestOf(names) {
  return Math.max(...names.map((name) => Math.max(timeOf(ROOT + name), newestIn(name))));
}

/** Returns the time of the newest file or folder below a folder; removing a file makes its folder newer. Tests are not built. */
function newestIn(name) {
  if (!statSync(ROOT + name).isDirectory()) return 0;
  const files = readdirSync(ROOT + name, { recursive: true }).filter((file) => !/\.spec\.tsx?$/.test(file));
  return Math.max(...files.map((file) => timeOf(`${ROOT}${name}/${file}`)));
}

/** Returns when a path last changed, in milliseconds since 1970; 0 when it is missing. */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    // `npm run build` has just built it.
    if (process.argv[2] === '--built') stamp(new Date());
    else buildWhenChanged();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
