import { existsSync, readFileSync } from 'node:fs';

/**
 * The folder with package.json, openapi.json and dist: the nearest one above this file, which runs from `src`,
 * `build` or `dist`.
 */
export const ROOT = findRoot(new URL('.', import.meta.url));

const PACKAGE = new URL('package.json', ROOT);
/** The version of this service, such as `0.1.0`. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

function findRoot(folder: URL) {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('There is no package.json above the program.');
  return findRoot(above);
}

/** The command line as one calls it where this runs. */
export const COMMAND_LINE = commandLineOf(ROOT.pathname, existsSync(new URL('scripts/', ROOT)));

/** The command that starts the service. */
export const START_COMMAND = COMMAND_LINE.startsWith('npm run') ? 'npm start' : `${COMMAND_LINE} start`;

/**
 * Returns how the command line is called of a program in a folder: of a checkout, of a package that npm installed for all
 * or ran by npx, or of the container.
 */
export function commandLineOf(folder: string, isCheckout: boolean): string {
  if (isCheckout) return 'npm run cli --';
  if (/\/lib\/node_modules\/[^/]+\/$/.test(folder)) return 'form-collection-service';
  if (folder.includes('/node_modules/')) return 'npx form-collection-service';
  return 'docker compose exec service form-collection-service';
}

/** Reads a style sheet of the build, such as `web/assets/base.css`, without comments and indentation. */
export function styleSheet(path: string) {
  const text = readFileSync(new URL(`dist/${path}`, ROOT), 'utf8');
  return text.replace(/\/\*.*?\*\/|^\s+/gms, '');
}
