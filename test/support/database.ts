import mysql from 'mysql2/promise';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A database and a data folder of one test's own. */
export interface TestDatabase {
  /** Settings that make a service use them. */
  settings: Record<string, string>;
  /** Which of the engines this is. */
  kind: 'embedded' | 'server';
  drop(): Promise<void>;
}

/**
 * Makes an empty database: on the server of TEST_DATABASE_URL when that is set, embedded otherwise.
 * The server's default character set is left as it is, so that the migrations have to see to it.
 */
export async function createDatabase(server = process.env.TEST_DATABASE_URL): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'fcs-test-'));
  const dropFolder = () => rm(folder, { recursive: true, force: true });
  if (!server) return { settings: { DATA_DIR: folder }, kind: 'embedded', drop: dropFolder };

  const url = new URL(server);
  const name = `fcs_test_${randomBytes(6).toString('hex')}`;
  url.pathname = '';
  await run(url, `CREATE DATABASE ${name}`);
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: `${url.href.replace(/\/$/, '')}/${name}` },
    kind: 'server',
    drop: async () => {
      await run(url, `DROP DATABASE ${name}`);
      await dropFolder();
    },
  };
}

/**
 * Makes a database for a service that is to find its tables there. They are copied from TEST_TEMPLATE, a database of the
 * server or an embedded file, where that is set; otherwise there are none, and the start makes them.
 */
export async function createTables(): Promise<TestDatabase> {
  const database = await createDatabase();
  const { DATABASE_URL, DATA_DIR = '' } = database.settings;
  const template = process.env.TEST_TEMPLATE;
  if (!template) return database;
  if (DATABASE_URL) await copyTables(template, DATABASE_URL);
  else await copyFile(template, join(DATA_DIR, 'database.sqlite'));
  return database;
}

async function copyTables(template: string, url: string): Promise<void> {
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true });
  const [tables] = await connection.query<mysql.RowDataPacket[]>(`SHOW TABLES FROM ${template}`);
  const names = tables.flatMap((row) => Object.values(row) as string[]);
  const copies = names.flatMap((name) => [
    `CREATE TABLE ${name} LIKE ${template}.${name}`,
    `INSERT INTO ${name} SELECT * FROM ${template}.${name}`,
  ]);
  await connection.query(copies.join(';'));
  await connection.end();
}

async function run(url: URL, sql: string): Promise<void> {
  const connection = await mysql.createConnection(url.href);
  await connection.query(sql);
  await connection.end();
}
