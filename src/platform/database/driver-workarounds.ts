import type { DataSource } from 'typeorm';
import mysql from 'mysql2';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';

/** Column types that SQLite accepts, but that TypeORM's list for it lacks. */
const SERVER_COLUMN_TYPES = ['binary', 'mediumtext', 'mediumblob'] as const;

/** Lets entities name the types of a server's columns on SQLite too. Written for TypeORM 1.1. */
export function allowServerColumnTypes(driver: DataSource['driver']) {
  driver.supportedDataTypes.push(...SERVER_COLUMN_TYPES);
  driver.withLengthColumnTypes.push(...SERVER_COLUMN_TYPES);
}

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
 * Closes a connection after a fatal error, so that the pool does not hand it out again. Written for mysql2 3.24, which
 * takes a connection back whose statement timed out; the next one would wait behind the lost statement.
 */
export function destroyOnFatalError(connection: mysql.PoolConnection) {
  const query = connection.query.bind(connection) as (...args: unknown[]) => mysql.Query;
  connection.query = ((...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done !== 'function') return query(...args);
    return query(...args.slice(0, -1), (error: NodeJS.ErrnoException | null, ...rest: unknown[]) => {
      if (error && FATAL_CODES.has(error.code ?? '')) connection.destroy();
      (done as (...results: unknown[]) => void)(error, ...rest);
    });
  }) as typeof connection.query;
}

/**
 * Replaces the query runner when SQLite has ended a transaction by itself: a commit does so when the disk is
 * full. TypeORM's rollback then fails, and it would make later transactions parts of one that is never
 * committed. Written for TypeORM 1.1.
 */
export function resetAbortedTransaction(driver: BetterSqlite3Driver) {
  const connection = driver.databaseConnection as { inTransaction: boolean; exec(sql: string): void };
  if (connection.inTransaction) connection.exec('ROLLBACK');
  if (driver.queryRunner?.isTransactionActive) driver.queryRunner = undefined;
}

/** The connections of a pool. */
export interface PoolUse {
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Most connections that are kept. */
  max: number;
}

/** Counts a pool's connections. Written for mysql2 3.24, which keeps them only in private lists. */
export function useOf(pool: unknown): PoolUse {
  const lists = pool as Record<'_allConnections' | '_freeConnections' | '_connectionQueue', { length: number }> & {
    config: { connectionLimit: number };
  };
  const idle = lists._freeConnections.length;
  return {
    inUse: lists._allConnections.length - idle,
    idle,
    waiting: lists._connectionQueue.length,
    max: lists.config.connectionLimit,
  };
}

/** Longest wait for a free connection, in milliseconds. */
const ACQUIRE_TIMEOUT_MS = 2_000;

type Callback = (error: NodeJS.ErrnoException | null, connection: mysql.PoolConnection) => void;

/** No connection became free, or none could be opened, in time. */
class NoConnectionInTime extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Makes a pool end a caller's wait with NoConnectionInTime, and hand out only connections that are prepared.
 * Written for mysql2 3.24, where a caller waits for a connection for ever.
 * @param prepare is run once for each connection; one that it refuses is closed
 */
export function takeInTime(
  pool: mysql.Pool,
  prepare: (connection: mysql.PoolConnection, done: (error: NodeJS.ErrnoException | null) => void) => void,
) {
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
        prepare(connection, (refused) => {
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
}

/**
 * From this length on, in characters, texts are escaped here. The driver's escaping joins a piece for each
 * character that it escapes: 150 ms for a million of them, where this takes 7.
 */
const LONG_TEXT_CHARS = 4_096;
const QUOTE = 0x27;
const BACKSLASH = 0x5c;

type SqlValue = Parameters<typeof mysql.escape>[0];
type Values = Parameters<typeof mysql.format>[1];

/** Wraps a text that escapes itself: the driver calls `toSqlString`. */
class LongText {
  constructor(private readonly text: string) {}

  /** Returns the quoted text. It works on bytes: in UTF-8 no quote or backslash is part of another character. */
  toSqlString() {
    if (!/['\\]/.test(this.text)) return `'${this.text}'`;
    const bytes = Buffer.from(this.text);
    const sql = Buffer.allocUnsafe(2 * bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (byte === QUOTE || byte === BACKSLASH) sql[length++] = BACKSLASH;
      sql[length++] = byte;
    }
    return `'${sql.toString('utf8', 0, length)}'`;
  }
}

/**
 * Writes rows as the list behind VALUES, in a third of the time of the driver, which looks at each value in every
 * way that it knows. In a session of ours (see `pool.ts`) a quote and a backslash alone mean something within quotes.
 */
export function rowsSql(rows: readonly (readonly unknown[])[]) {
  return rows.map((row) => `(${row.map(valueSql).join(',')})`).join(',');
}

function valueSql(value: unknown) {
  if (typeof value === 'string') return textSql(value);
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `X'${value.toString('hex')}'`;
  return mysql.escape(value as SqlValue, false, 'Z');
}

function textSql(text: string) {
  if (text.length >= LONG_TEXT_CHARS) return new LongText(text).toSqlString();
  if (!text.includes("'") && !text.includes('\\')) return `'${text}'`;
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** Returns how many bytes a long text takes in a statement. */
export function longTextBytes(text: string) {
  let escaped = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE || unit === BACKSLASH) escaped++;
  }
  return Buffer.byteLength(text) + escaped;
}

/** Begins a text or a comment in a statement, where a `?` means itself. */
const TEXT_OR_COMMENT = /['"#]|--|\/\*/;

/**
 * Writes values into a statement in place of its `?`, as the driver's `queryFormat`. An array of rows
 * becomes a list of rows. Most statements are simple, and written in a fraction of the driver's time.
 * @param timezone that dates are written in; the driver passes the connection's
 */
export function formatSql(sql: string, values: Values, timezone = 'Z') {
  if (Array.isArray(values)) {
    if (values.length === 0) return sql;
    const parts = values.every(isPlain) && !TEXT_OR_COMMENT.test(sql) ? sql.split('?') : [];
    if (parts.length === values.length + 1) return filled(parts, values);
  }
  return mysql.format(sql, withLongTexts(values), false, timezone);
}

/** Tells whether a value is written as one value: a list or an object is more. */
function isPlain(value: unknown) {
  return typeof value !== 'object' || value === null || Buffer.isBuffer(value);
}

function filled(parts: readonly string[], values: readonly unknown[]) {
  let sql = parts[0] ?? '';
  for (let at = 0; at < values.length; at++) sql += valueSql(values[at]) + (parts[at + 1] ?? '');
  return sql;
}

function withLongTexts(value: Values): Values {
  if (Array.isArray(value)) return value.map(withLongTexts);
  return typeof value === 'string' && value.length >= LONG_TEXT_CHARS ? new LongText(value) : value;
}
