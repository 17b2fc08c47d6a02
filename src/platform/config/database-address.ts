import { parseUrl } from '../kernel/text/parse-url.js';

/** Where the database is: a file of our own, or a server that speaks MySQL's protocol. */
export type DatabaseAddress =
  | { kind: 'embedded'; file: string }
  | {
      kind: 'server';
      host: string;
      port: number;
      user: string;
      password: string;
      name: string;
      tls: boolean;
    };

/**
 * Reads `mysql://user:password@host:3306/name` (or `mariadb://`), user and password percent-encoded;
 * `?ssl=true` asks for TLS with a verified certificate.
 * @returns null for anything else: no host, no database name, an unknown query parameter
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  const url = parseUrl(text);
  if (!url) return null;
  const name = decode(url.pathname.slice(1));
  const user = decode(url.username);
  const password = decode(url.password);
  const parameters = [...url.searchParams];
  const known = parameters.every(([key, value]) => key === 'ssl' && /^(true|false)$/.test(value));
  if (!['mysql:', 'mariadb:'].includes(url.protocol) || url.hostname === '' || !known) return null;
  if (!name || name.includes('/') || user === null || password === null) return null;
  return {
    kind: 'server',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user,
    password,
    name,
    tls: url.searchParams.get('ssl') === 'true',
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
