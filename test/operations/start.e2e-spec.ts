import { exec } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, createTables, type TestDatabase } from '../support/database.js';
import { onEmbedded, onServer } from '../support/database-matrix.js';
import { Caller } from '../support/caller.js';
import { freePort, Program } from '../support/program.js';
import { Service } from '../support/service.js';

const shell = promisify(exec);
const TOKEN = /fcs_[0-9A-Za-z]{36}/g;
const CHOSEN = 'a-token-that-the-operator-chose.1';

let database: TestDatabase;
let settings: Record<string, string>;
let programs: Program[];

/** @param make createTables for a database that another start has made tables in */
async function setUp(make = createDatabase): Promise<void> {
  database = await make();
  settings = { ...database.settings, PORT: await freePort() };
  programs = [];
}

async function tearDown(): Promise<void> {
  await Promise.all(programs.map((program) => program.kill()));
  await database.drop();
}

function start(more: Record<string, string> = {}, folder?: string): Program {
  const program = Program.service({ ...settings, ...more }, folder);
  programs.push(program);
  return program;
}

const tokensIn = ({ stdout }: Program): string[] => [...new Set(stdout.match(TOKEN))];

const get = (path: string, token: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${settings.PORT}${path}`, { headers: { Authorization: `Bearer ${token}` } });

describe('The first start', () => {
  let program: Program;
  beforeAll(async () => {
    await setUp();
    program = start();
    await program.untilPrinted(/curl .*\n/);
  });
  afterAll(tearDown);

  it('prints one token and a curl line that works as it is', async () => {
    expect(tokensIn(program)).toHaveLength(1);
    const [line = ''] = /curl .*/.exec(program.stdout) ?? [];
    const { stdout } = await shell(`${line} --silent --show-error`);
    expect(JSON.parse(stdout)).toEqual({ forms: [] });
  });

  it('takes the commands of README, in the shell and as they are printed', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const blocks = (kind: string) =>
      Array.from(readme.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'gms')), ([, text = '']) => text);
    const calls = blocks('sh').filter((text) => text.startsWith('curl '));
    const [TOKEN = ''] = tokensIn(program);
    const [given = ''] = /(?<=\/f\/)\w+/.exec(readme) ?? [];
    const here = `http://127.0.0.1:${settings.PORT}`;
    let identifier = given;
    const run = async (needle: string) => {
      const [call = ''] = calls.filter((text) => text.includes(needle));
      const line = call
        .replaceAll('http://localhost:3000', here)
        .replaceAll(given, identifier)
        .replace('curl', 'curl --silent --show-error');
      const { stdout } = await shell(line, { env: { ...process.env, TOKEN } });
      return JSON.parse(stdout) as Record<string, unknown>;
    };

    expect(calls).toHaveLength(3);
    ({ identifier } = (await run('-X POST')) as { identifier: string });
    const answer = await run('-d name=Jane');
    const printed = JSON.parse(blocks('json')[0] ?? '{}') as Record<string, unknown>;
    const listed = await run('/submissions');

    expect(identifier).toMatch(/^[0-9a-f]{16}$/);
    expect(answer).toEqual({ ...printed, next: answer.next, id: answer.id });
    expect(listed.submissions).toMatchObject([{ id: answer.id, values: { name: 'Jane', email: 'jane@example.com' } }]);
  });

  it('keeps the token out of the log', () => {
    const [token = ''] = tokensIn(program);
    const logged = program.stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(token);
  });

  onEmbedded('lets no other user read what it keeps', async () => {
    const file = join(settings.DATA_DIR ?? '', 'database.sqlite');
    expect(((await stat(file)).mode & 0o077).toString(8)).toBe('0');
  });
});

