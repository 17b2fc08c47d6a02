import { type OnApplicationShutdown, Logger } from '@nestjs/common';
import mysql from 'mysql2';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type Logger as TypeOrmLogger } from 'typeorm';
import { SnakeCase } from './columns.js';
import { PacketTooLarge, type Statement, isRetryable, isUnavailable } from './sql.js';
import { rowsSql, useOf, type PoolUse, allowServerColumnTypes } from './driver-workarounds.js';
import { packetLimitOf, QUERY_TIMEOUT_MS, CONNECT_TIMEOUT_MS, createPool } from './pool.js';
import type { DatabaseAddress } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import { migrations } from './migrations/index.js';

/**
 * Connects to a server for storing submissions alone, so that reads cannot use the connection up.
 * `multipleStatements` is on, so that a transaction is one round trip: under load each round trip waits for
 * its turn among everything else in this process.
 */
export class SubmissionConnection implements OnApplicationShutdown {
  /** @param pool of connections that take several statements */
  constructor(private readonly pool: mysql.Pool) {}

  /**
   * Runs the statements in a transaction and commits it. When one fails, the server skips the rest, and the
   * transaction is rolled back. All statements are one packet.
   * @throws PacketTooLarge, NoConnectionInTime or the driver's error
   */
  async run(statements: readonly Statement[]): Promise<void> {
    const connection = await this.connect();
    try {
      const texts = statements.map(({ sql, rows }) => (rows ? `${sql} ${rowsSql(rows)}` : sql));
      const text = ['START TRANSACTION', ...texts, 'COMMIT'].join(';');
      if (Buffer.byteLength(text) >= packetLimitOf(connection)) throw new PacketTooLarge();
      await send(connection, text);
    } catch (error) {
      await send(connection, 'ROLLBACK').catch(() => {
        connection.destroy();
      });
      throw error;
    } finally {
      connection.release();
    }
  }

  get use(): PoolUse {
    return useOf(this.pool);
  }

  async onApplicationShutdown() {
    await this.pool.promise().end();
  }

  private connect(): Promise<mysql.PoolConnection> {
    return new Promise((resolve, reject) => {
      this.pool.getConnection((error, connection) => {
        if (error) reject(error);
        else resolve(connection);
      });
    });
  }
}

/**
 * Sends SQL. The driver's own promises would capture a stack at every call. Null values skip its search for
 * placeholders.
 */
function send(connection: mysql.PoolConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, values: null, timeout: QUERY_TIMEOUT_MS }, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** How long a start waits for a database server that does not answer, in milliseconds. */
const SERVER_WAIT_MS = 30_000;
/** Pause between two attempts to connect to it, in milliseconds. */
const SERVER_RETRY_MS = 500;
/**
 * How long a transaction of submissions waits for a row of a form that another transaction locks. Then that
 * form's submissions are stored apart. One second is the shortest time that servers know; all other waiting
 * submissions wait for it.
 */
const SUBMISSION_LOCK_WAIT_SECONDS = 1;
/** Shortest time between two log lines about waiting, in milliseconds. */
const SERVER_WAIT_LOG_MS = 5_000;
/** How long a writer waits for another process that writes to the embedded database, in milliseconds. */
const EMBEDDED_BUSY_TIMEOUT_MS = 5_000;
/** Pause between two attempts to open it meanwhile, in milliseconds. */
const EMBEDDED_RETRY_MS = 50;

/** The database cannot be used as it is; the message says why and what to do. */
export class DatabaseRefused extends Error {}

/**
 * Returns the options that reach the database of record.
 * @param waitMs how long to wait for a server that is still starting
 * @throws DatabaseRefused when the server is too old, or cannot be used within that time
 */
export async function databaseOptions(config: Config, waitMs = SERVER_WAIT_MS): Promise<DataSourceOptions> {
  const address = config.database;
  if (address.kind === 'embedded') return embedded(address.file);
  return server(address, await awaitServer(address, waitMs), config.databasePoolSize);
}

/**
 * Opens a database.
 * @throws the driver's error
 */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  const isFile = options.type === 'better-sqlite3';
  for (const deadline = performance.now() + EMBEDDED_BUSY_TIMEOUT_MS; ;) {
    const source = new DataSource({ ...options, logger: new StatementLog(), namingStrategy: new SnakeCase() });
    if (isFile) allowServerColumnTypes(source.driver);
    try {
      return await source.initialize();
    } catch (error) {
      // SQLite does not wait for others who are turning the same new file's write-ahead log on.
      if (!isFile || !isRetryable(error) || performance.now() > deadline) throw error;
      await pause(EMBEDDED_RETRY_MS);
    }
  }
}

