import { readFileSync } from 'node:fs';
import { ROOT } from './root.js';

const PACKAGE = new URL('package.json', ROOT);

/** The version of this service, such as `0.1.0`. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
