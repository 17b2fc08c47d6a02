import mysql from 'mysql2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import {
  allowServerColumnTypes,
  destroyOnFatalError,
  useOf,
  resetAbortedTransaction,
  takeInTime,
} from './driver-workarounds.js';

const ignore = () => undefined;

/** Runs a server that takes connections and never says a word, and hands out a pool of them. */
async function withSilentServer(options: mysql.PoolOptions, use: (pool: mysql.Pool) => unknown): Promise<void> {
  const open = new Set<Socket>();
  const server = createServer((socket) => open.add(socket.on('error', ignore)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = mysql.createPool({ host: '127.0.0.1', port, ...options });
  await use(pool);
  pool.end(ignore);
  for (const socket of open) socket.destroy();
  server.close();
}

async function embedded(): Promise<DataSource> {
  return new DataSource({ type: 'better-sqlite3', database: ':memory:' }).initialize();
}

describe('What is relied on in the drivers', () => {
  it('mysql2 counts its connections in the lists that are read', async () => {
    await withSilentServer({ connectionLimit: 1 }, (pool) => {
      expect(useOf(pool)).toEqual({ inUse: 0, idle: 0, waiting: 0, max: 1 });
      pool.getConnection(ignore);
      pool.getConnection(ignore);
      expect(useOf(pool)).toEqual({ inUse: 1, idle: 0, waiting: 1, max: 1 });
    });
  });

  it('mysql2 asks its pool for connections by the method that is replaced', async () => {
    await withSilentServer({ connectTimeout: 60_000 }, async (pool) => {
      takeInTime(pool, (_connection, done) => {
        done(null);
      });
      const code = await new Promise((resolve) => {
        pool.query('SELECT 1', (error) => {
          resolve(error?.code);
        });
      });
      expect(code).toBe('ETIMEDOUT');
    });
  });

  it('mysql2 calls back last, so that fatal errors can be seen', () => {
    const state = { destroyed: false };
    const failing = (code: string) => ({
      query: (_sql: string, done: (error: Error) => void) => {
        done(Object.assign(new Error(code), { code }));
      },
      destroy: () => {
        state.destroyed = true;
      },
    });
    for (const [code, destroyed] of [
      ['ER_DUP_ENTRY', false],
      ['PROTOCOL_SEQUENCE_TIMEOUT', true],
    ] as const) {
      const connection = failing(code) as unknown as mysql.PoolConnection;
      destroyOnFatalError(connection);
      connection.query('SELECT 1', ignore);
      expect(state.destroyed).toBe(destroyed);
    }
  });

  it('TypeORM takes a transaction for running that SQLite has ended, until it is reset', async () => {
    const database = await embedded();
    const driver = database.driver as BetterSqlite3Driver;
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    (driver.databaseConnection as { exec(sql: string): void }).exec('ROLLBACK');
    expect(driver.queryRunner?.isTransactionActive).toBe(true);

    resetAbortedTransaction(driver);

    await database.transaction((tx) => tx.query('SELECT 1'));
    expect((driver.databaseConnection as { inTransaction: boolean }).inTransaction).toBe(false);
    await database.destroy();
  });

  it('TypeORM asks the lists of types that are added to', async () => {
    const database = await embedded();
    expect(database.driver.supportedDataTypes).not.toContain('mediumtext');
    allowServerColumnTypes(database.driver);
    expect(database.driver.supportedDataTypes).toContain('mediumtext');
    await database.destroy();
  });
});