/** Opens the connection for submissions to a server; returns null when the database is embedded. */
export function openSubmissionConnection({ database }: Config): SubmissionConnection | null {
  if (database.kind === 'embedded') return null;
  const options = connectionOptions(database);
  return new SubmissionConnection(
    createPool({ ...options, multipleStatements: true, connectionLimit: 1 }, SUBMISSION_LOCK_WAIT_SECONDS),
  );
}

/** Opens the connection that only reads. On a server the pool serves both. */
export async function openReadManager(database: DataSource): Promise<DataSource> {
  if (database.options.type !== 'better-sqlite3') return database;
  return openDatabase({ ...database.options, ...embedded(database.options.database, true) });
}

function embedded(file: string, readonly = false) {
  return {
    type: 'better-sqlite3' as const,
    database: file,
    readonly,
    timeout: EMBEDDED_BUSY_TIMEOUT_MS,
    migrations,
    prepareDatabase: (database: { pragma: (text: string) => unknown }) => {
      if (!readonly) database.pragma('journal_mode = WAL');
      // WAL defaults to NORMAL here, which may lose the last commits at a power failure.
      database.pragma('synchronous = FULL');
    },
  };
}

function server(
  address: DatabaseAddress & { kind: 'server' },
  type: 'mysql' | 'mariadb',
  poolSize: number,
): DataSourceOptions {
  return {
    type,
    driver: { ...mysql, createPool },
    ...connectionOptions(address),
    username: address.user,
    poolSize,
    maxQueryExecutionTime: QUERY_TIMEOUT_MS,
    enableQueryTimeout: true,
    migrations,
  };
}

/** Returns the options of every connection to a server. */
function connectionOptions(address: DatabaseAddress & { kind: 'server' }) {
  return {
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.name,
    ...(address.tls && { ssl: {} }),
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
}

/** Waits until the server answers, and returns which of the two engines it is. */
async function awaitServer(address: DatabaseAddress & { kind: 'server' }, waitMs: number) {
  const deadline = Date.now() + waitMs;
  let logAt = 0;
  for (;;) {
    try {
      return engineOf(await versionOf(address));
    } catch (error) {
      if (!isUnavailable(error) || Date.now() >= deadline) {
        throw error instanceof DatabaseRefused
          ? error
          : new DatabaseRefused(
              `DATABASE_URL names ${address.host}:${address.port}, which does not work: ${reasonOf(error)}.`,
            );
      }
      if (Date.now() >= logAt) {
        logAt = Date.now() + SERVER_WAIT_LOG_MS;
        const { host, port } = address;
        new Logger('Database').warn('Waiting for the server of DATABASE_URL', { host, port, reason: reasonOf(error) });
      }
      await pause(SERVER_RETRY_MS);
    }
  }
}

async function versionOf(address: DatabaseAddress & { kind: 'server' }) {
  const connection = mysql.createConnection(connectionOptions(address));
  try {
    const [rows] = await connection.promise().query<mysql.RowDataPacket[]>('SELECT VERSION() AS version');
    return String(rows[0]?.version);
  } finally {
    connection.destroy();
  }
}

/**
 * Returns the engine of a server.
 * @param version as the server reports it, such as `8.4.3` or `10.11.6-MariaDB-0+deb12u1`
 * @throws DatabaseRefused when it is older than supported
 */
export function engineOf(version: string): 'mysql' | 'mariadb' {
  const mariadb = /mariadb/i.test(version);
  const [major = 0, minor = 0] = version
    .replace(/^5\.5\.5-/, '')
    .split('.')
    .map(Number.parseFloat);
  const [leastMajor, leastMinor] = mariadb ? [10, 11] : [8, 4];
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    throw new DatabaseRefused(
      `The database server is version ${version}. The service needs MySQL 8.4 or newer, or MariaDB 10.11 or newer.`,
    );
  }
  return mariadb ? 'mariadb' : 'mysql';
}

function reasonOf(error: unknown) {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === 'ER_ACCESS_DENIED_ERROR' || code === 'ER_DBACCESS_DENIED_ERROR') {
    return 'the user name or password is not accepted for that database';
  }
  if (code === 'ER_BAD_DB_ERROR') return 'a database of that name does not exist; create it first';
  return code || message;
}

/** Longest part of a statement that is logged, in characters. */
const SQL_MAX_CHARS = 300;

/** Logs slow statements, and nothing else. TypeORM's own logger would print the values, which visitors sent. */
export class StatementLog implements TypeOrmLogger {
  private readonly logger = new Logger(StatementLog.name);

  logQuerySlow(ms: number, sql: string) {
    this.logger.warn('A statement was slow', { ms, sql: sql.slice(0, SQL_MAX_CHARS) });
  }

  logQuery() {
    // Logging every statement would be too much.
  }

  logQueryError() {
    // The caller reports the error.
  }

  logSchemaBuild() {
    // Never happens: migrations make the tables.
  }

  logMigration() {
    // `migrate` logs what it ran.
  }

  log() {
    // Nothing else is logged.
  }
}
