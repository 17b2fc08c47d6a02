import { tryDatabase } from '../../platform/database/try-database.js';
import type { Change, Draft } from './draft.js';
import { changeOf, type SetupOptions, type Step } from './step.js';
import type { Terminal } from './terminal.js';
import { askServer } from './url-password.js';

const EMBEDDED = 'embedded';

/** Asks where the database is, and uses it. */
export const databaseStep: Step = {
  title: 'Database',

  read: ({ databaseUrl }: SetupOptions) => changeOf({ DATABASE_URL: databaseUrl }),

  async ask(terminal: Terminal, draft: Draft): Promise<Change> {
    const url = await askServer(
      terminal,
      `Database: ${EMBEDDED}, or a server, such as mysql://forms@db.example.com:3306/forms`,
      EMBEDDED,
      draft.value('DATABASE_URL'),
    );
    return url === undefined ? {} : { DATABASE_URL: url };
  },

  async attempt({ config }: Draft): Promise<string> {
    const { product, hasTables } = await tryDatabase(config);
    const { database } = config;
    const where =
      database.kind === 'embedded' ? database.file : `${database.host}:${database.port}`;
    const what = hasTables ? 'It has data of the service already' : 'It is new';
    return `${product} works at ${where}. ${what}.`;
  },
};
