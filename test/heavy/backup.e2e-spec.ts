import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { BackupWriter, sizeOf, type BackupLine } from '../../src/platform/database/backup/backup-format.js';
import { BackupService, RestoreService } from '../../src/operations/backup/backup.service.js';
import { Snapshot, tablesOf } from '../../src/platform/database/backup/snapshot.js';
import { hasPendingMigrations, schemaDrift } from '../../src/platform/database/database-status.js';
import { migrationNames } from '../../src/platform/database/migrations/index.js';
import { run, runProgram } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Service, type Caller } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const SETTINGS = { WORKERS: 'off', BASE_URL: 'http://forms.test', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
const HOSTILE = [
  ['__proto__', 'polluted'],
  ['emoji \u{1f600}', '\u{1f468}\u200d\u{1f469} \u2028 \u2029 \u0007 \r\n \\ " \''],
  ['again', '1'],
  ['again', '2'],
  ["'; DROP TABLE forms; --", '=1+1'],
  ['empty', ''],
] as [string, string][];

let folder: string;
let source: TestDatabase;
let service: Service;
let owner: Caller;
let receiver: WebhookReceiver;
let filled: Awaited<ReturnType<typeof fill>>;
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fcs-backups-'));
  receiver = await WebhookReceiver.start(answers(500, 'No'));
  source = await createDatabase();
  service = await Service.start({ ...source.settings, ...SETTINGS });
  owner = await service.openAccount('Ada \u{1f600}', 'ada@example.com');
  filled = await fill();
  await everythingOf(service, filled); // a webhook gets its secret when it is first looked at
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await source.drop();
  await rm(folder, { recursive: true });
});

/** An empty database. @param server its server; the one that is tested by default */
async function makeTarget(server?: string): Promise<TestDatabase> {
  const target = await createDatabase(server);
  cleanUp.push(() => target.drop());
  return target;
}

async function start({ settings }: TestDatabase, more: Record<string, string> = {}) {
  const started = await Service.start({ ...settings, ...SETTINGS, ...more });
  cleanUp.push(() => started.close());
  return started;
}

async function backUpInto(file: string, { app }: Service): Promise<void> {
  const { content } = app.get(BackupService).begin();
  await writeFile(file, content);
}

async function restoredFrom(file: string, server?: string): Promise<Service> {
  const restored = await start(await makeTarget(server), { MIGRATE: 'off' });
  await restored.app.get(RestoreService).restore(createReadStream(file));
  return restored;
}

const contentOf = (file: string) => gunzipSync(readFileSync(file)).toString();

/** A backup of one account, with the columns that the first migration gave it and no value has to have. */
function backupOfGrace(names: string[], ids = [7]): Buffer {
  const writer = new BackupWriter();
  const columns = [
    { name: 'id', kind: 'plain' as const },
    { name: 'name', kind: 'plain' as const },
    { name: 'created_at', kind: 'moment' as const },
  ];
  const header = { migrations: names, tables: [{ name: 'accounts', columns }] };
  const rows = ids.map((id): BackupLine => ['row', 0, [id, 'Grace', '2026-01-31T12:00:00.123Z']]);
  const text = writer.header(header) + writer.lines(rows);
  return gzipSync(text + writer.end({ rows: ids.length, files: 0, erased: 0, lost: 0 }));
}

