import { existsSync } from 'node:fs';
import { ROOT } from './root.js';

/** The command line as one calls it where this runs: in a checkout, or in the container of the compose file. */
export const COMMAND_LINE = existsSync(new URL('scripts/', ROOT))
  ? 'npm run cli --'
  : 'docker compose exec service node dist/cli/main.js';
