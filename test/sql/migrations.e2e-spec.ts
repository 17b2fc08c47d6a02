import { DataSource } from 'typeorm';
import { openDatabase } from '../../src/platform/database/data-source.js';
import { hasPendingMigrations, migrate, schemaDrift } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { runProgram } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onEmbedded, onServer } from '../support/database-matrix.js';
import { Browser } from '../support/people.js';
import { Service } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const EVERY_MIGRATION = migrations.map(({ name }) => name);

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

/** Reasons as they are, and as they were before there were codes. */
const REASONS_BEFORE = [
  ['The browser did not name %', 'The browser did not say from which page it was sent.'],
  ['It came from %', 'It was sent from https://b.test, which may not use this form.'],
  ['Someone marked %', 'It was marked as spam by hand.'],
] as const;

describe('Migrations', () => {
  it('make exactly the tables that the entities describe', async () => {
    const { database } = await unmigrated();

    expect(await migrate(database)).toEqual(EVERY_MIGRATION);

    expect(await schemaDrift(database)).toEqual([]);
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

  it('can be taken back one by one and run again', async () => {
    const { service, database } = await unmigrated();
    await migrate(database);

    for (const name of [...EVERY_MIGRATION].reverse()) {
      await database.undoLastMigration({ transaction: 'each' });
      expect(await hasPendingMigrations(database)).toBe(true);
      expect(await namesOfRun(database)).not.toContain(name);
    }
    expect(await namesOfRun(database)).toEqual([]);
    expect(await migrate(database)).toEqual(EVERY_MIGRATION);
    expect(await schemaDrift(database)).toEqual([]);

    await (await service.openAccount()).makeForm();
  });

  it('give older data what versions since know: codes of spam, visitors, counts, files, makers', async () => {
    const { service, database } = await unmigrated();
    await migrate(database);
    const owner = await service.openAccount();
    const form = await owner.makeForm({ whitelisted_domains: 'a.test' });
    const allowed = { Origin: 'https://a.test' };
    await service.submit(form, { _gotcha: 'x' }, allowed);
    await service.submit(form, { message: 'x' });
    await service.submit(form, { message: 'x' }, { Origin: 'https://b.test' });
    await service.submit(form, { email: 'jane@example.com' }, allowed);
    const id = await service.submit(form, { message: 'x' }, allowed);
    await owner.patch(`${pathOf(form)}/${id}`, { submission: { spam: true } }).expect(200);
    await service.upkeep();
    await service.submit(form, { email: 'jane@example.com', name: 'Jane' }, allowed);
    const client = await owner.makeClient({ can_create_forms: true });
    const theirs = await service.as(await owner.makeClientToken(client)).makeForm();
    for (const length of [40, 2]) await service.submitFile(theirs, 'x'.repeat(length));
    const person = await service.makePerson(owner, { clientId: client, actions: ['see'] });
    const both = await service.makePerson(owner, { clientId: client, actions: ['see'] });
    for (const { email } of [person, both]) {
      const browser = await Browser.of(service, email);
      await browser.post('/forms', { 'form.name': 'Contact' });
    }
    await service.actFor(owner, both, { clientId: null, role: 'editor' });
    const rights = ['forms:read', 'forms:write'];
    const { token } = await owner.makeToken({ rights });
    await service.upkeep();
    const kept = async () => ({
      codes: await database.query<object[]>(
        'SELECT spam_code, spam_reason FROM submissions ORDER BY id',
      ),
      counts: await database.query<object[]>(
        'SELECT * FROM submission_counts ORDER BY account_id, form_id, length, begins',
      ),
      forms: await database.query<object[]>(
        'SELECT files_bytes, made_by_client_id AS maker FROM forms ORDER BY id',
      ),
    });
    const makers = (...ids: (number | null)[]) => ids.map((maker) => ({ maker }));
    const before = await kept();
    expect(before.codes).toMatchObject(
      ['honeypot', 'origin', 'origin', null, 'by_hand', null, null, null].map((spam_code) => ({
        spam_code,
      })),
    );
    expect(before.forms).toMatchObject(makers(null, client, client, client));
    for (const [now, then] of REASONS_BEFORE) {
      const change = 'UPDATE submissions SET spam_reason = ? WHERE spam_reason LIKE ?';
      await database.query(change, [then, now]);
    }
    const { codes } = await kept();
    // As versions before stored them: without the visitor.
    await database.query('DELETE FROM submission_values');
    await database.query('DELETE FROM submission_batches');

    while ((await namesOfRun(database)).includes('AddSpamCodes1764500000000')) {
      await database.undoLastMigration({ transaction: 'each' });
    }
    await migrate(database);

    const [first, second, third, last] = before.forms;
    expect(await kept()).toEqual({
      ...{ codes, counts: before.counts },
      forms: [first, second, third, { ...last, maker: null }],
    });
    await service.as(token).makeForm();
    const { body } = await service.as(token).get('/api/v1/me').expect(200);
    expect(body).toMatchObject({ token: { rights: [...rights, 'forms:create'] } });
    for (const settle of [() => Promise.resolve(), () => service.upkeep()]) {
      await settle();
      const asked = { email: 'jane@example.com', dry_run: true };
      const erased = await owner.post('/api/v1/visitors/erase', asked).expect(200);
      expect(erased.body).toMatchObject({ submissions: 4 });
    }
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
      [
        `${EVERY_MIGRATION.join('\n')}\n`,
        'No pending migrations.\n',
        'No pending migrations.\n',
      ].sort(),
    );
    const { database } = await unmigrated();
    expect(await namesOfRun(database)).toEqual(EVERY_MIGRATION);
  });

  it('wait for the one who holds the lock', async () => {
    const { database } = await unmigrated();
    await holdLock(database, Date.now() + 3_600_000);

    const holder = holderAfterLooks(database);
    const migrated = migrate(database);
    const held = await holder;
    await database.query('UPDATE migration_lock SET held_until = 0');

    expect(await migrated).toEqual(EVERY_MIGRATION);
    expect(held).toEqual({ holder: 'someone-else', isPending: true });
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

    expect(await migrated).toEqual(EVERY_MIGRATION);
  });

  onServer('wait for it too when their own clock is ahead', async () => {
    const { database } = await unmigrated();
    await holdLock(database, Date.now() + 3_600_000);
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);

    const holder = holderAfterLooks(database);
    const migrated = migrate(database);
    const held = await holder;
    clock.mockRestore();
    await database.query('UPDATE migration_lock SET held_until = 0');
    await migrated;

    expect(held).toEqual({ holder: 'someone-else', isPending: true });
  });

  it('take over the lock of a holder that died', async () => {
    const { database } = await unmigrated();
    await holdLock(database, Date.now() - 1);

    expect(await migrate(database)).toEqual(EVERY_MIGRATION);
  });
});

/**
 * Returns the holder of the lock after another one has looked three times for it, and whether nothing has
 * run by then.
 */
async function holderAfterLooks(database: DataSource) {
  const queries = jest.spyOn(database, 'query');
  const looks = () =>
    queries.mock.calls.filter(([sql]) => sql.startsWith('SELECT holder FROM migration_lock'))
      .length;
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
  await database.query('INSERT INTO migration_lock (id, holder, held_until) VALUES (1, ?, ?)', [
    'someone-else',
    until,
  ]);
}
