import { isAbsolute } from 'node:path';

/** The port of clamd, unless another is named. */
const PORT = 3310;

/** Where clamd listens: on a port, or at a socket of this machine. */
export type ClamdAddress = { host: string; port: number } | { path: string };

/**
 * Reads `tcp://host:3310`, `host:3310`, `unix:/path/clamd.ctl` or `/path/clamd.ctl`.
 * @returns null for anything else
 */
export function parseClamdAddress(text: string): ClamdAddress | null {
  const path = text.replace(/^unix:(?:\/\/)?(?=\/)/, '');
  if (isAbsolute(path)) return path.length > 1 && !path.endsWith('/') ? { path } : null;
  const isUrl = text.startsWith('tcp://');
  const [, ipv6, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(isUrl ? text.slice(6) : text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || (digits === undefined && !isUrl)) return null;
  const port = digits === undefined ? PORT : Number(digits);
  return port >= 1 && port <= 65_535 ? { host, port } : null;
}
