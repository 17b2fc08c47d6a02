import { existsSync } from 'node:fs';
import { ROOT } from './root.js';

/** The command line as one calls it where this runs. */
export const COMMAND_LINE = commandLineOf(ROOT.pathname, existsSync(new URL('scripts/', ROOT)));

/** The command that starts the service. */
export const START_COMMAND = COMMAND_LINE.startsWith('npm run')
  ? 'npm start'
  : `${COMMAND_LINE} start`;

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
