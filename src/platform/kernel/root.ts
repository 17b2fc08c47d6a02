import { existsSync } from 'node:fs';

/**
 * The folder with package.json, openapi.json and dist: the nearest one above this file, which runs from `src`,
 * `build` or `dist`.
 */
export const ROOT = findRoot(new URL('.', import.meta.url));

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('There is no package.json above the program.');
  return findRoot(above);
}
