import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { gauges, Measured } from '../metrics/metrics.js';
import { Config } from '../config/config.js';
import { hasPendingMigrations, schemaDrift, upgrade } from './upgrade.js';
import { useOf, type PoolUse } from './driver-workarounds.js';
import { SubmissionConnection } from './data-source.js';
import { isEmbedded } from './select-rows.js';

/** Reads the state of the database for operators. Rows are read by repositories. */
@Injectable()
export class DatabaseStatus {
  constructor(
    private readonly database: DataSource,
    private readonly config: Config,
    @Inject(SubmissionConnection)
    private readonly submissionConnection: SubmissionConnection | null,
  ) {}

  get isEmbedded(): boolean {
    return isEmbedded(this.database);
  }

  /** Tells whether the database is open: not before its start, nor after its end. */
  get isOpen(): boolean {
    return this.database.isInitialized;
  }

  /**
   * Tells whether migrations are pending.
   * @throws the driver's error when the database does not answer
   */
  hasPendingMigrations(): Promise<boolean> {
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
  async product(): Promise<string> {
    const sql = this.isEmbedded
      ? 'SELECT sqlite_version() AS version'
      : 'SELECT VERSION() AS version';
    const [row] = await this.database.query<{ version: string }[]>(sql);
    const version = row?.version ?? '';
    const [, number = version] = /^(\d+(?:\.\d+)*)/.exec(version) ?? [];
    if (this.isEmbedded) return `SQLite ${number}`;
    return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${number}`;
  }

  /** Returns the time of the database server in milliseconds since 1970. */
  async serverTime(): Promise<number> {
    const [row] = await this.database.query<{ now: string }[]>(
      'SELECT UNIX_TIMESTAMP(NOW(3)) AS `now`',
    );
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
      connections(
        'in_use',
        'Connections to the database server in use, by pool; not with the embedded one.',
        'inUse',
      ),
      connections('idle', 'Connections to the database server that wait for work.', 'idle'),
      connections('waiting', 'Callers that wait for a connection.', 'waiting'),
      connections('max', 'Connections that are kept at most.', 'max'),
    ];
  }
}
