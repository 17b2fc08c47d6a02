/** The databases under measurement: a private server, a given one, or files of the embedded database. */
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeServer, findServer, startServer } from '../test/support/private-server.js';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** How long the service may take to index what it has stored: it waits for two minutes while many submit. */
const INDEX_TIMEOUT_MS = 300_000;
const PREFIX = 'fcs_bench_';
/** Tables whose rows a baseline needs: accounts, tokens and forms. */
const COPIED = ['accounts', 'tokens', 'forms'];

/**
 * Finds a server that flushes at every commit, or starts one as it comes.
 * @param given URL of a running one; undefined starts an installed one privately
 * @param kept folder of a private one that stays, with its databases
 * @returns `create` makes a database by name, as a copy of another's accounts and forms when `like` is
 * given, and resolves to its URL; `stop` removes what was made
 */
export async function serverDatabases(given, kept = null) {
  const program = findServer();
  if (!given && !program) {
    throw new Error('Install MariaDB or MySQL, or give --url mysql://… or --embedded.');
  }
  const own = given ? null : await startServer(program, [], undefined, kept);
  // A pool finds its way back to a server that was started anew.
  const root = mysql.createPool({ uri: own?.url ?? given, connectionLimit: 1 });
  const made = [];
  const stop = async () => {
    if (!kept) {
      for (const name of made) await root.query(`DROP DATABASE IF EXISTS ${name}`);
    }
    await root.end();
    await own?.stop();
  };
  let logged;
  try {
    logged = await assertDurable(root);
  } catch (error) {
    await stop();
    throw error;
  }
  const urlOf = (name) => String(new URL(`/${name}`, own?.url ?? given));
  return {
    description: `${await describeServer(own?.url ?? given)}${logged ? ' with a binary log' : ''}`,
    get pid() {
      return own?.pid;
    },
    create: async (key, folder, like) => {
      const name = PREFIX + key;
      await root.query(`DROP DATABASE IF EXISTS ${name}`);
      await root.query(`CREATE DATABASE ${name}`);
      made.push(name);
      if (like !== undefined) {
        const env = { PATH: process.env.PATH, DATABASE_URL: urlOf(name), DATA_DIR: folder };
        await promisify(execFile)(process.execPath, [CLI, 'migrate'], { env });
        for (const table of COPIED) {
          await root.query(`INSERT INTO ${name}.${table} SELECT * FROM ${PREFIX}${like}.${table}`);
        }
      }
      return urlOf(name);
    },
    open: (key) => openServer(urlOf(PREFIX + key)),
    urlOf: (key) => urlOf(PREFIX + key),
    /** Holds what a statement locks until it is released. */
    hold: async (key, sql) => {
      const connection = await mysql.createConnection(urlOf(PREFIX + key));
      await connection.beginTransaction();
      await connection.query(sql);
      return { release: () => connection.end() };
    },
    /** Starts a private server anew, with nothing in memory. */
    restart: () => own?.restart(['--innodb-buffer-pool-load-at-startup=OFF']),
    /** Returns the name and the bytes of each table. */
    sizes: async (key) => {
      const [rows] = await root.query(
        `SELECT table_name AS name, data_length + index_length AS bytes
          FROM information_schema.tables WHERE table_schema = ? ORDER BY bytes DESC LIMIT 8`,
        [PREFIX + key],
      );
      return rows.map(({ name, bytes }) => [name, Number(bytes)]);
    },
    stop,
  };
}

/** Does the same for embedded databases, each a file in a folder of its own. */
export function embeddedDatabases(folders) {
  const fileOf = (key) => join(folders, key, 'database.sqlite');
  return {
    description: 'the embedded database',
    pid: undefined,
    create: (key, _, like) => {
      if (like === undefined) return undefined;
      const source = new Database(fileOf(like), { readonly: true });
      source.prepare('VACUUM INTO ?').run(fileOf(key));
      source.close();
      return fileOf(key);
    },
    open: (key) => openEmbedded(fileOf(key)),
    urlOf: () => undefined,
    restart: () => undefined,
    sizes: (key) => sizesIn(fileOf(key)),
    stop: () => undefined,
  };
}

/** Waits until the service has indexed everything in its database. @returns how long, in milliseconds */
export async function untilIndexed(database) {
  const begin = performance.now();
  for (;;) {
    const [{ n }] = await database.query('SELECT COUNT(*) AS n FROM submission_batches');
    const ms = performance.now() - begin;
    if (Number(n) === 0) return ms;
    if (ms > INDEX_TIMEOUT_MS) throw new Error('Values are not indexed.');
    await pause(100);
  }
}

/** Opens a connection; `query` returns the rows. */
function openServer(url) {
  const connection = mysql.createPool({ uri: url, timezone: 'Z', connectionLimit: 1 });
  return { query: async (sql, values) => (await connection.query(sql, values))[0], close: () => connection.end() };
}

/** The same on a file of the embedded database. */
function openEmbedded(file) {
  const database = new Database(file, { timeout: 5_000 });
  // In KiB: most of what is inserted in no order fits into it.
  database.pragma('cache_size = -1000000');
  return {
    query: (sql, values = []) => {
      const statement = database.prepare(sql);
      return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
    },
    close: () => database.close(),
  };
}

/** Returns the name and the bytes of the largest tables and indexes of a file, and its own. */
function sizesIn(file) {
  const database = new Database(file, { readonly: true });
  const rows = database
    .prepare(
      `SELECT name, (SELECT pgsize FROM dbstat WHERE dbstat.name = all_of.name AND aggregate = TRUE) AS bytes
        FROM sqlite_schema AS all_of WHERE type IN ('table', 'index') ORDER BY bytes DESC LIMIT 8`,
    )
    .all();
  database.close();
  return [['the file', statSync(file).size], ...rows.map(({ name, bytes }) => [name, bytes])];
}

/**
 * @returns whether the server writes a binary log too, as MySQL does by default
 * @throws when a commit may be lost with its power
 */
async function assertDurable(connection) {
  const [[{ flush, log, sync }]] = await connection.query(
    'SELECT @@innodb_flush_log_at_trx_commit AS flush, @@log_bin AS log, @@sync_binlog AS sync',
  );
  if (flush !== 1 || (log === 1 && sync !== 1)) {
    throw new Error(
      `The server is not durable: innodb_flush_log_at_trx_commit is ${flush}, log_bin ${log}, sync_binlog ${sync}.`,
    );
  }
  return log === 1;
}
