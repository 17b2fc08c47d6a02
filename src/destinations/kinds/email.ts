import { commaList } from '../../platform/kernel/text/text.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { missing, type DestinationKind } from './kind.js';

/** Most addresses of one list: each submission sends a mail to every one. */
const ADDRESSES_MAX = 10;

/** When a recipient is told: of each submission at once, or of several together. */
const DIGESTS = ['each', 'hourly', 'daily'] as const;

const LIST_MAX = 2_600;

const ROUTES_MAX = 20_000;

const ADDRESSES = {
  max: LIST_MAX,
  parse: (text: string) => readAddresses(text)?.join(',') ?? null,
  must: `must be up to ${ADDRESSES_MAX} email addresses, separated by commas`,
};

/** Sends a mail to people whom the owner names, never to an address that a visitor typed. */
export const email: DestinationKind = {
  settings: {
    to: ADDRESSES,
    cc: ADDRESSES,
    bcc: ADDRESSES,
    route_field: { max: 255 },
    routes: { max: ROUTES_MAX, isLong: true, parse: parseRoutes },
    reply_to: { max: 255 },
    subject: { max: 255 },
    body: { max: 10_000, isLong: true },
    digest: { max: 16, choices: DIGESTS },
    files: { max: 16, choices: ['links', 'attached'] },
  },
  missing,
  request: null,
};

function parseRoutes(text: string) {
  const read = readRoutes(text);
  return Array.isArray(read) ? writeRoutes(read) : read;
}

/** Most lines of a table. */
const LINES_MAX = 100;

/** Longest value of a line, in characters. */
const VALUE_MAX = 500;

/** A line of a table: who gets the submissions in which a field has a value. */
interface Route {
  value: string;
  to: string[];
}

/** Reads a list of addresses with commas; null for what is none, empty or too long. */
function readAddresses(text: string): string[] | null {
  const read = commaList(text).map((address) => parseEmailAddress(address));
  const isList = read.length > 0 && read.length <= ADDRESSES_MAX && !read.includes(null);
  return isList ? (read as string[]) : null;
}

/**
 * Reads a table such as `Sales = sales@example.com, boss@example.com`, a line for each value; empty lines count for nothing.
 * @returns the lines, or what is wrong with them
 */
function readRoutes(text: string): Route[] | { must: string } {
  const routes: Route[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [value = '', ...rest] = line.split('=');
    const to = readAddresses(rest.join('='));
    const isRead = value.trim() !== '' && Array.from(value.trim()).length <= VALUE_MAX;
    if (!isRead || !to) {
      const form = `a value, = and up to ${ADDRESSES_MAX} email addresses, separated by commas`;
      return { must: `must have ${form} on each line; line ${index + 1} has not` };
    }
    routes.push({ value: value.trim(), to });
  }
  return routes.length <= LINES_MAX
    ? routes
    : { must: `must have at most ${LINES_MAX} lines; there are ${routes.length}` };
}

/** Writes a table as it is stored. */
function writeRoutes(routes: readonly Route[]): string {
  return routes.map(({ value, to }) => `${value} = ${to.join(', ')}`).join('\n');
}

/** Returns the lines of a table that is stored. */
export function routesIn(text: string | undefined): Route[] {
  const read = readRoutes(text ?? '');
  return Array.isArray(read) ? read : [];
}
