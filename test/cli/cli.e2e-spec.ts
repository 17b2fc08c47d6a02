import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runProgram, type AttemptResult } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onEmbedded } from '../support/database-matrix.js';
import { Service, type Caller } from '../support/service.js';
import { until } from '../support/until.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const cli = (...words: string[]) => run(database.settings, ...words);

/** Runs a command that must succeed, and reads the one row it prints. */
const row = async (...words: string[]): Promise<OpenedAccount> => rowOf(await cli(...words, '--json'));

function rowOf({ code, stdout, stderr }: AttemptResult): OpenedAccount {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as [OpenedAccount])[0];
}

interface OpenedAccount {
  id: number;
  token: string;
}

/** Does something with a running service, by a token. */
async function beside<T>({ token }: { token: string }, work: (owner: Caller) => Promise<T>) {
  const service = await Service.start({ ...database.settings, WORKERS: 'off' });
  try {
    return await work(service.as(token));
  } finally {
    await service.close();
  }
}

const openAccount = (name: string) => row('accounts', 'create', '--name', name);

describe('accounts', () => {
  it('create opens an account whose token works, list shows it without the token', async () => {
    const words = ['accounts', 'create', '--name', 'Ada', '--email', 'ada@example.com', '--json'];
    const opened = rowOf(await runProgram(database.settings, ...words));
    const { code, stdout } = await cli('accounts', 'list', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      id: opened.id,
      name: 'Ada',
      email: 'ada@example.com',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(stdout).not.toContain(opened.token);
    await beside(opened, async (owner) => {
      const { account } = await owner.read('/api/v1/me');
      expect(account).toEqual({ id: opened.id, name: 'Ada', email: 'ada@example.com' });
    });
  });

  it('list prints a table for people', async () => {
    await openAccount('Grace');

    const { stdout } = await cli('accounts', 'list');

    expect(stdout).toMatch(/^id +name +email +created_at\n/);
    expect(stdout).toMatch(/^\d+ +Grace +- +\d{4}-/m);
  });
});

it('accounts change changes what is given and leaves the rest', async () => {
  const { id } = await openAccount('Typo');
  const change = (...words: string[]) => cli('accounts', 'change', String(id), ...words);

  expect((await change('--email', 'a@EXAMPLE.com')).code).toBe(0);
  expect(await row('accounts', 'change', String(id), '--name', ' Right ')).toEqual({
    id,
    name: 'Right',
    email: 'a@example.com',
  });
  for (const words of [[], ['--email', 'x'], ['--name', ' '], ['--name', 'x'.repeat(256)]]) {
    expect((await change(...words)).code).toBe(2);
  }
  expect((await cli('accounts', 'change', '999999', '--name', 'x')).code).toBe(1);
});

it.each([
  ['--expires', ['5', '2030-02-31', '2030-01-31 12:00', '31.01.2030', 'tomorrow']],
  ['--name', ['', ' ', 'x'.repeat(256)]],
])('tokens create refuses in %s what the API refuses', async (option, refused) => {
  for (const value of refused) {
    const name = option === '--name' ? [] : ['--name', 'CI'];
    const { code, stderr } = await cli(...['tokens', 'create', '--account', '1', ...name, option, value]);
    expect({ value, code }).toEqual({ value, code: 2 });
    expect(stderr).toContain(option);
  }
});

describe('tokens', () => {
  it('create issues one with the rights and the expiry asked for; list shows it', async () => {
    const { id } = await openAccount('Rights');
    const issued = await row(
      ...['tokens', 'create', '--account', String(id), '--name', 'Reader'],
      ...['--rights', 'forms:read, submissions:read', '--expires', '2099-01-31'],
    );
    const { stdout } = await cli('tokens', 'list', '--account', String(id), '--json');

    expect(issued.token).toMatch(/^fcs_/);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ name: 'First token' }),
      {
        id: issued.id,
        name: 'Reader',
        client_id: null,
        rights: ['forms:read', 'submissions:read'],
        expires_at: '2099-01-31T00:00:00.000Z',
        last_used_at: null,
      },
    ]);
  });

  it('revoke takes effect on a running service, within a second', async () => {
    const { id } = await openAccount('Revoked');
    const issued = await row('tokens', 'create', '--account', String(id), '--name', 'Short-lived');
    await beside(issued, async (owner) => {
      await owner.get('/api/v1/me').expect(200);

      const words = ['tokens', 'revoke', String(issued.id), '--account', String(id)];
      const result = await runProgram(database.settings, ...words);

      expect(result).toEqual({ code: 0, stdout: 'Revoked.\n', stderr: '' });
      await until(async () => (await owner.get('/api/v1/me')).status === 401, 5_000);
    });
  });

  it.each([
    ['an unknown account', ['tokens', 'list', '--account', '999999']],
    ['an unknown token', ['tokens', 'revoke', '999999', '--account', '999999']],
    ['an expiry that has passed', ['tokens', 'create', '--account', '1', '--name', 'Late', '--expires', '2000-01-01']],
  ])('refuse %s with one sentence and exit code 1', async (_, words) => {
    await openAccount('Somebody');

    const { code, stdout, stderr } = await cli(...words);

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[A-Z].*\.\n$/);
  });
});

