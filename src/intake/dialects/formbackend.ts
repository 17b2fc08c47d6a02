import { F_PATH, type Dialect } from './dialect.js';

/** Its pages are ours, but for their ids. */
export const formbackend: Dialect = { provider: 'formbackend', paths: [F_PATH], roles: {} };
