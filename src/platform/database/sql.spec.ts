import mysql from 'mysql2';
import { QueryFailedError } from 'typeorm';
import { databaseErrorCode, isConflict, isConnectionLost, isRetryable, isUnavailable } from './sql.js';

/** Reaction to an error: the same work again, a look whether it happened, or nothing but a 503. */
type Kind = 'conflict' | 'waited' | 'again' | 'lost' | 'away' | 'ours';

function kindOf(error: unknown): Kind {
  if (isConflict(error) && isRetryable(error) && isUnavailable(error)) return 'conflict';
  if (isConflict(error) && isUnavailable(error)) return 'waited';
  if (isRetryable(error) && isUnavailable(error)) return 'again';
  if (isConnectionLost(error) && isUnavailable(error)) return 'lost';
  return isUnavailable(error) ? 'away' : 'ours';
}

const withCode = (code: string) => Object.assign(new Error('x'), { code });

/** As TypeORM hands it on. */
const failedQuery = (cause: Error) => new QueryFailedError('SELECT 1', [], cause);

describe('An error of the database', () => {
  it.each<[Kind, string[]]>([
    ['conflict', ['ER_LOCK_DEADLOCK', 'ER_CHECKREAD', 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT']],
    ['waited', ['ER_LOCK_WAIT_TIMEOUT']],
    ['again', ['ER_UNKNOWN_COM_ERROR', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED']],
    [
      'lost',
      [
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
      ],
    ],
    [
      'away',
      [
        'ECONNREFUSED',
        'ER_CON_COUNT_ERROR',
        'ER_SERVER_SHUTDOWN',
        'ER_OPTION_PREVENTS_STATEMENT',
        'ER_READ_ONLY_MODE',
        'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
        'ER_RUN_HOOK_ERROR',
        'ER_BEFORE_DML_VALIDATION_ERROR',
        'ER_GET_ERRNO',
        'ER_DISK_FULL',
        'ER_RECORD_FILE_FULL',
        'ER_OUTOFMEMORY',
        'SQLITE_FULL',
        'SQLITE_IOERR_WRITE',
        'SQLITE_READONLY',
      ],
    ],
    ['ours', ['ER_DUP_ENTRY', 'ER_PARSE_ERROR', 'ER_DATA_TOO_LONG', 'SQLITE_CONSTRAINT', '']],
  ])('is of the kind %s: %j', (kind, codes) => {
    for (const code of codes) {
      expect([code, kindOf(withCode(code))]).toEqual([code, kind]);
      expect([code, kindOf(failedQuery(withCode(code)))]).toEqual([code, kind]);
    }
  });

  it.each([
    [1927, 'ER_CONNECTION_KILLED'],
    [1969, 'ER_STATEMENT_TIMEOUT'],
  ])('of MariaDB with the number %d, which the driver gives no code, is %s', (errno, code) => {
    expect(databaseErrorCode(Object.assign(new Error('x'), { code: undefined, errno }))).toBe(code);
  });

  it('that the driver gives no code is recognised by its words', () => {
    for (const words of ["Can't add new command when connection is in closed state"]) {
      expect(kindOf(new Error(words))).toBe('lost');
    }
    expect(kindOf(new Error('Pool is closed.'))).toBe('away');
  });

  it('has words that the driver says', async () => {
    const pool = mysql.createPool({ host: '127.0.0.1', port: 1 });
    await pool.promise().end();
    const said = await pool
      .promise()
      .getConnection()
      .catch((error: unknown) => error);

    expect(databaseErrorCode(said)).toBe('POOL_CLOSED');
  });
});