describe('A start', () => {
  beforeEach(() => setUp(createTables));
  afterEach(tearDown);

  const accountOf = async (token: string) =>
    ((await (await get('/api/v1/me', token)).json()) as { account: object }).account;

  it('opens the account that the settings describe, if it is the first', async () => {
    const account = { ACCOUNT_NAME: 'Ada', ACCOUNT_EMAIL: 'ada@example.com' };
    await start({ BOOTSTRAP_TOKEN: CHOSEN, ...account }).untilPrinted(/curl .*\n/);

    expect(await accountOf(CHOSEN)).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
  });

  it('reads each setting of a file .env as Windows saves it, and asks what a misspelt one was meant to be', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fcs-env-'));
    await writeFile(
      join(folder, '.env'),
      `\uFEFFSMPT_URL=first\r\nACCOUNT_NAME="Ada's forms"\r\nBOOTSTRAP_TOKEN='${CHOSEN}'\r\n`,
    );
    const program = start({}, folder);
    await program.untilPrinted(/curl .*\n/);

    expect(await accountOf(CHOSEN)).toMatchObject({ name: "Ada's forms" });
    expect(program.stdout).toContain('SMPT_URL is not a setting; did you mean SMTP_URL?');
    await rm(folder, { recursive: true });
  });

  it('that comes later prints no token and has the same data', async () => {
    const first = start();
    await first.untilPrinted(/curl .*\n/);
    const [token = ''] = tokensIn(first);
    await new Caller(`http://127.0.0.1:${settings.PORT}`, token).makeForm({ name: 'Kept' });
    await first.stop();

    const second = start();
    await second.untilPrinted(/Listening/);
    const answer = await get('/api/v1/forms', token);
    expect(await answer.json()).toMatchObject({ forms: [{ name: 'Kept' }] });
    await second.stop();
    expect(tokensIn(second)).toEqual([]);
  });

  it('that comes later ignores BOOTSTRAP_TOKEN', async () => {
    const first = await Service.start(settings);
    await first.openAccount();
    await first.close();

    const second = start({ BOOTSTRAP_TOKEN: CHOSEN });
    await second.untilPrinted(/Listening/);
    expect((await get('/api/v1/me', CHOSEN)).status).toBe(401);
    await second.stop();
    expect(second.stdout).not.toContain(CHOSEN);
  });

  it('that cannot be tells all wrong settings at once, without a stack', async () => {
    const wrong = { PORT: 'http', DATABASE_URL: 'postgres://localhost/x', LOG_LEVEL: 'all' };
    const program = start(wrong);

    expect(await program.ended).toBe(1);
    expect(program.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT must be /),
      expect.stringMatching(/^DATABASE_URL must look like /),
      expect.stringMatching(/^LOG_LEVEL must be one of /),
    ]);
    expect(program.stdout).toBe('');
  });

  it.each(['PORT', 'METRICS_PORT'])(
    'that cannot be names %s and its number when another program has it',
    async (name) => {
      const other = createServer().listen(0);
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;

      const program = start({ [name]: String(port) });

      expect(await program.ended).toBe(1);
      expect(program.stderr).toBe(`Another program uses ${name} ${port}. Stop it, or set ${name} to another port.\n`);
      other.close();
    },
  );

  it('that cannot be names DATA_DIR when that is not a folder', async () => {
    const file = join(settings.DATA_DIR ?? '', 'file');
    await writeFile(file, '');

    for (const DATA_DIR of ['/dev/null/data', file]) {
      const program = start({ DATA_DIR, DATABASE_URL: '' });
      expect(await program.ended).toBe(1);
      expect(program.stderr).toBe(
        `DATA_DIR (${DATA_DIR}) is not a folder, or a parent of it is a file. Set DATA_DIR to a folder that exists or can be created.\n`,
      );
    }
  });

  it('that cannot be names the file when that is not a database', async () => {
    const file = join(settings.DATA_DIR ?? '', 'database.sqlite');
    await writeFile(file, 'This is a letter to Ann, and no database at all.'.repeat(100));

    const program = start({ DATABASE_URL: '' });

    expect(await program.ended).toBe(1);
    expect(program.stderr).toMatch(/is damaged or not a database of this service/);
    expect(program.stderr).toContain(file);
  });

  it('says that it waits for a database that does not answer', async () => {
    const program = start({ DATABASE_URL: 'mysql://a:b@127.0.0.1:1/forms' });

    await program.untilPrinted(/"Waiting for the server of DATABASE_URL"/);

    expect(program.stdout).toContain('ECONNREFUSED');
  });

  onServer('that cannot be names DATABASE_URL when the password is wrong', async () => {
    const url = new URL(settings.DATABASE_URL ?? '');
    url.password = 'wrong';

    const program = start({ DATABASE_URL: url.href });

    expect(await program.ended).toBe(1);
    expect(program.stderr).toMatch(/^DATABASE_URL .*the user name or password is not accepted.*\n$/);
    expect(program.stderr).not.toContain('wrong');
  });

  onServer('that cannot be names DATABASE_URL when there is no such database', async () => {
    const program = start({ DATABASE_URL: `${settings.DATABASE_URL}_missing` });

    expect(await program.ended).toBe(1);
    expect(program.stderr).toMatch(/^DATABASE_URL .*create it first.*\n$/);
  });

  it('ends by SIGTERM with 0 at once, also while a client keeps its connection', async () => {
    const program = start({ BOOTSTRAP_TOKEN: CHOSEN });
    await program.untilPrinted(/curl .*\n/);
    await (await get('/api/v1/forms', CHOSEN)).text();

    expect(await program.stop()).toBe(0);
  });

  it('that is stopped in its moment lets the account be opened and its token be shown', async () => {
    const program = start();
    await program.untilPrinted(/Listening/);

    expect(await program.stop()).toBe(0);
    expect(program.stderr).toBe('');
    expect(tokensIn(program)).toHaveLength(1);
  });

  it('ends by SIGTERM with 0 too while migrations are waited for', async () => {
    await tearDown();
    await setUp();
    const program = start({ MIGRATE: 'off' });
    await program.untilPrinted(/Migrations are pending/);

    expect(await program.stop()).toBe(0);
    expect(program.stderr).toBe('');
  });
});
