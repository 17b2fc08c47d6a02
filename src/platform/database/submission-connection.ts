import type { OnApplicationShutdown } from '@nestjs/common';
import type mysql from 'mysql2';
import { PacketTooLarge } from './database.errors.js';
import { packetLimitOf, QUERY_TIMEOUT_MS } from './pool.js';
import type { Statement } from './statement.js';

/**
 * The way of the submissions to a server: a connection of its own, which those who read cannot use
 * up. It alone takes several statements at a time, so that a transaction is one round trip: under
 * load each of them waits for its turn among everything else this process does.
 */
export class SubmissionConnection implements OnApplicationShutdown {
  /** @param pool of connections that take several statements */
  constructor(private readonly pool: mysql.Pool) {}

  /**
   * Runs the statements in a transaction and commits it; takes it back when one of them fails, after
   * which a server does not look at the rest. All of it is one packet.
   * @throws PacketTooLarge
   */
  async run(statements: readonly Statement[]): Promise<void> {
    const connection = await this.connect();
    try {
      const texts = statements.map(({ sql, rows }) =>
        rows ? `${sql} ${connection.escape(rows)}` : sql,
      );
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

  async onApplicationShutdown(): Promise<void> {
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
 * The driver's own promises note the stack at every call, in case one fails. Null for values keeps it
 * from looking for places to put them.
 */
function send(connection: mysql.PoolConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, values: null, timeout: QUERY_TIMEOUT_MS }, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
