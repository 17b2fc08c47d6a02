import mysql from 'mysql2';
import { destroyOnFatalError, takeInTime, formatSql } from './driver-workarounds.js';

/** Longest time to open a connection, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 2_000;

/** Longest statement in milliseconds. Then the caller gets 503 instead of a hanging request. */
export const QUERY_TIMEOUT_MS = 3_500;

/**
 * Sets what every connection depends on, so that a server's defaults do not matter. First the character set: the driver
 * escapes values for utf8mb4. A server that reads them in another one (`skip-character-set-client-handshake`,
 * `init_connect`) may see the end of a text elsewhere. Then UTC, and no silent truncation.
 */
const SESSION_VARIABLES = `SET NAMES utf8mb4 COLLATE utf8mb4_bin, ${[
  'autocommit = 1',
  "time_zone = '+00:00'",
  "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
]
  .map((setting) => `SESSION ${setting}`)
  .join(', ')}`;

/** Gap locks of the default level would make unrelated submissions wait for each other. */
const SESSION_ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Longest wait for a row that another transaction locks, in seconds; shorter than QUERY_TIMEOUT_MS. */
const LOCK_WAIT_SECONDS = 3;

/** Statements are sent as text. The driver makes room for 16,000 prepared ones on each connection: 500 KB. */
const PREPARED_STATEMENTS = 1;

/** Kinds of rows for which the driver keeps what reads them; it makes room for 15,000 otherwise. */
export const ROW_PARSERS = 500;

const PACKET_LIMIT = 'SELECT @@max_allowed_packet AS bytes';

/** Longest packet that the server takes, in bytes, by connection. */
const packetLimits = new WeakMap<mysql.PoolConnection, number>();

/**
 * Makes a pool whose waits end when the server goes silent, and whose sessions are ours. A caller who waits
 * too long gets NoConnectionInTime.
 * @param lockWaitSeconds how long a statement waits for a row that another transaction locks
 */
export function createPool(options: mysql.PoolOptions, lockWaitSeconds = LOCK_WAIT_SECONDS): mysql.Pool {
  const pool = mysql.createPool({
    ...options,
    queryFormat: formatSql,
    trace: false,
    maxPreparedStatements: PREPARED_STATEMENTS,
  });
  takeInTime(pool, (connection, done) => {
    prepare(connection, lockWaitSeconds, done);
  });
  return pool;
}

/**
 * Returns the longest packet of a connection of this pool, in bytes. A server closes a connection that sends
 * more, which looks like an outage.
 */
export function packetLimitOf(connection: mysql.PoolConnection) {
  return packetLimits.get(connection) ?? Infinity;
}

function prepare(
  connection: mysql.PoolConnection,
  lockWaitSeconds: number,
  done: (error: NodeJS.ErrnoException | null) => void,
) {
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

function askPacketLimit(connection: mysql.PoolConnection, done: (error: NodeJS.ErrnoException | null) => void) {
  connection.query<mysql.RowDataPacket[]>(PACKET_LIMIT, (error, rows) => {
    if (!error) packetLimits.set(connection, Number(rows[0]?.bytes));
    done(error);
  });
}