/** Makes something of everything there is. */
async function fill() {
  const form = await owner.makeForm({
    name: "Köln 写 \u{1f600} '; --",
    webhook_url: receiver.url,
    redirect_url: 'https://example.com/?q=1',
    notify_owner_emails: 'grace@example.com',
  });
  const plain = await owner.makeForm({ notify_owner_on_submission: false });
  const deleted = await owner.makeForm({ whitelisted_domains: 'example.com' });
  await owner.put(`/api/v1/forms/${plain.identifier}/retention`, { days: 30 }).expect(200);
  const withFile = await service.submitFile(form, Buffer.from([0, 255, 10, 13, 128]), { name: 'ü \u2028.bin' });
  await service.submitFile(form, '');
  await service.sendDue();
  await service.submitPairs(form, HOSTILE);
  await service.submitSpam(form, { nested: { list: [1.5, null, true], '2': 'b', '1': 'a' } });
  const onceId = await service.submit(plain, { once: true }, { 'Idempotency-Key': 'key' });
  const trashed = await service.submit(plain, { big: 'x'.repeat(5_000) });
  const marks = { submission: { trash: true } };
  await owner.patch(`${pathOf(plain)}/${trashed}`, marks).expect(200);
  await service.submit(deleted, { m: 'gone' });
  await owner.delete(`/api/v1/forms/${deleted.identifier}`).expect(200);
  const client = await owner.makeClient({ name: 'Jane', form_ids: [form.id] });
  await owner.makeToken({ rights: ['forms:read'], expires_at: '2099-01-31T00:00:00Z' });
  const { files } = await owner.show(form, withFile);
  return {
    forms: [form, plain],
    /** Submitted with the idempotency key `key`. */
    once: plain,
    onceId,
    clientToken: await owner.makeClientToken(client),
    link: new URL(files[0]?.url ?? '').pathname,
  };
}

/** All that the API tells of some forms, and of everything else. */
async function everythingOf({ url }: Service, { forms, clientToken, link }: typeof filled): Promise<string[]> {
  const answers: string[] = [];
  const get = async (path: string, token = owner.secret) => {
    const headers = { Authorization: `Bearer ${token ?? ''}` };
    const answer = await fetch(`${url}${path}`, { headers });
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    answers.push(`${path} ${answer.status} ${text.replace(/"last_used_at":("[^"]*"|null)/g, '')}`);
    return text;
  };
  for (const path of ['me', 'forms', 'clients', 'tokens']) await get(`/api/v1/${path}`);
  await get('/api/v1/forms', clientToken);
  await get(link);
  for (const { identifier } of forms) {
    const form = `/api/v1/forms/${identifier}` as const;
    for (const part of ['', '/retention', '/webhook', '/warnings']) await get(form + part);
    await get(`${form}/value_exists?field=again&value=2`);
    const all = await get(`${form}/submissions?spam=all&trash=all`);
    for (const { id } of (JSON.parse(all) as { submissions: { id: string }[] }).submissions) {
      for (const part of ['', '/source', '/deliveries']) {
        await get(`${form}/submissions/${id}${part}`);
      }
    }
  }
  return answers;
}

it('A database that is read for a backup is read in pages by their size, also when long rows follow on many short ones', async () => {
  const MIB = 1024 * 1024;

  const form = await owner.makeForm({ notify_owner_on_submission: false });
  const submitAll = (count: number, m: string) =>
    Promise.all(Array.from({ length: count }, () => service.submit(form, { m })));
  await submitAll(60, 'short');
  await submitAll(12, 'long '.repeat(40_000));
  const database = service.app.get(DataSource);
  const table = (await tablesOf(database)).find(({ name }) => name === 'submissions');
  if (!table) throw new Error('There is no such table.');

  const snapshot = await Snapshot.begin(database);
  const pages: unknown[][][] = [];
  for await (const rows of snapshot.rows(table)) pages.push(rows);
  await snapshot.end();

  const sizes = pages.map((rows) => rows.reduce((sum, row) => sum + sizeOf(row), 0));
  expect(Math.max(...sizes)).toBeLessThan(1.5 * MIB); // a third more in base64
  expect(Math.max(...pages.map((rows) => rows.length))).toBeGreaterThan(1);
  expect(pages.flat()).toHaveLength(await database.getRepository('submissions').count());
});

