import type mysql from 'mysql2';

/**
 * Errors after which a connection is closed: no answer came, or its server takes no writes. Behind a proxy,
 * or a name that moves, the next connection leads to a working server.
 */
const FATAL_CODES = new Set([
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_UNKNOWN_COM_ERROR', // a Galera node that is cut off from the others
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_SERVER_SHUTDOWN',
]);

/**
 * Closes a connection after a fatal error, so that the pool does not hand it out again. Written for mysql2
 * 3.24, which takes a connection back whose statement timed out; the next one would wait behind the lost
 * statement.
 */
export function destroyOnFatalError(connection: mysql.PoolConnection): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => mysql.Query;
  connection.query = ((...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done !== 'function') return query(...args);
    return query(
      ...args.slice(0, -1),
      (error: NodeJS.ErrnoException | null, ...rest: unknown[]) => {
        if (error && FATAL_CODES.has(error.code ?? '')) connection.destroy();
        (done as (...results: unknown[]) => void)(error, ...rest);
      },
    );
  }) as typeof connection.query;
}
