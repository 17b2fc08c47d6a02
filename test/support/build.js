import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOTES = `${ROOT}dist/.tsbuildinfo`;

/** Builds the program when the sources are newer than what was built last; some tests run the real thing. */
export default function build() {
  if (newestIn(`${ROOT}src`) < timeOf(NOTES)) return;
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The compiler leaves its notes alone when only tests are newer.
  utimesSync(NOTES, new Date(), new Date());
}

function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true });
  return Math.max(...files.map((file) => timeOf(`${folder}/${file}`)));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
