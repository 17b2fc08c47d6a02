import type { OnApplicationShutdown } from '@nestjs/common';
import type mysql from 'mysql2';
import { PacketTooLarge } from './database.errors.js';
import { rowsSql } from './escape.js';
import { useOf, type PoolUse } from './driver-workarounds.js';
import { packetLimitOf, QUERY_TIMEOUT_MS } from './pool.js';
import type { Statement } from './statement.js';

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
