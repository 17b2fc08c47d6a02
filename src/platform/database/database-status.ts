import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { gauges, Measured } from '../metrics/metrics.js';
import { Config } from '../config/config.js';
import { useOf, type PoolUse } from './driver-workarounds.js';
import { SubmissionConnection, DatabaseRefused, openDatabase } from './data-source.js';
import { isEmbedded } from './select-rows.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { isRetryable } from './sql.js';
import { DAY_MS } from '../kernel/time.js';
import { beginBackup, BackupFolder, reasonOf, backupName } from './backup/backup.js';

/** Reads the state of the database for operators. Rows are read by repositories. */
@Injectable()
export class DatabaseStatus {
  constructor(
    private readonly database: DataSource,
    private readonly config: Config,
    @Inject(SubmissionConnection)
    private readonly submissionConnection: SubmissionConnection | null,
  ) {}

  get isEmbedded() {
    return isEmbedded(this.database);
  }

  /** Tells whether the database is open: not before its start, nor after its end. */
  get isOpen() {
    return this.database.isInitialized;
  }

  /**
   * Tells whether migrations are pending.
   * @throws the driver's error when the database does not answer
   */
  hasPendingMigrations() {
    return hasPendingMigrations(this.database);
  }

  /**
   * Runs the pending migrations, after a backup.
   * @returns the names of those that this call ran
   */
  migrate(): Promise<string[]> {
    return upgrade(this.database, this.config);
  }

  /** Returns the statements that would bring the tables in line with the entities. */
  drift(): Promise<string[]> {
    return schemaDrift(this.database);
  }

  /**
   * Reads settings of the database by name: variables of a server, pragmas of the embedded one. The
   * names become part of the SQL, so they are never input.
   */
  async settings<Name extends string>(...names: Name[]): Promise<Record<Name, string | number>> {
    if (!this.isEmbedded) {
      const columns = names.map((name) => `@@${name} AS \`${name}\``).join(', ');
      const [row] = await this.database.query<Record<Name, string | number>[]>(`SELECT ${columns}`);
      if (!row) throw new Error('The database server did not say how it is set.');
      return row;
    }
    const found: [string, string | number | undefined][] = [];
    for (const name of names) {
      const [row] = await this.database.query<Record<string, string | number>[]>(`PRAGMA ${name}`);
      found.push([name, row?.[name]]);
    }
    return Object.fromEntries(found) as Record<Name, string | number>;
  }