it('migrate runs what is pending, then has nothing to do, and --check agrees', async () => {
  const fresh = await createDatabase();
  try {
    const first = await runProgram(fresh.settings, 'migrate');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^AddKeysToPeople\d+$/m);
    const again = await run(fresh.settings, 'migrate');
    expect(again).toEqual({ code: 0, stdout: 'No pending migrations.\n', stderr: '' });
    const checked = await run(fresh.settings, 'migrate', '--check');
    const agree = 'Migrations and entities agree.\n';
    expect(checked).toEqual({ code: 0, stdout: agree, stderr: '' });
  } finally {
    await fresh.drop();
  }
});

describe('Wrong settings', () => {
  onEmbedded('end a command with 1 and are named', async () => {
    const settings = { ...database.settings, PORT: 'http' };

    const { code, stderr } = await runProgram(settings, 'accounts', 'list');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^PORT must be .*\n$/);
  });
});

describe('people invite', () => {
  const invite = (...words: string[]) => cli('people', 'invite', '--email', 'jo@example.com', '--name', 'Jo', ...words);

  it('prints the link that makes a member of the role', async () => {
    const { id } = await openAccount('Inviting');
    const { code, stdout } = await invite('--role', 'editor', '--account', String(id));

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/\/invitation\?at=[\w.-]+#fcs_invitation_\w+\n$/) as unknown,
    });
    expect(await invite('--role', 'boss')).toMatchObject({ code: 2 });
  });

  it('is in the audit log like all that the command line does, without a secret', async () => {
    const { id, token } = await openAccount('Audited');
    const account = String(id);
    await invite('--role', 'viewer', '--account', account);
    const issued = await row('tokens', 'create', '--account', account, '--name', 'Script');
    await cli('tokens', 'revoke', String(issued.id), '--account', account);
    await cli('accounts', 'change', account, '--name', 'Renamed');
    await cli('people', 'setup-link', '--account', account);

    const { entries } = await beside({ token }, (owner) => owner.read('/api/v1/audit'));
    expect(entries.map(({ action }) => action)).toEqual([
      'setup.issued',
      'account.changed',
      'token.revoked',
      'token.issued',
      'person.invited',
      'token.issued',
      'account.opened',
    ]);
    for (const { actor } of entries) {
      expect(actor).toEqual({ kind: 'operator', id: null, name: 'Command line' });
    }
    expect(JSON.stringify(entries)).not.toMatch(/fcs_\w{20}/);
  });
});

describe('A folder without a database', () => {
  onEmbedded('is named by every command that needs one, and stays empty', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fcs-empty-'));
    for (const words of [
      ['accounts', 'list'],
      ['people', 'list'],
      ['people', 'setup-link'],
      ['tokens', 'list', '--account', '1'],
      ['doctor'],
      ['backup', join(folder, 'copy')],
    ]) {
      expect(await run({ DATA_DIR: folder }, ...words)).toEqual({
        code: 1,
        stdout: '',
        stderr: `No database in ${folder}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database server.\n`,
      });
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

it('The version is printed', async () => {
  expect(await cli('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

it('aliases add has an id lead to a form, list shows it, remove and free let it go', async () => {
  const account = await openAccount('Mover');
  const { identifier } = await beside(account, (owner) => owner.makeForm());
  const form = ['--form', identifier];
  const alias = { provider: 'formspree', value: 'xpzvnqkd' };
  expect(rowOf(await cli('aliases', 'add', 'formspree', 'xpzvnqkd', ...form, '--json'))).toEqual({
    ...{ id: expect.any(Number), ...alias, last_used_at: null, last_page: null },
  });
  expect((await cli('aliases', 'list', ...form)).stdout).toContain('formspree  xpzvnqkd');
  expect(await cli('aliases', 'add', 'wufoo', 'x', ...form)).toMatchObject({ code: 2 });
  expect(await cli('aliases', 'add', 'formspark', 'inbox', ...form)).toMatchObject({ code: 1 });
  expect(await cli('aliases', 'remove', 'xpzvnqkd', ...form)).toMatchObject({ code: 0 });
  expect(await cli('aliases', 'remove', 'xpzvnqkd', ...form)).toMatchObject({ code: 1 });
  expect(await cli('aliases', 'free', 'xpzvnqkd')).toMatchObject({ code: 0 });
  expect(await cli('aliases', 'free', 'xpzvnqkd')).toMatchObject({ code: 1 });
});