describe('A backup', () => {
  it('made while submissions arrive holds all that came before, and everything else as it was', async () => {
    const busy = await owner.makeForm({ webhook_url: receiver.url });
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const visitors = [1, 2, 3].map(async () => {
      while (!stop.signal.aborted) acknowledged.push(await service.submitFile(busy, 'a file'));
    });
    await until(() => acknowledged.length >= 5);
    const before = [...acknowledged];
    const file = join(folder, 'busy');

    const { code, stdout } = await runProgram(source.settings, 'backup', file, '--json');
    stop.abort();
    await Promise.all(visitors);

    expect(code).toBe(0);
    const { size, mode } = await stat(file);
    const counts = { rows: expect.any(Number), files: expect.any(Number), erased: 0, lost: 0 };
    expect(JSON.parse(stdout)).toEqual([{ file, bytes: size, ...counts }]);
    expect(mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['busy']);

    const target = await makeTarget();
    const result = await runProgram(target.settings, 'restore', file);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const restored = await start(target);
    const heir = restored.as(owner.secret ?? '');
    const there = (await heir.download(`${pathOf(busy)}.ndjson`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; files: object[] });
    const ids = new Set(there.map(({ id }) => id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    expect(there.every(({ files }) => files.length === 1)).toBe(true);
    expect(await heir.countOf(busy)).toBe(there.length);
    expect(there.length).toBeLessThan(acknowledged.length);
    for (const { id } of there.slice(0, 20)) {
      expect(await heir.deliveriesOf(busy, id)).toHaveLength(2);
    }
    await owner.delete(`/api/v1/forms/${busy.identifier}`).expect(200);
    await heir.delete(`/api/v1/forms/${busy.identifier}`).expect(200);
    expect(await everythingOf(restored, filled)).toEqual(await everythingOf(service, filled));
    const key = { 'Idempotency-Key': 'key' };
    expect(await restored.submit(filled.once, { once: true }, key)).toBe(filled.onceId);
    expect((await heir.makeForm()).id).toBeGreaterThan(busy.id);
  });

  it('of what was restored is the same, on either kind of database', async () => {
    const file = join(folder, 'first');
    await backUpInto(file, service);
    for (const [kind, server] of Object.entries({ embedded: '', tested: undefined })) {
      const restored = await restoredFrom(file, server);

      const copy = join(folder, kind);
      await backUpInto(copy, restored);

      expect(contentOf(copy) === contentOf(file)).toBe(true);
    }
  });

  it('goes to standard output too, and says when files are not where they should be', async () => {
    const [some = ''] = await storedNames(service);
    await rename(join(service.config.dataDir, 'files', some), join(folder, 'elsewhere'));
    cleanUp.push(() => rename(join(folder, 'elsewhere'), join(service.config.dataDir, 'files', some)));

    const { code, stdout, stderr } = await runProgram(source.settings, 'backup', '-');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^The backup is written, but 1 file is missing .*\.\n$/);
    expect(stdout.length).toBeGreaterThan(100);
  });

  it('gives back no file that it lacks, nor its size', async () => {
    const [, form] = filled.forms;
    if (!form) throw new Error('There is no second form.');
    await service.submitFile(form, 'stays');
    const before = await storedNames(service);
    await service.submitFile(form, 'x'.repeat(100));
    const path = (await storedNames(service)).find((name) => !before.includes(name)) ?? '';
    const place = join(service.config.dataDir, 'files', path);
    await rename(place, join(folder, 'lost'));
    cleanUp.push(() => rename(join(folder, 'lost'), place));
    const backup = join(folder, 'lacking');
    await backUpInto(backup, service);

    const restored = await restoredFrom(backup);

    const [row] = await restored.app
      .get(DataSource)
      .query<{ bytes: number | string }[]>('SELECT files_bytes AS bytes FROM forms WHERE id = ?', [form.id]);
    expect(Number(row?.bytes)).toBe('stays'.length);
  });

  it('is not made over a file that is there', async () => {
    const file = join(folder, 'taken');
    await writeFile(file, 'mine');

    const { code, stderr } = await run(source.settings, 'backup', file);

    const refusal = `${file} already exists. Choose another name.\n`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: refusal });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('A backup that is verified', () => {
  const verify = (file: string) => run(source.settings, 'backup', 'verify', file, '--json');
  const write = async (content: Buffer) => {
    const file = join(await mkdtemp(join(folder, 'verified-')), 'backup');
    await writeFile(file, content);
    return file;
  };

  it('is restored apart, and has each row and file that was counted', async () => {
    const file = join(folder, 'to-verify');
    const made = await run(source.settings, 'backup', file, '--json');

    const { code, stdout } = await verify(file);

    expect(code).toBe(0);
    const [{ rows, files }] = JSON.parse(made.stdout) as [{ rows: number; files: number }];
    expect(JSON.parse(stdout)).toEqual([{ file, rows, files, erased: 0, lost: 0 }]);
    expect(rows).toBeGreaterThan(30);
    expect(files).toBeGreaterThan(0);
  });

  it('may be of an older version', async () => {
    const file = await write(backupOfGrace(migrationNames.slice(0, 1)));
    expect(await verify(file)).toMatchObject({ code: 0 });
  });

  it('is refused when the database gives back something else', async () => {
    const { code, stderr } = await verify(await write(backupOfGrace(migrationNames, [8, 7])));
    expect(code).toBe(1);
    expect(stderr).toContain('a row of accounts differs from the file');
  });

  it('is listed with the others of its folder', async () => {
    const settings = { ...source.settings, BACKUP_DIR: join(folder, 'listed') };
    await run(settings, 'backup');

    expect(JSON.parse((await run(settings, 'backup', 'list', '--json')).stdout)).toMatchObject([
      { kind: 'backup', file: expect.stringMatching(/\/listed\/backup-\d{8}T\d{6}Z\.ndjson\.gz$/) },
    ]);
  });
});

describe('Restoring', () => {
  const restore = (into: Service, packed: Buffer) => into.app.get(RestoreService).restore(Readable.from([packed]));

  it('takes all or nothing', async () => {
    const file = join(folder, 'whole');
    await backUpInto(file, service);
    const lines = contentOf(file).split('\n');
    const altered = gzipSync(lines.toSpliced(1, 1).join('\n'));
    const target = await start(await makeTarget(), { MIGRATE: 'off' });

    await expect(restore(target, altered)).rejects.toThrow(
      'This backup cannot be restored: its checksum is wrong. Nothing was restored. Use another copy of it.',
    );

    expect(await target.app.get(AccountsService).list()).toEqual([]);
    expect(await storedNames(target)).toEqual([]);
    await restore(target, readFileSync(file));
    expect(await target.app.get(AccountsService).list()).toHaveLength(1);
    expect(await storedNames(target)).toEqual(await storedNames(service));
  });

  it('says what is wrong with what it cannot read', async () => {
    const { code, stderr } = await runProgram((await makeTarget()).settings, 'restore', folder);

    expect(code).toBe(1);
    expect(stderr).toBe('The command failed: EISDIR: illegal operation on a directory, read\n');
  });

  it('migrates what is older, and refuses what is newer or between two releases', async () => {
    const target = await start(await makeTarget(), { MIGRATE: 'off' });

    await expect(restore(target, backupOfGrace([...migrationNames, 'Later1999999999999']))).rejects.toThrow(
      'The backup comes from a newer version, with the migration Later1999999999999. Restore it with that version.',
    );
    const old = migrationNames.slice(0, 1);
    await expect(restore(target, backupOfGrace([...old, 'Part1766463300000']))).rejects.toThrow(
      'The backup was made between two releases (its migration is Part1766463300000). Restore it with the version that made it.',
    );
    await restore(target, backupOfGrace(old));

    const [grace] = await target.app.get(AccountsService).list();
    expect(grace).toMatchObject({ id: 7, name: 'Grace', email: null });
    expect(grace?.createdAt.toISOString()).toBe('2026-01-31T12:00:00.123Z');
    expect(await hasPendingMigrations(target.app.get(DataSource))).toBe(false);
    expect(await schemaDrift(target.app.get(DataSource))).toEqual([]);
    await (await target.openAccount()).makeForm();
  });

  it('refuses a database that holds anything, or that is migrated past the backup', async () => {
    const target = await start(await makeTarget());
    await expect(restore(target, backupOfGrace(migrationNames.slice(0, 1)))).rejects.toThrow(
      `The database is newer than the backup, by the migration ${migrationNames[1] ?? ''}.`,
    );

    await restore(target, backupOfGrace(migrationNames));
    await expect(restore(target, backupOfGrace(migrationNames))).rejects.toThrow(
      'The database is not empty: accounts has rows.',
    );

    expect(await target.app.get(AccountsService).list()).toHaveLength(1);
  });
});
