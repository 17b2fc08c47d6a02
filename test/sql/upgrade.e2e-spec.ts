import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { DataSource, type Logger } from 'typeorm';
import type { BackupHeader } from '../../src/platform/database/backup/backup-format.js';
import { RestoreService } from '../../src/operations/backup/backup.service.js';
import { Config } from '../../src/platform/config/config.js';
import { databaseOptions, openDatabase, StatementLog } from '../../src/platform/database/data-source.js';
import { Job } from '../../src/platform/database/jobs.js';
import { migrate, migrationsDone, schemaDrift } from '../../src/platform/database/database-status.js';
import { createTables, extendTables } from '../../src/platform/database/migrations/columns.js';
import { migrationNames, migrations } from '../../src/platform/database/migrations/index.js';
import { WorkIsJobs } from '../../src/platform/database/migrations/next.js';
import { insertStatement, runStatements } from '../../src/platform/database/sql.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { run } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onServer } from '../support/database-matrix.js';
import { Service } from '../support/service.js';

const textOf = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
/** Backup by 0.1.0 of data of every kind. */
const OLD_BACKUP = textOf('0.1.0.ndjson');
const OLD_ROWS = 201;
/** The webhook in it. */
const OLD_WEBHOOK = {
  ...{ format: 'standard', signature: 'standard', disabled_at: null },
  secret: 'whsec_TLsHGuo/V2+o6HtvB/7BTXuMexYrMfwDSCnavQZFJ7I=',
  failing_since: '2026-11-26T07:00:16.112Z',
};
/** Migrations up to 0.1.0, from there to 0.2.0, and later ones, as databases ran them before each release had a single one. */
const PARTS = textOf('migrations.txt')
  .split('\n')
  .map((line) => line.split(' '));
const [OLD_MIGRATIONS = []] = PARTS;
const UPGRADED = [...OLD_MIGRATIONS, ...migrationNames.slice(1)];
const TOKEN = 'a-token-of-the-old-version.1';
/** Forms with the kind and id of their maker, and the client that these tell. */
const MAKERS = [
  ['by-token', 'token', 2, 1],
  ['by-account', 'token', 1, null],
  ['by-one', 'person', 2, 1],
  ['by-several', 'person', 3, null],
  ['by-later', 'person', 4, null],
] as const;

let database: TestDatabase;
let folder: string;
let settings: Record<string, string>;
let services: Service[];

