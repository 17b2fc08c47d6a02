import mysql from 'mysql2';

/** How long opening a connection may take. */
export const CONNECT_TIMEOUT_MS = 2_000;
/** How long a caller waits for a connection, with all that wait before. */
const ACQUIRE_TIMEOUT_MS = 2_000;
/** A statement that takes longer is given up: the caller gets a 503 instead of a hanging request. */
export const QUERY_TIMEOUT_MS = 3_500;

/**
 * What every connection begins with, so that nothing rests on the defaults of a server. The character set
 * is the first of it: the driver escapes values for utf8mb4, and a server that reads them in another set
 * (`skip-character-set-client-handshake`, `init_connect`) may find the end of a text elsewhere.
 * Then UTC, and no silent truncation.
 */
const SESSION_VARIABLES = `SET NAMES utf8mb4 COLLATE utf8mb4_bin, ${[
  'autocommit = 1',
  "time_zone = '+00:00'",
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
]
  .map((setting) => `SESSION ${setting}`)
  .join(', ')}`;
/**
 * After these a connection is of no use: no answer came, or its server takes no writes (any more).
 * Behind a proxy, or a name that moves, the next connection leads to the server that does.
 */
const FATAL_CODES = new Set([
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_UNKNOWN_COM_ERROR', // a Galera node that is cut off from the others
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_SERVER_SHUTDOWN',
]);
/** Gap locks would make unrelated submissions wait for each other. */
const SESSION_ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** The longest wait for a row that another transaction has; it ends before the statement does. */
const LOCK_WAIT_SECONDS = 3;
const PACKET_LIMIT = 'SELECT @@max_allowed_packet AS bytes';

/** What the server takes in one packet, in bytes, by connection. */
const packetLimits = new WeakMap<mysql.PoolConnection, number>();

/** What the connections of a pool are doing. */
export interface PoolUse {
  inUse: number;
  idle: number;
  /** Callers that wait for one. */
  waiting: number;
}

type Callback = (error: NodeJS.ErrnoException | null, connection: mysql.PoolConnection) => void;

/** No connection became free, or none could be opened, in time. */
class NoConnectionInTime extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Makes the driver's pool keep time when the server goes silent. By itself, mysql2 lets a caller wait
 * for a connection for ever, and takes a connection back whose statement timed out, where the next
 * statement would wait behind the lost one without a timer of its own.
 * @param lockWaitSeconds how long a statement waits for a row that another transaction has
 */
export function createPool(
  options: mysql.PoolOptions,
  lockWaitSeconds = LOCK_WAIT_SECONDS,
): mysql.Pool {
  const pool = mysql.createPool(options);
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
 * What a connection of a pool made here carries in one packet, in bytes: a server breaks off the
 * connection that sends more, which looks as if the server had gone.
 */
export function packetLimitOf(connection: mysql.PoolConnection): number {
  return packetLimits.get(connection) ?? Infinity;
}

/** The driver tells it nowhere but in its own lists. */
export function useOf(pool: unknown): PoolUse {
  const lists = pool as Record<
    '_allConnections' | '_freeConnections' | '_connectionQueue',
    { length: number }
  >;
  const idle = lists._freeConnections.length;
  return {
    inUse: lists._allConnections.length - idle,
    idle,
    waiting: lists._connectionQueue.length,
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

/** Keeps the pool from handing out a connection again that is known to lead nowhere. */
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
