import type { Pool, PoolConnection, Query } from 'mysql2';
import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { ReadManager } from '../../src/platform/database/sql.js';
import { SubmissionConnection } from '../../src/platform/database/data-source.js';
import type { Service } from './service.js';

/**
 * Amount that one statement read, in units of the engine: rows on a server, pages of the file on the embedded
 * database.
 */
export interface Read {
  sql: string;
  units: number;
}

/** Rows that a statement looked at: by index, one after the other, and by conditions on an index. */
const ROWS_READ = `SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read\\_%'
  OR Variable_name = 'Handler_icp_attempts'`;
const PAGE_BYTES = 4096;
/** Matches statements that begin and end transactions. They read no rows; the end of one may copy others' pages. */
const NO_READS = /^\s*(?:BEGIN|START|COMMIT|ROLLBACK|SET|SAVEPOINT|RELEASE|PRAGMA)\b/i;

type Status = { Variable_name: string; Value: string }[];

/**
 * Tells what each statement of a service reads. A server counts rows by session. The embedded database counts
 * nothing, but its driver works within one turn of one thread, whose bytes the kernel counts; its cache is emptied
 * before each statement.
 */
export class ReadCounter {
  private reads: Read[] = [];
  private isOn = false;
  private readonly open = new Set<Promise<void>>();
  private readonly watched = new WeakSet<object>();

  constructor({ app }: Service) {
    const database = app.get(DataSource);
    const { pool } = database.driver as { pool?: Pool };
    if (pool) {
      this.watchPool(pool);
      this.watchPool(Reflect.get(app.get(SubmissionConnection), 'pool') as Pool);
    } else {
      for (const source of [database, app.get(ReadManager).manager.dataSource]) {
        this.watchEmbedded(source);
      }
    }
  }

  /** Runs something, and returns what each of the statements read that it caused. */
  async during(work: () => Promise<unknown>): Promise<Read[]> {
    this.reads = [];
    this.isOn = true;
    try {
      await work();
    } finally {
      this.isOn = false;
    }
    while (this.open.size > 0) await Promise.all(this.open);
    return this.reads;
  }

  private add(sql: string, units: number): void {
    if (!NO_READS.test(sql) || sql.includes(';')) this.reads.push({ sql, units });
  }

  private watchPool(pool: Pool): void {
    const take = pool.getConnection.bind(pool);
    pool.getConnection = (callback) => {
      take((error, connection) => {
        // There is none after an error, whatever the types say.
        if (!error) this.watchConnection(connection);
        callback(error, connection);
      });
    };
  }

  private watchConnection(connection: PoolConnection): void {
    if (this.watched.has(connection)) return;
    this.watched.add(connection);
    const query = connection.query.bind(connection) as (...args: unknown[]) => Query;
    // The connection sends what is asked of it one after the other, so the status is that after the statement.
    const ask = (take: (rows: number) => void) => {
      const asked = new Promise<void>((resolve) => {
        query(ROWS_READ, (error: Error | null, rows: Status) => {
          if (!error) take(rows.reduce((sum, { Value }) => sum + Number(Value), 0));
          resolve();
        });
      });
      this.open.add(asked);
      void asked.then(() => this.open.delete(asked));
    };
    let before = 0;
    connection.query = ((...args: unknown[]) => {
      if (!this.isOn) return query(...args);
      const [first] = args as [string | { sql: string }];
      ask((rows) => (before = rows));
      const sent = query(...args);
      ask((rows) => {
        this.add(typeof first === 'string' ? first : first.sql, rows - before);
      });
      return sent;
    }) as typeof connection.query;
  }

  private watchEmbedded(source: DataSource): void {
    interface Statement {
      source: string;
      all: (...values: unknown[]) => unknown;
      run: (...values: unknown[]) => unknown;
    }
    const { databaseConnection: database } = source.driver as unknown as {
      databaseConnection: { prepare: (sql: string) => Statement; pragma: (text: string) => unknown };
    };
    const counted = (sql: string, work: () => unknown) => {
      if (!this.isOn) return work();
      database.pragma('shrink_memory');
      const begin = bytesRead();
      const result = work();
      this.add(sql, Math.ceil((bytesRead() - begin - COST) / PAGE_BYTES));
      return result;
    };
    const prepare = database.prepare.bind(database);
    // Earlier ones are in the driver's cache, by their text.
    const known = source.createQueryRunner() as unknown as { stmtCache?: Map<string, unknown> };
    known.stmtCache?.clear();
    database.prepare = (sql) => {
      const statement = prepare(sql);
      for (const name of ['all', 'run'] as const) {
        const own = statement[name].bind(statement);
        statement[name] = (...values) => counted(sql, () => own(...values));
      }
      return statement;
    };
  }
}

/** Returns how many bytes this thread has read so far, from the kernel's cache or not. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);
}

/** Bytes that the measurement reads itself. */
const COST = ((begin: number) => bytesRead() - begin)(bytesRead());

/** Writes a statement as all of its kind are written: without numbers, and lists as long as they may be. */
export function shapeOf(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/X?\b0x[0-9a-f]+\b/gi, '?')
    .replace(/(?<![\w`])\d+\b/g, '?')
    .replace(/(\b[a-z]+)\d+\b/gi, '$1')
    .replace(/\?(?:, ?\?)+/g, '?…')
    .replace(/(\(\?…?\))(?:, ?\(\?…?\))+/g, '$1…')
    .replace(/(SELECT .{20,600}?)(?: UNION ALL \1)+/g, '$1 UNION…')
    .trim();
}
