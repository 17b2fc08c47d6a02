/**
 * Makes the package of a release: what the build made, and of all packages only those with native code as dependencies, at
 * the versions of the lock file.
 * `node scripts/pack.js FOLDER` writes the tarball there and prints its path.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE } from './native.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Names of what the package contains beside its package.json. */
const CONTENT = ['dist', 'openapi.json', '.env.example', 'README.md', 'CHANGELOG.md', 'LICENSE'];

const [folder = '.'] = process.argv.slice(2);
const stage = mkdtempSync(join(tmpdir(), 'pack-'));
try {
  for (const name of CONTENT) cpSync(ROOT + name, join(stage, name), { recursive: true });
  rmSync(join(stage, 'dist/.built'), { force: true });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], {
    cwd: stage,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  console.log(join(resolve(folder), stdout.trim()));
} finally {
  rmSync(stage, { recursive: true });
}

function describePackage() {
  const read = (name) => JSON.parse(readFileSync(ROOT + name, 'utf8'));
  const { name, version, description, license, type, engines, bin } = read('package.json');
  const { packages } = read('package-lock.json');
  const dependencies = Object.fromEntries(NATIVE.map((one) => [one, packages[`node_modules/${one}`].version]));
  const keywords = ['forms', 'form-backend', 'self-hosted', 'form-to-email', 'webhooks'];
  return { name, version, description, keywords, license, type, engines, bin, dependencies };
}
