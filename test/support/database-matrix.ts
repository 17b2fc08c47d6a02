import { it } from '@jest/globals';

const isServer = Boolean(process.env.TEST_DATABASE_URL);

/** What a database server alone can show. */
export const onServer = isServer ? it : it.skip;

/** What the embedded database alone can show, and what no database takes part in: once is enough. */
export const onEmbedded = isServer ? it.skip : it;
