import type { DestinationKind, KindSettings } from './kind.js';
import { ADDRESSES_MAX, readAddresses, readRoutes, writeRoutes } from './routes.js';

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

/** Returns what lacks: somebody to write to, or one half of a table of recipients. */
function missing({ to, routes, route_field }: KindSettings): string[] {
  if (routes === undefined && route_field === undefined) return to === undefined ? ['to'] : [];
  if (routes === undefined) return ['routes'];
  return route_field === undefined ? ['route_field'] : [];
}
