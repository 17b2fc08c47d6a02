import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = `${ROOT}packages/client/`;
const BUILT = `${CLIENT}dist/index.js`;

/** Builds packages/client when something that it is made of is newer. @throws Error when it cannot be built */
export function buildClient() {
  const sources = readdirSync(`${CLIENT}src`).filter((name) => name !== 'schema.ts');
  const paths = ['../../openapi.json', 'package.json', 'tsconfig.json', ...sources.map((name) => `src/${name}`)];
  const newest = Math.max(...paths.map((path) => statSync(CLIENT + path).mtimeMs));
  if (existsSync(BUILT) && newest < statSync(BUILT).mtimeMs) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: CLIENT, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('packages/client could not be built.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildClient();
