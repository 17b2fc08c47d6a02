import { existsSync, readFileSync } from 'node:fs';

/**
 * The folder with package.json, openapi.json and dist: the nearest one above this file, which runs from `src`,
 * `build` or `dist`.
 */
export const ROOT = findRoot(new URL('.', import.meta.url));

const PACKAGE = new URL('package.json', ROOT);
/** The version of this service, such as `0.1.0`. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('There is no package.json above the program.');
  return findRoot(above);
}
