import {
  QueryFailedError,
  type QueryDeepPartialEntity,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../kernel/errors.js';

/** The database is away, full or too busy; nothing was stored. */
export class DatabaseUnavailable extends UnavailableError {
  /** @param cause the driver's error, for the log */
  constructor(override readonly cause?: unknown) {
    super('database_unavailable', 'The database is temporarily unavailable. Try again shortly.');
  }
}

/** The statements are longer than the server takes in one packet (`max_allowed_packet`). It has not seen any. */
export class PacketTooLarge extends Error {}

/** Another transaction has locked rows that this one needs; the database itself works. */
const CONFLICT_CODES = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD', // the row changed since this snapshot read it
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', // rolled back by Group Replication
]);

/**
 * The transaction is gone and the same work may succeed at once: after a deadlock, or when a cluster refused
 * the write. On SQLite: another process has the write lock.
 */
const RETRY_CODES = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_CHECKREAD',
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
  'ER_UNKNOWN_COM_ERROR',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
]);

/** The connection broke, or no answer came in time: a running statement or commit may or may not have happened. */
const LOST_CODES = new Set([
  'ER_ERROR_DURING_COMMIT',
  'ER_QUERY_INTERRUPTED',
  'ER_QUERY_TIMEOUT',
  'ER_STATEMENT_TIMEOUT',
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'ER_ABORTING_CONNECTION',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_NET_READ_ERROR',
  'ER_NET_READ_INTERRUPTED',
  'ER_NET_ERROR_ON_WRITE',
  'ER_NET_WRITE_INTERRUPTED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
]);

/** Errors that mysql2 gives no code, by their message. */
const DRIVER_MESSAGES = new Map([
  ["Can't add new command when connection is in closed state", 'PROTOCOL_CONNECTION_LOST'],
  ["Can't write in closed state", 'PROTOCOL_CONNECTION_LOST'],
  ['Pool is closed.', 'POOL_CLOSED'],
]);

/** Error numbers of MariaDB that mysql2 gives no code, since it knows MySQL's. */
const SERVER_NUMBERS = new Map<unknown, string>([
  [1927, 'ER_CONNECTION_KILLED'],
  [1969, 'ER_STATEMENT_TIMEOUT'],
]);

/** No room left, as SQLite, the servers and the operating system say it. */
const FULL_CODES = new Set([
  'SQLITE_FULL',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_GET_ERRNO', // MariaDB's way to say that the disk is full
  'ENOSPC',
  'EDQUOT',
]);

/** No connection, none in time, a server that refuses writes, or no room to write to. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'POOL_CLOSED',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_SHUTDOWN_COMPLETE',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_RUN_HOOK_ERROR', // Group Replication could not reach the other members
  'ER_BEFORE_DML_VALIDATION_ERROR', // this member is not part of the group
  'ER_GET_ERRNO', // MariaDB's way to say that the disk is full
  'ER_OUTOFMEMORY',
  'ER_OUT_OF_RESOURCES',
  'ER_CANT_CREATE_THREAD',
  'ER_RECORD_FILE_FULL',
  'ER_DISK_FULL',
  'ER_ERROR_ON_WRITE',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  ...CONFLICT_CODES,
  ...RETRY_CODES,
  ...LOST_CODES,
]);

/** Returns the driver's own error behind TypeORM's, or the error itself. */
function driverError(error: unknown): { code?: unknown; errno?: unknown; message?: unknown } {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null ? cause : {};
}

/** Returns the driver's code of an error, such as `ER_DUP_ENTRY` or `SQLITE_FULL`; '' without one. */
export function databaseErrorCode(error: unknown): string {
  const { code, errno, message } = driverError(error);
  if (typeof code === 'string') return code;
  return SERVER_NUMBERS.get(errno) ?? DRIVER_MESSAGES.get(String(message)) ?? '';
}

/** Tells whether there is no room left, on the disk of the database or of uploaded files. */
export function isFullDisk(error: unknown) {
  return FULL_CODES.has(databaseErrorCode(error));
}

