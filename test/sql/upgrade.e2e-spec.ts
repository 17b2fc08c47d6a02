import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { RestoreService } from '../../src/operations/backup/restore.service.js';
import { migrationsDone, schemaDrift } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { run } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onServer } from '../support/database-matrix.js';
import { Service } from '../support/service.js';

/** Backup by 0.1.0 of data of every kind. */
const OLD_BACKUP = new URL('../fixtures/0.1.0.ndjson', import.meta.url);
const OLD_ROWS = 201;
const OLD_MIGRATIONS = 30;
const TOKEN = 'a-token-of-the-old-version.1';

let database: TestDatabase;
let folder: string;
let settings: Record<string, string>;
let services: Service[];

beforeEach(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'fcs-upgrade-'));
  settings = {
    ...database.settings,
    BACKUP_DIR: join(folder, 'backups'),
    BACKUP_BEFORE_MIGRATIONS: 'on',
  };
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
async function onOldDatabase(work: (old: DataSource) => Promise<void>): Promise<void> {
  const packed = gzipSync(await readFile(OLD_BACKUP));
  const { app } = await start({ MIGRATE: 'off' });
  await app.get(RestoreService).restore(Readable.from([packed]), async (old) => {
    expect(await migrationsDone(old)).toHaveLength(OLD_MIGRATIONS);
    await work(old);
  });
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
    await onOldDatabase(async () => {
      await start();
    });
    const service = upgraded();

    expect(await schemaDrift(service.app.get(DataSource))).toEqual([]);
    const [name = '', ...others] = await backups();
    expect(name).toMatch(/^upgrade-\d{8}T\d{6}Z\.ndjson\.gz$/);
    expect(others).toEqual([]);

    await service.upkeep();
    const owner = service.as(TOKEN);
    const get = async (path: string) => (await owner.get(path).expect(200)).body;
    const { forms } = (await get('/api/v1/forms')) as {
      forms: { name: string; identifier: string }[];
    };
    expect(forms.map(({ name: form }) => form).sort()).toEqual(['Contact Köln 写 😀', 'Jobs']);
    const contact = forms.find(({ name: form }) => form !== 'Jobs')?.identifier ?? '';
    const form = `/api/v1/forms/${contact}` as const;
    const { submissions } = (await get(`${form}/submissions?q=grüße`)) as {
      submissions: unknown[];
    };
    expect(submissions).toHaveLength(10);
    expect(await get(`${form}/submissions?q=tag:köln`)).toMatchObject({
      submissions: [{ values: { name: 'Jane 3', nested: { list: [1.5, null, true] } } }],
    });
    expect(await get(`${form}/labels`)).toMatchObject({ labels: [{ label: 'Your email' }, {}] });
    expect(await get(`${form}/spam/lists`)).toMatchObject({ lists: { block: 'spam.example' } });
    expect(await get('/api/v1/clients')).toMatchObject([{ name: 'Client One' }]);
    expect(await get('/api/v1/views')).toMatchObject({ views: [{ name: 'Urgent' }] });
    expect(await get('/api/v1/account/brand')).toMatchObject({ brand: { colour: '#aa3366' } });
    const answer = await service.anonymous().post(`/f/${contact}`).send({ name: 'New' });
    expect(answer.status).toBe(200);

    const { stdout } = await run(
      settings,
      'backup',
      'verify',
      join(folder, 'backups', name),
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject([{ rows: OLD_ROWS }]);
  });

  onServer('is made once when two start at the same time', async () => {
    await onOldDatabase(async () => {
      await Promise.all([start(), start()]);
    });

    expect(await backups()).toHaveLength(1);
    for (const { app } of services) {
      expect(await migrationsDone(app.get(DataSource))).toHaveLength(migrations.length);
    }
  });

  it('changes nothing when its backup fails, and can do without one', async () => {
    await writeFile(join(folder, 'backups'), 'no folder');

    await onOldDatabase(async (old) => {
      await expect(start()).rejects.toThrow(
        'The backup before the upgrade failed: BACKUP_DIR is not a folder. Set it to a folder that exists or can be created. The database is as it was. To upgrade without a backup, set BACKUP_BEFORE_MIGRATIONS=off.',
      );
      expect(await migrationsDone(old)).toHaveLength(OLD_MIGRATIONS);
      await start({ BACKUP_BEFORE_MIGRATIONS: 'off' });
    });

    expect(await migrationsDone(upgraded().app.get(DataSource))).toHaveLength(migrations.length);
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
