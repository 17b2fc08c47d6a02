import { where } from './where.js';

const isServer = Boolean(process.env.TEST_DATABASE_URL);

/** Runs a test only on a database server. */
export const onServer = where(isServer, 'what servers alone do').it;

/** Runs a test only on the embedded database, also when no database takes part: once is enough. */
export const onEmbedded = where(!isServer, 'what the embedded database alone does').it;