/** Tells whether the same transaction may succeed when it is run again. */
export function isRetryable(error: unknown) {
  return RETRY_CODES.has(databaseErrorCode(error));
}

/** Tells whether another transaction was in the way while the database itself works. */
export function isConflict(error: unknown) {
  return CONFLICT_CODES.has(databaseErrorCode(error));
}

/** Tells whether a commit may have happened although its answer was lost. */
export function isConnectionLost(error: unknown) {
  return LOST_CODES.has(databaseErrorCode(error));
}

/** Tells whether the database is the reason, not the request. */
export function isUnavailable(error: unknown) {
  const code = databaseErrorCode(error);
  return UNAVAILABLE_CODES.has(code) || code.startsWith('SQLITE_IOERR');
}

/**
 * Tells whether a unique constraint refused the row.
 * @param constraint its name on MySQL; `columns` is how SQLite names it, such as `clients.email_key`
 */
export function isDuplicate(error: unknown, constraint: string, columns: string): boolean {
  const text = String(driverError(error).message);
  return (
    (databaseErrorCode(error) === 'ER_DUP_ENTRY' && text.includes(constraint)) ||
    (databaseErrorCode(error).startsWith('SQLITE_CONSTRAINT') && text.includes(columns))
  );
}

/** A statement; if `rows` is set, `sql` ends in VALUES and the rows are appended. */
export interface Statement {
  sql: string;
  rows?: readonly (readonly unknown[])[];
}

/**
 * Returns an INSERT of all rows, for the paths where speed matters: TypeORM's own insert costs more than the
 * database does.
 * @param rows each as long as `columns`; dates as text from `sqlDate`
 * @returns no statement when there are no rows
 */
export function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Statement[] {
  if (rows.length === 0) return [];
  return [{ sql: `INSERT INTO ${table} (${columns.join(',')}) VALUES`, rows }];
}

/** Runs statements one after the other. */
export async function runStatements(tx: EntityManager, statements: readonly Statement[]) {
  for (const { sql, rows = [] } of statements) {
    const marks = rows.map((row) => `(${placeholders(row)})`);
    await tx.query(`${sql} ${marks.join(',')}`, rows.flat());
  }
}

/** Runs a statement in a transaction. @returns how many rows it changed or removed */
export async function changeRows({ queryRunner }: EntityManager, sql: string, values: unknown[]) {
  const result = await queryRunner?.query(sql, values, true);
  return result?.affected ?? 0;
}

/** Returns a `?` for each value, such as `?,?,?`. */
export function placeholders(values: readonly unknown[]) {
  return values.map(() => '?').join(',');
}

/** Returns a moment as both engines store it: UTC, in milliseconds, such as `2030-01-31 12:00:00.000`. */
export function sqlDate(date: Date) {
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, -1)}`;
}

/**
 * Reads outside a transaction. On the embedded database it has a connection of its own: TypeORM shares one connection
 * per data source there, so a read beside a running transaction would see rows that may be rolled back.
 */
export abstract class ReadManager {
  abstract readonly manager: EntityManager;
}

/** A repository that reads outside transactions, and takes part in one by `in`. */
@Injectable()
export abstract class TransactionalRepository {
  constructor(protected readonly source: ReadManager) {}

  /** Returns the same repository for a transaction; without one itself. */
  in(tx: EntityManager | undefined): this {
    if (!tx) return this;
    const Own = this.constructor as new (source: ReadManager) => this;
    return new Own({ manager: tx });
  }

  protected rowsOf<Row extends ObjectLiteral>(entity: EntityTarget<Row>): Repository<Row> {
    return this.source.manager.getRepository(entity);
  }
}

/** Inserts rows; one whose key is there already stays as it is. */
export async function insertMissing<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  values: readonly QueryDeepPartialEntity<Row>[],
) {
  const query = rows.createQueryBuilder().insert();
  await query
    .values([...values])
    .orIgnore()
    .execute();
}
