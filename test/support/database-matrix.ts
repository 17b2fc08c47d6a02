import { it } from '@jest/globals';

const isServer = Boolean(process.env.TEST_DATABASE_URL);

/** Runs a test only on a database server. */
export const onServer = isServer ? it : it.skip;

/** Runs a test only on the embedded database, also when no database takes part: once is enough. */
export const onEmbedded = isServer ? it.skip : it;
