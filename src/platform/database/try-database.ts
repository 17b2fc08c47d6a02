import { mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { DatabaseRefused, databaseOptions, openDatabase } from './data-source.js';
import { DatabaseStatus, migrationsDone, refuseNewer } from './database-status.js';

/** Table that is made and dropped again, to see what the user of a server can do. */
const TRIAL_TABLE = 'fcs_setup_trial';
/** Statements of the kinds that migrations and the service need. */
const TRIAL = [
  `DROP TABLE IF EXISTS ${TRIAL_TABLE}`,
  `CREATE TABLE ${TRIAL_TABLE} (id INT PRIMARY KEY, parent INT)`,
  `ALTER TABLE ${TRIAL_TABLE} ADD CONSTRAINT fk_${TRIAL_TABLE} FOREIGN KEY (parent) REFERENCES ${TRIAL_TABLE} (id)`,
  `CREATE INDEX ix_${TRIAL_TABLE} ON ${TRIAL_TABLE} (parent, id)`,
  `INSERT INTO ${TRIAL_TABLE} (id) VALUES (1)`,
  `UPDATE ${TRIAL_TABLE} SET parent = NULL`,
  `SELECT id FROM ${TRIAL_TABLE}`,
  `DELETE FROM ${TRIAL_TABLE}`,
  `DROP TABLE ${TRIAL_TABLE}`,
];
const LACKS_PRIVILEGE = /^ER_(?:\w*ACCESS_DENIED|TABLEACCESS_DENIED)_ERROR$/;

/** A database that can be used. */
export interface TriedDatabase {
  /** Its name and version, such as `MariaDB 10.11.6`. */
  product: string;
  /** Whether the service has made its tables there before. */
  hasTables: boolean;
}

/**
 * Tries whether the service can use its database, without waiting for a server, and leaves the database as it is.
 * @throws DatabaseRefused, or the error of the driver or the disk
 */
export async function tryDatabase(config: Config): Promise<TriedDatabase> {
  if (config.database.kind === 'embedded') {
    await tryFolder(config.dataDir);
    if (!existsSync(config.database.file)) return { product: 'SQLite', hasTables: false };
  }
  const database = await openDatabase(await databaseOptions(config, 0));
  try {
    await refuseNewer(database, config);
    if (config.database.kind === 'server') await tryPrivileges(database, config.database);
    const product = await new DatabaseStatus(database, config, null).product();
    return { product, hasTables: (await migrationsDone(database)).length > 0 };
  } finally {
    await database.destroy();
  }
}

async function tryFolder(folder: string) {
  await mkdir(folder, { recursive: true });
  await rmdir(await mkdtemp(join(folder, 'setup-')));
}

/** @throws DatabaseRefused */
async function tryPrivileges(database: DataSource, { name, user }: { name: string; user: string }) {
  try {
    for (const statement of TRIAL) await database.query(statement);
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!LACKS_PRIVILEGE.test(code)) throw error;
    throw new DatabaseRefused(
      `The user ${user} of DATABASE_URL lacks a privilege on the database ${name} (${message}). Grant all privileges: GRANT ALL PRIVILEGES ON \`${name}\`.* TO the user.`,
    );
  }
}