beforeEach(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'fcs-upgrade-'));
  settings = { ...database.settings, BACKUP_DIR: join(folder, 'backups'), BACKUP_BEFORE_MIGRATIONS: 'on' };
  services = [];
});
afterEach(async () => {
  for (const each of services) await each.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function start(more: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start({ ...settings, ...more });
  services.push(service);
  return service;
}

/** Runs `work` on a database as 0.1.0 left it. */
async function onOldDatabase(work: (old: DataSource) => unknown): Promise<void> {
  const { app } = await start({ MIGRATE: 'off', WORKERS: 'off' });
  const packed = Readable.from([gzipSync(OLD_BACKUP)]);
  await app.get(RestoreService).restore(packed, async (old) => {
    expect(await migrationsDone(old)).toEqual(migrationNames.slice(0, 1));
    await rename(old, OLD_MIGRATIONS);
    await work(old);
  });
}

/** Makes a database say that it ran these migrations. */
async function rename({ manager }: DataSource, names: string[]): Promise<void> {
  await manager.query('DELETE FROM migrations');
  const rows = names.map((name) => [Number(name.slice(-13)), name]);
  await runStatements(manager, insertStatement('migrations', ['timestamp', 'name'], rows));
}

/** Returns all rows of the tables of 0.1.0, with the columns they had then. */
async function oldRows(old: DataSource): Promise<Record<string, string[]>> {
  const [line = ''] = OLD_BACKUP.split('\n', 1);
  const [, , , { tables }] = JSON.parse(line) as [string, string, number, BackupHeader];
  const rows: Record<string, string[]> = {};
  for (const { name, columns } of tables) {
    const names = columns.map((column) => `\`${column.name}\``).join();
    const found = await old.query<object[]>(`SELECT ${names} FROM \`${name}\``);
    rows[name] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** Adds forms, their makers (people of one client, of more, and of it later), and a token that can change forms. */
async function addMakers({ manager }: DataSource): Promise<void> {
  await manager.query(`INSERT INTO memberships (account_id, person_id, client_key, created_at) VALUES
    (1, 2, 1, '2026-11-27'), (1, 3, 0, '2026-11-27'), (1, 3, 1, '2026-11-27'), (1, 4, 1, '2026-11-29')`);
  for (const [identifier, kind, id] of MAKERS) {
    const form = `INSERT INTO forms (account_id, identifier, name, submission_text, notify_owner_on_submission,
      show_submitted_values, created_at) VALUES (1, ?, '', '', 0, 0, '2026-11-28')`;
    await manager.query(form, [identifier]);
    const entry = `INSERT INTO audit_entries (id, at, account_id, actor_kind, actor_id, actor_name, action, target_kind,
      target_id) VALUES (?, '2026-11-28', 1, ?, ?, '', 'form.created', 'form', ?)`;
    await manager.query(entry, [makeUuid(), kind, id, identifier]);
  }
  await manager.query("UPDATE tokens SET rights = 'forms:read,forms:write' WHERE id = 3");
}

/** Returns the service that was started on what 0.1.0 left. */
function upgraded(): Service {
  const [, service] = services;
  if (!service) throw new Error('No service was started.');
  return service;
}

const backups = () => readdir(settings.BACKUP_DIR ?? '').catch(() => []);

describe('An upgrade from 0.1.0', () => {
  it('keeps data of every kind, and makes a backup of it first', async () => {
    await onOldDatabase(() => start());
    const service = upgraded();

    expect(await schemaDrift(service.app.get(DataSource))).toEqual([]);
    const [name = '', ...others] = await backups();
    expect(name).toMatch(/^upgrade-\d{8}T\d{6}Z\.ndjson\.gz$/);
    expect(others).toEqual([]);

    await service.upkeep();
    const owner = service.as(TOKEN);
    const get = async (path: string) => (await owner.get(path).expect(200)).body;
    const { forms } = await owner.read('/api/v1/forms');
    expect(forms.map(({ name: form }) => form).sort()).toEqual(['Contact Köln 写 😀', 'Jobs']);
    const contact = forms.find(({ name: form }) => form !== 'Jobs')?.identifier ?? '';
    const form = `/api/v1/forms/${contact}` as const;
    const { submissions } = await owner.read(`${form}/submissions?q=grüße`);
    expect(submissions).toHaveLength(10);
    expect(await get(`${form}/submissions?q=tag:köln`)).toMatchObject({
      submissions: [{ values: { name: 'Jane 3', nested: { list: [1.5, null, true] } } }],
    });
    expect(await get(`${form}/fields`)).toMatchObject({ fields: [{ label: 'Your email' }, {}] });
    expect(await get(`${form}/spam/lists`)).toMatchObject({ lists: { block: 'spam.example' } });
    expect(await get('/api/v1/clients')).toMatchObject([{ name: 'Client One' }]);
    expect(await get('/api/v1/views')).toMatchObject({ views: [{ name: 'Urgent' }] });
    expect(await get('/api/v1/account/brand')).toMatchObject({ brand: { colour: '#aa3366' } });
    expect(await get(`${form}/webhook`)).toMatchObject({ webhook: OLD_WEBHOOK });
    // The migration had no key; the hourly task has sealed what it made.
    const [made] = await service.query<{ sealed: string }[]>('SELECT sealed FROM destinations');
    expect(made?.sealed).toMatch(/^[\w+/=]{60,}$/);
    const asked = { email: 'jane3@example.com', dry_run: true };
    const erased = await owner.post('/api/v1/visitors/erase', asked).expect(200);
    expect(erased.body).toMatchObject({ submissions: 1 });
    expect(await get(`${form}/statistics`)).toMatchObject({ totals: { submissions: 11, spam: 2 } });
    const answer = await service.anonymous().post(`/f/${contact}`).send({ name: 'New' });
    expect(answer.status).toBe(200);

    const file = join(folder, 'backups', name);
    const { stdout } = await run(settings, 'backup', 'verify', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ rows: OLD_ROWS }]);
  });

  it('makes jobs of what was due by tables of its own, each at its time', async () => {
    await onOldDatabase(async (old) => {
      const database = services[0]?.app.get(DataSource) ?? old;
      const id = (n: number) => Buffer.alloc(16, n);
      await migrate(database);
      // Tables as they were between two releases.
      const runner = database.createQueryRunner();
      await createTables(runner, {
        report_recipients: `
          id binary(16) key, account_id int, client_id int, email varchar(255), next_at datetime`,
      });
      const next = `next_at datetime null, ix_form_canaries_due (next_at)`;
      const lease = `lease_token binary(16) null, lease_until datetime null`;
      await extendTables(runner, { form_canaries: `${lease}, ${next}` });
      await database.query(
        `INSERT INTO report_recipients (id, account_id, client_id, email, next_at) VALUES
          (?, 1, 7, 'ann@example.com', '2026-12-01 06:00:00.000'),
          (?, 1, 7, 'Ann@example.com', '2026-12-01 06:00:00.000'),
          (?, 1, 0, 'ann@example.com', '2026-12-07 06:00:00.000')`,
        [id(3), id(4), id(5)],
      );
      await database.query(
        `INSERT INTO form_canaries (id, form_id, account_id, schedule, next_at) VALUES
          (?, 11, 1, 'daily', '2026-12-02 03:04:05.678'), (?, 12, 1, 'off', '9999-12-31 00:00:00.000')`,
        [id(6), id(7)],
      );
      await new WorkIsJobs().up(runner);
      await runner.release();

      const jobs = await database.getRepository(Job).find({ order: { id: 'ASC' } });
      const toldUpTo = '7972e4a90662e22fc6967c764bcf1e2a';
      const digest = { every: 'day', timeZone: 'UTC', toldUpTo };
      const view = '01a216a8375f7000843a9ef425505e2f';
      expect(
        jobs.map(({ kind, clientId, subject, recipient, nextAt, state }) => [
          ...[kind, clientId, subject, recipient, nextAt.toISOString(), state],
        ]),
      ).toEqual([
        ['report', 7, '7', 'ann@example.com', '2026-12-01T06:00:00.000Z', null],
        ['week', null, '1', 'ann@example.com', '2026-12-07T06:00:00.000Z', null],
        ['canary', null, '11', '', '2026-12-02T03:04:05.678Z', null],
        ['view_digest', null, view, '1', '2026-11-25T09:00:00.123Z', digest],
      ]);
      expect(await schemaDrift(database)).toEqual([]);
    });
  });

  it('goes on where it was interrupted, loses nothing, and tells which clients made forms', async () => {
    await onOldDatabase(async (old) => {
      await addMakers(old);
      const before = await oldRows(old);
      const database = services[0]?.app.get(DataSource) ?? old;
      let left = 0;
      const log = jest.spyOn(StatementLog.prototype as Logger, 'logQuery');
      log.mockImplementation((sql) => {
        const isChange = /^(?:CREATE|ALTER|UPDATE (?!migration))/.test(sql);
        if (isChange && left-- <= 0) throw new Error('interrupted');
      });
      // On a server the third time comes between the data that the release changes.
      for (const changes of [3, 11, 36, 30]) {
        left = changes;
        await expect(migrate(database)).rejects.toThrow('interrupted');
      }
      log.mockRestore();
      await migrate(database);

      expect(await schemaDrift(database)).toEqual([]);
      const tokens = before.tokens?.map((row) => row.replace('s:write', 's:write,forms:create'));
      expect(await oldRows(database)).toEqual({ ...before, tokens });
      const made = 'SELECT made_by_client_id AS maker FROM forms WHERE id > 3 ORDER BY id';
      expect(await database.query(made)).toEqual(MAKERS.map(([, , , maker]) => ({ maker })));
      expect(await database.query('SELECT name FROM destinations')).toEqual([{ name: 'Webhook' }]);
    });
  });

  onServer('is made once when two start at the same time', async () => {
    await onOldDatabase(() => Promise.all([start(), start()]));

    expect(await backups()).toHaveLength(1);
    for (const { app } of services) {
      expect(await migrationsDone(app.get(DataSource))).toEqual(UPGRADED);
    }
  });

  it('changes nothing when its backup fails, and can do without one', async () => {
    await writeFile(join(folder, 'backups'), 'no folder');

    await onOldDatabase(async (old) => {
      await expect(start()).rejects.toThrow(
        'The backup before the upgrade failed: BACKUP_DIR is not a folder. Set it to a folder that exists or can be created. The database is as it was. To upgrade without a backup, set BACKUP_BEFORE_MIGRATIONS=off.',
      );
      expect(await migrationsDone(old)).toEqual(OLD_MIGRATIONS);
      await start({ BACKUP_BEFORE_MIGRATIONS: 'off' });
    });

    expect(await migrationsDone(upgraded().app.get(DataSource))).toEqual(UPGRADED);
  });
});

describe('A database that ran each migration by itself', () => {
  it.each([2, 3])('of %i releases runs later ones alone, and keeps its data', async (count) => {
    const ran = PARTS.slice(0, count).flat();
    await onOldDatabase(async (old) => {
      const before = await oldRows(old);
      const options = await databaseOptions(Config.from(settings));
      const then = await openDatabase({ ...options, migrations: migrations.slice(0, count) });
      await migrate(then);
      await then.destroy();
      await rename(old, ran);
      await start({ WORKERS: 'off' });
      expect(await oldRows(old)).toEqual(before);
    });

    const database = upgraded().app.get(DataSource);
    expect(await migrationsDone(database)).toEqual([...ran, ...migrationNames.slice(count)]);
    expect(await schemaDrift(database)).toEqual([]);
    expect(await backups()).toHaveLength(1);
  });

  it.each([5, 45, 60])('is refused after %i of them, with what to do', async (count) => {
    const { app } = await start();
    await rename(app.get(DataSource), PARTS.flat().slice(0, count));
    const message = /^This database is between two releases \(.+ \w+\d\)\. Start the newest version/;

    await expect(migrate(app.get(DataSource))).rejects.toThrow(message);
    await expect(start({ MIGRATE: 'off' })).rejects.toThrow(message);
    await expect(start({ NEWER_DATABASE: 'allow' })).rejects.toThrow(message);
    const { code, stderr } = await run(settings, 'migrate');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect(await backups()).toEqual([]);
  });
});

it('A database of a newer version is refused with what to do, and used where the operator says so', async () => {
  const { app } = await start();
  expect(await backups()).toEqual([]);
  await app
    .get(DataSource)
    .query("INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')");

  await expect(start()).rejects.toThrow(
    /^A newer version has used this database \(its migration is Later1999999999999\)\. Start that version again, or restore the backup .* set NEWER_DATABASE=allow\.$/,
  );
  const { code, stderr } = await run(settings, 'accounts', 'list');
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A newer/) });

  const old = await start({ NEWER_DATABASE: 'allow' });
  await old.openAccount();
});