  /** Returns the name and the version of the database, such as `MariaDB 10.11.6`. */
  async product() {
    const sql = this.isEmbedded ? 'SELECT sqlite_version() AS version' : 'SELECT VERSION() AS version';
    const [row] = await this.database.query<{ version: string }[]>(sql);
    const version = row?.version ?? '';
    const [, number = version] = /^(\d+(?:\.\d+)*)/.exec(version) ?? [];
    if (this.isEmbedded) return `SQLite ${number}`;
    return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${number}`;
  }

  /** Returns the time of the database server in milliseconds since 1970. */
  async serverTime() {
    const [row] = await this.database.query<{ now: string }[]>('SELECT UNIX_TIMESTAMP(NOW(3)) AS `now`');
    return Number(row?.now) * 1_000;
  }

  /** Measures the pools of connections to a server: submissions are stored over one of their own. */
  @Measured()
  metrics() {
    const { pool } = this.database.driver as { pool?: object | null };
    const uses: [string, PoolUse][] =
      pool && this.submissionConnection
        ? [
            ['main', useOf(pool)],
            ['submissions', this.submissionConnection.use],
          ]
        : [];
    const connections = (name: string, help: string, key: keyof PoolUse) =>
      gauges(
        `fcs_database_connections_${name}`,
        help,
        uses.map(([label, use]) => ({ labels: { pool: label }, value: use[key] })),
      );
    return [
      connections('in_use', 'Connections to the database server in use, by pool; not with the embedded one.', 'inUse'),
      connections('idle', 'Connections to the database server that wait for work.', 'idle'),
      connections('waiting', 'Callers that wait for a connection.', 'waiting'),
      connections('max', 'Connections that are kept at most.', 'max'),
    ];
  }
}

/** How long the lock stays after its holder stopped renewing it, in milliseconds. */
const LEASE_MS = 30_000;
/** Time between two renewals, in milliseconds: several may fail before the lease ends. */
const RENEW_MS = 5_000;
/** Time between two attempts to take the lock, in milliseconds. */
const POLL_MS = 100;
/** Longest migration in milliseconds: changing a large table takes long, and the timeouts of requests would end it. */
export const MIGRATION_TIMEOUT_MS = DAY_MS;
/** The table where TypeORM stores the names of migrations that ran. */
const MIGRATIONS_TABLE = 'migrations';

/**
 * Runs the pending migrations. Several instances may call this at once: one works, the others wait and find nothing to
 * do. The lock is a row with a lease, since the nodes of a cluster do not share a server's named locks.
 * @param before is called with the lock, before the first migration
 * @returns the names of the migrations that this call ran
 * @throws DatabaseRefused when the database is between two releases, or the driver's error
 */
export async function migrate(
  database: DataSource,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  if (!(await hasPendingMigrations(database))) return [];
  const release = await takeLock(database);
  try {
    if (!(await hasPendingMigrations(database))) return [];
    await refuseUnreleased(database);
    await before();
    return await runWithLongTimeout(database);
  } finally {
    await release();
  }
}

async function runWithLongTimeout(database: DataSource) {
  const { options } = database;
  const patient = isEmbedded(database)
    ? database
    : await openDatabase({ ...options, maxQueryExecutionTime: MIGRATION_TIMEOUT_MS });
  try {
    const done = await patient.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } finally {
    if (patient !== database) await patient.destroy();
  }
}

/**
 * Tells whether the database lacks a migration of this version. TypeORM's own check creates its table when
 * that is missing, which fails when several instances do so at once.
 */
export async function hasPendingMigrations(database: DataSource) {
  const done = await migrationsDone(database);
  return knownTo(database).some((name) => !done.includes(name));
}

/** @throws DatabaseRefused when an unreleased build made its tables: this version does not know what they lack */
async function refuseUnreleased(database: DataSource) {
  const unreleased = firstUnreleased(await migrationsDone(database), knownTo(database));
  if (unreleased === undefined) return;
  throw new DatabaseRefused(
    `This database is between two releases (its migration is ${unreleased}). Start the newest version before this one on it first, which completes its tables; or restore a backup of a release into an empty database.`,
  );
}

/**
 * Returns the first migration that stands for a part of one known here, without the rest: migrations of one release become
 * one, under the name of the last.
 */
export function firstUnreleased(done: string[], known: string[]): string | undefined {
  return done.find((name) => {
    const whole = known.find((each) => timeOf(each) >= timeOf(name));
    return whole !== undefined && !done.includes(whole);
  });
}

/** Returns the time at the end of the name of a migration, in milliseconds since 1970. */
export function timeOf(name: string) {
  return Number(name.slice(-13));
}

/** Returns the names of the migrations of this version, oldest first. */
function knownTo(database: DataSource) {
  return database.migrations.map(({ name, constructor }) => name ?? constructor.name);
}

/** Returns the names of the migrations that the database has, of any version; none for an empty one. */
export async function migrationsDone(database: DataSource): Promise<string[]> {
  const runner = database.createQueryRunner();
  try {
    if (!(await runner.hasTable(MIGRATIONS_TABLE))) return [];
  } finally {
    await runner.release();
  }
  const rows = await database.query<{ name: string }[]>(`SELECT name FROM ${MIGRATIONS_TABLE}`);
  return rows.map(({ name }) => name);
}

/** Returns the statements that would bring the migrated tables in line with the entities; none when they agree. */
export async function schemaDrift(database: DataSource): Promise<string[]> {
  const { upQueries } = await database.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

async function takeLock(database: DataSource) {
  const holder = randomUUID();
  await inTheEnd(() =>
    database.query(
      'CREATE TABLE IF NOT EXISTS migration_lock (id INT NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, held_until BIGINT NOT NULL)',
    ),
  );
  if ((await holderIn(database)) === null) {
    await database
      .query("INSERT INTO migration_lock (id, holder, held_until) VALUES (1, '', 0)")
      .catch(() => undefined); // the row exists
  }
  while (!(await inTheEnd(() => takeOrRenew(database, holder, LEASE_MS)))) await pause(POLL_MS);
  const renewal = setInterval(() => {
    takeOrRenew(database, holder, LEASE_MS).catch(() => undefined); // the next renewal may succeed
  }, RENEW_MS);
  return async () => {
    clearInterval(renewal);
    await takeOrRenew(database, holder, 0);
  };
}

/** Tries again while who changes tables has the embedded database to itself. @throws other errors than that */
async function inTheEnd<Result>(work: () => Promise<Result>) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await pause(POLL_MS);
    }
  }
}

/**
 * Takes or extends the lock; returns false while another instance has it. That is read first: on the embedded database
 * a write, even of no row, makes the transaction fail in which the holder migrates.
 * @param ms how long from now, in milliseconds
 */
async function takeOrRenew(database: DataSource, holder: string, ms: number) {
  const current = await holderIn(database);
  if (current !== null && current !== holder) return false;
  const now = nowIn(database);
  await database.query(
    `UPDATE migration_lock SET holder = ?, held_until = ${now} + ? WHERE id = 1 AND (held_until <= ${now} OR holder = ?)`,
    [holder, ms, holder],
  );
  return (await holderIn(database)) === holder;
}

/** Returns who has the lock; null for nobody. */
async function holderIn(database: DataSource) {
  const [row] = await database.query<{ holder: string }[]>(
    `SELECT holder FROM migration_lock WHERE id = 1 AND held_until > ${nowIn(database)}`,
  );
  return row?.holder ?? null;
}

/** Returns SQL for the time in milliseconds by the server's clock, since instances' clocks may differ. */
function nowIn(database: DataSource) {
  return isEmbedded(database) ? String(Date.now()) : 'UNIX_TIMESTAMP() * 1000';
}

/**
 * Brings the tables to this version. If they have data of an older one, a backup in BACKUP_DIR comes first: without files,
 * which no migration changes.
 * @returns the names of the migrations that this call ran
 * @throws DatabaseRefused when the backup fails; nothing was changed then
 */
export function upgrade(database: DataSource, config: Config): Promise<string[]> {
  return migrate(database, () => backUp(database, config));
}

/**
 * Refuses tables of a newer version: this one would store what the newer one cannot find, and leave copies of what it
 * erases. Refuses those between two releases too.
 * @throws DatabaseRefused
 */
export async function refuseNewer(database: DataSource, config: Config) {
  await refuseUnreleased(database);
  if (config.newerDatabase === 'allow') return;
  const newest = Math.max(...knownTo(database).map(timeOf));
  const newer = (await migrationsDone(database)).find((name) => timeOf(name) > newest);
  if (newer === undefined) return;
  throw new DatabaseRefused(
    `A newer version has used this database (its migration is ${newer}). Start that version again, or restore the backup from before the upgrade (in ${config.backupDir}) into an empty database. To start this version all the same, set NEWER_DATABASE=allow.`,
  );
}

async function backUp(database: DataSource, config: Config) {
  if (config.backups.beforeMigrations === 'off') return;
  if ((await migrationsDone(database)).length === 0) return;
  const folder = new BackupFolder(config.backupDir);
  const name = backupName('upgrade', new Date());
  try {
    await folder.write(name, () => beginBackup(database, null).content);
  } catch (error) {
    throw new DatabaseRefused(
      `The backup before the upgrade failed: ${reasonOf(error)} The database is as it was. To upgrade without a backup, set BACKUP_BEFORE_MIGRATIONS=off.`,
    );
  }
  const file = join(folder.path, name);
  new Logger('Database').log('Backed up before migrating', { file });
}
