import type mysql from 'mysql2';

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
  prepare: (
    connection: mysql.PoolConnection,
    done: (error: NodeJS.ErrnoException | null) => void,
  ) => void,
): void {
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
