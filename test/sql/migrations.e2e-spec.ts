import { DataSource } from 'typeorm';
import { openDatabase } from '../../src/platform/database/data-source.js';
import { hasPendingMigrations, migrate, schemaDrift } from '../../src/platform/database/database-status.js';
import { migrationNames } from '../../src/platform/database/migrations/index.js';
import { runProgram } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onEmbedded, onServer } from '../support/database-matrix.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';

let testDatabase: TestDatabase;
let service: Service | undefined;
beforeEach(async () => {
  service = undefined;
  testDatabase = await createDatabase();
});
afterEach(async () => {
  await service?.close();
  await testDatabase.drop();
});

/** A service on an empty database that nobody has migrated. */
async function unmigrated(): Promise<{ service: Service; database: DataSource }> {
  service = await Service.start({ ...testDatabase.settings, MIGRATE: 'off' });
  return { service, database: service.app.get(DataSource) };
}

describe('Migrations', () => {
  it('make exactly the tables that the entities describe, and cannot be undone', async () => {
    const { database } = await unmigrated();

    expect(await migrate(database)).toEqual(migrationNames);

    expect(await schemaDrift(database)).toEqual([]);
    await expect(database.undoLastMigration()).rejects.toThrow('Restore the backup');
    expect(await hasPendingMigrations(database)).toBe(false);
  });

  it('count only what people make: numbers of 32 bits would run out for what visitors cause', async () => {
    const counted = (await unmigrated()).database.entityMetadatas.filter(({ generatedColumns }) =>
      generatedColumns.some(({ generationStrategy }) => generationStrategy === 'increment'),
    );

    const made = [
      ...['accounts', 'clients', 'form_aliases', 'forms', 'memberships', 'people'],
      ...['spam_models', 'tokens'],
    ];
    expect(counted.map(({ tableName }) => tableName).sort()).toEqual(made);
  });

  it('differ from entities that ask for more', async () => {
    const { database } = await unmigrated();
    await migrate(database);
    await database.query('ALTER TABLE forms DROP COLUMN bg_color');

    expect((await schemaDrift(database)).join('\n')).toContain('bg_color');
  });

  it('are pending on an empty database, and asking leaves it empty', async () => {
    const { database } = await unmigrated();

    const answers = [1, 2, 3].map(() => hasPendingMigrations(database));

    expect(await Promise.all(answers)).toEqual([true, true, true]);
    expect(await database.createQueryRunner().hasTable('migrations')).toBe(false);
  });

  it('are run once when several processes start at once', async () => {
    const starts = [1, 2, 3].map(() => runProgram(testDatabase.settings, 'migrate'));
    const outcomes = await Promise.all(starts);

    expect(outcomes.map(({ stderr }) => stderr).join('')).toBe('');
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(outcomes.map(({ stdout }) => stdout).sort()).toEqual(
      [`${migrationNames.join('\n')}\n`, 'No pending migrations.\n', 'No pending migrations.\n'].sort(),
    );
    const { database } = await unmigrated();
    expect(await namesOfRun(database)).toEqual(migrationNames);
  });

  it('wait for the one who holds the lock', async () => {
    await expectToWait();
  });

  onEmbedded('wait for another process that has the whole database', async () => {
    const { database } = await unmigrated();
    await database.query('PRAGMA busy_timeout = 0');
    const other = await openDatabase(database.options);
    await other.query('BEGIN IMMEDIATE');
    const queries = jest.spyOn(database, 'query');

    const migrated = migrate(database);
    await until(() => queries.mock.calls.length >= 3);
    await other.query('ROLLBACK');
    await other.destroy();

    expect(await migrated).toEqual(migrationNames);
  });

  onServer('wait for it too when their own clock is ahead', async () => {
    const now = Date.now.bind(Date);
    const end = now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);
    await expectToWait(end);
    clock.mockRestore();
  });

  it('take over the lock of a holder that died', async () => {
    const { database } = await unmigrated();
    await holdLock(database, Date.now() - 1);

    expect(await migrate(database)).toEqual(migrationNames);
  });
});

/** Migrates while another one has the lock. */
async function expectToWait(end = Date.now() + 3_600_000): Promise<void> {
  const { database } = await unmigrated();
  await holdLock(database, end);

  const holder = holderAfterLooks(database);
  const migrated = migrate(database);
  const held = await holder;
  await database.query('UPDATE migration_lock SET held_until = 0');

  expect(await migrated).toEqual(migrationNames);
  expect(held).toEqual({ holder: 'someone-else', isPending: true });
}

/**
 * Returns the holder of the lock after another one has looked three times for it, and whether nothing has
 * run by then.
 */
async function holderAfterLooks(database: DataSource) {
  const queries = jest.spyOn(database, 'query');
  const looks = () => queries.mock.calls.filter(([sql]) => sql.startsWith('SELECT holder FROM migration_lock')).length;
  await until(() => looks() >= 3);
  queries.mockRestore();
  const isPending = await hasPendingMigrations(database);
  const [row] = await database.query<{ holder: string }[]>('SELECT holder FROM migration_lock');
  return { holder: row?.holder, isPending };
}

async function namesOfRun(database: DataSource): Promise<string[]> {
  const rows = await database.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

async function holdLock(database: DataSource, until: number): Promise<void> {
  await database.query(
    'CREATE TABLE migration_lock (id INT NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, held_until BIGINT NOT NULL)',
  );
  await database.query('INSERT INTO migration_lock (id, holder, held_until) VALUES (1, ?, ?)', ['someone-else', until]);
}
