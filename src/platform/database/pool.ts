import mysql from 'mysql2';
import { formatSql } from './escape.js';

/** Longest time to open a connection, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 2_000;
/** Longest wait for a free connection, in milliseconds. */
const ACQUIRE_TIMEOUT_MS = 2_000;
/** Longest statement in milliseconds. Then the caller gets 503 instead of a hanging request. */
export const QUERY_TIMEOUT_MS = 3_500;

/**
 * Sets what every connection depends on, so that a server's defaults do not matter. First the character set:
 * the driver escapes values for utf8mb4. A server that reads them in another one
 * (`skip-character-set-client-handshake`, `init_connect`) may see the end of a text elsewhere. Then UTC, and
 * no silent truncation.
 */
const SESSION_VARIABLES = `SET NAMES utf8mb4 COLLATE utf8mb4_bin, ${[
  'autocommit = 1',
  "time_zone = '+00:00'",
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
]
  .map((setting) => `SESSION ${setting}`)
  .join(', ')}`;
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
/** Gap locks of the default level would make unrelated submissions wait for each other. */
const SESSION_ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Longest wait for a row that another transaction locks, in seconds; shorter than QUERY_TIMEOUT_MS. */
const LOCK_WAIT_SECONDS = 3;
const PACKET_LIMIT = 'SELECT @@max_allowed_packet AS bytes';

/** Longest packet that the server takes, in bytes, by connection. */
const packetLimits = new WeakMap<mysql.PoolConnection, number>();

/** The connections of a pool. */
export interface PoolUse {
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Most connections that are kept. */
  max: number;
}

type Callback = (error: NodeJS.ErrnoException | null, connection: mysql.PoolConnection) => void;

/** No connection became free, or none could be opened, in time. */
class NoConnectionInTime extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Makes a pool whose waits end when the server goes silent. By itself, mysql2 lets a caller wait for a
 * connection for ever. It also reuses a connection whose statement timed out, where the next statement would
 * wait behind the lost one without a timeout. A caller who waits too long gets NoConnectionInTime.
 * @param lockWaitSeconds how long a statement waits for a row that another transaction locks
 */
export function createPool(
  options: mysql.PoolOptions,
  lockWaitSeconds = LOCK_WAIT_SECONDS,
): mysql.Pool {
  const pool = mysql.createPool({ ...options, queryFormat: formatSql });
  const ready = new WeakSet<mysql.PoolConnection>();
  const take = pool.getConnection.bind(pool);
  pool.getConnection = (callback: Callback) => {
    let waiting = true;
    let preparing: mysql.PoolConnection | undefined;
    const settle: Callback = (error, connection) => {
      if (!waiting) return;
      waiting = false;
      clearTimeout(timer);
      callback(error, connection);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      preparing?.destroy();
      (settle as (error: NodeJS.ErrnoException) => void)(error);
    };
    const timer = setTimeout(() => {
      fail(new NoConnectionInTime('No connection to the database in time'));
    }, ACQUIRE_TIMEOUT_MS);
    take((error, connection) => {
      if (error) fail(error);
      else if (!waiting) connection.release();
      else if (ready.has(connection)) settle(null, connection);
      else {
        preparing = connection;
        prepare(connection, lockWaitSeconds, (refused) => {
          if (refused) {
            fail(refused);
            return;
          }
          ready.add(connection);
          settle(null, connection);
        });
      }
    });
  };
  return pool;
}

/**
 * Returns the longest packet of a connection of this pool, in bytes. A server closes a connection that sends
 * more, which looks like an outage.
 */
export function packetLimitOf(connection: mysql.PoolConnection): number {
  return packetLimits.get(connection) ?? Infinity;
}

/** Counts a pool's connections. mysql2 keeps them only in private lists. */
export function useOf(pool: unknown): PoolUse {
  const lists = pool as Record<
    '_allConnections' | '_freeConnections' | '_connectionQueue',
    { length: number }
  > & { config: { connectionLimit: number } };
  const idle = lists._freeConnections.length;
  return {
    inUse: lists._allConnections.length - idle,
    idle,
    waiting: lists._connectionQueue.length,
    max: lists.config.connectionLimit,
  };
}

function prepare(
  connection: mysql.PoolConnection,
  lockWaitSeconds: number,
  done: (error: NodeJS.ErrnoException | null) => void,
): void {
  destroyOnFatalError(connection);
  const lockWait = `SESSION innodb_lock_wait_timeout = ${lockWaitSeconds}`;
  connection.query(`${SESSION_VARIABLES}, ${lockWait}`, (error) => {
    if (error) done(error);
    else
      connection.query(SESSION_ISOLATION, (refused) => {
        if (refused) done(refused);
        else askPacketLimit(connection, done);
      });
  });
}

function askPacketLimit(
  connection: mysql.PoolConnection,
  done: (error: NodeJS.ErrnoException | null) => void,
): void {
  connection.query<mysql.RowDataPacket[]>(PACKET_LIMIT, (error, rows) => {
    if (!error) packetLimits.set(connection, Number(rows[0]?.bytes));
    done(error);
  });
}

/** Closes a connection after a fatal error, so that the pool does not hand it out again. */
function destroyOnFatalError(connection: mysql.PoolConnection): void {
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
