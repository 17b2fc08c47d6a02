import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { run, runProgram, type AttemptResult } from '../support/command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { onServer } from '../support/database-matrix.js';
import { Browser, PASSWORD } from '../support/people.js';
import { freePort, Program } from '../support/program.js';
import { Service } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';

const screenOf = ({ stdout }: Program) => stripVTControlCharacters(stdout);

const mailbox = useMailServer();
let database: TestDatabase;
/** The working directory, which is the data folder too. */
let folder: string;
/** The server that takes part; empty for the embedded database. */
let databaseUrl: string;
let passwordFile: string;
beforeEach(async () => {
  mailbox.logins = [];
  database = await createDatabase();
  folder = database.settings.DATA_DIR ?? '';
  databaseUrl = database.settings.DATABASE_URL ?? '';
  passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${PASSWORD}\n`);
});
afterEach(() => database.drop());

const envText = () => readFile(join(folder, '.env'), 'utf8');
const writeEnv = (text: string) => writeFile(join(folder, '.env'), text);
const env = async () => ({ ...parseEnv(await envText()) });
const loginUrl = () => mailbox.url.replace('//', '//forms:s%23cret@');

/** Runs setup without questions, in the folder. */
const setup = (...options: string[]): Promise<AttemptResult> => run({ DATA_DIR: folder }, 'setup', '--yes', ...options);

const withDatabase = () => (databaseUrl === '' ? [] : ['--database-url', databaseUrl]);
const withOwner = (email = 'ada@example.com') => [
  ...['--owner-name', 'Ada', '--owner-email', email],
  ...['--owner-password-file', passwordFile],
];

async function expectRefusal(options: string[], reason: RegExp, code = 1): Promise<void> {
  expect(await setup(...options)).toMatchObject({ code, stderr: expect.stringMatching(reason) });
  expect(existsSync(join(folder, '.env'))).toBe(false);
}

describe('setup --yes', () => {
  it('writes .env for its owner alone, tests the mail server, and makes the owner', async () => {
    const backups = join(folder, 'my backups');
    const { code, stdout, stderr } = await setup(
      ...['--base-url', 'https://forms.example.com', '--proxy', ...withDatabase()],
      ...['--smtp-url', loginUrl(), '--mail-from', 'Forms <forms@example.com>'],
      ...['--test-email', 'grace@example.com', ...withOwner()],
      ...['--backup-dir', backups, '--backup-schedule', '01:00,13:00'],
      ...['--backup-command', 'rclone copy "$BACKUP_FILE" remote:#1'],
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await env()).toEqual({
      BASE_URL: 'https://forms.example.com',
      HOST: '127.0.0.1',
      TRUST_PROXY: '1',
      ...(databaseUrl !== '' && { DATABASE_URL: databaseUrl }),
      SMTP_URL: loginUrl(),
      MAIL_FROM: 'Forms <forms@example.com>',
      BACKUP_DIR: backups,
      BACKUP_SCHEDULE: '01:00,13:00',
      BACKUP_COMMAND: 'rclone copy "$BACKUP_FILE" remote:#1',
    });
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(mailbox.logins[0]).toBe('forms:s#cret');
    expect(mailbox.to('grace@example.com')).toHaveLength(1);
    expect(stdout).toMatch(/^Start the service with: npm start$/m);
    const token = /fcs_[0-9A-Za-z]{36}/.exec(stdout)?.[0] ?? '';
    const service = await Service.start(database.settings);
    try {
      const { body } = await service.as(token).get('/api/v1/me').expect(200);
      expect(body.account).toMatchObject({ email: 'ada@example.com' });
      const browser = new Browser(service);
      await browser.signIn('ada@example.com');
      expect(browser.session).toBeDefined();
    } finally {
      await service.close();
    }
  });

  it('orders a certificate where no proxy answers, and takes it back for a proxy', async () => {
    await setup('--base-url', 'https://forms.example.com');
    const BASE_URL = 'https://forms.example.com';
    const ports = { HTTP_PORT: '80', PORT: '443' };
    expect(await env()).toEqual({ BASE_URL, ACME_DOMAIN: 'forms.example.com', ...ports });

    await setup('--proxy');
    expect(await env()).toEqual({ BASE_URL, HOST: '127.0.0.1', TRUST_PROXY: '1' });
  });

  it('changes nothing the second time, and says who can sign in', async () => {
    const options = [...withDatabase(), ...withOwner(), '--backup-schedule', '04:00'];
    await setup(...options);
    const written = await envText();

    const again = await setup(...withOwner());

    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('.env stays as it is.');
    expect(again.stdout).toContain('ada@example.com can sign in already.');
    expect(await envText()).toBe(written);
    const other = await setup(...withOwner('eve@example.com'));
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('people create') });
  });

  it('keeps the other lines of .env with Windows line ends, without the mark in front', async () => {
    await writeEnv('\uFEFF# Mine\r\nBASE_URL=http://old.example.com\r\nLOG_LEVEL="warn"\r\nMAIL_FROM=a@example.com');

    await setup('--base-url', 'http://forms.example.com:8080', '--no-mail-from');

    expect(await envText()).toBe(
      '# Mine\r\nBASE_URL=http://forms.example.com:8080\r\nLOG_LEVEL="warn"\r\nPORT=8080\r\n',
    );
  });

  it('replaces the name of a file with the value, by the value', async () => {
    await writeFile(join(folder, 'sender'), 'old@example.com\n');
    await writeEnv(`MAIL_FROM_FILE=${join(folder, 'sender')}\n`);

    expect(await setup()).toMatchObject({ code: 0 });
    expect(await env()).toEqual({ MAIL_FROM_FILE: join(folder, 'sender') });
    expect(await setup('--mail-from', 'new@example.com')).toMatchObject({ code: 0 });
    expect(await env()).toEqual({ MAIL_FROM: 'new@example.com' });
  });

  it.each([
    ["Ada's Forms <a@example.com>", `MAIL_FROM="Ada's Forms <a@example.com>"\n`],
    ['Forms #1 <a@example.com>', `MAIL_FROM='Forms #1 <a@example.com>'\n`],
    ['a+b@example.com', 'MAIL_FROM=a+b@example.com\n'],
  ])('quotes %s so that every reader understands it', async (sender, line) => {
    expect(await setup('--mail-from', sender)).toMatchObject({ code: 0 });
    expect(await envText()).toBe(line);
  });

  it.each([
    [['--base-url', 'forms.example.com'], /^BASE_URL must be/],
    [['--base-url', 'https://localhost'], /^ACME_DOMAIN must be/],
    [['--database-url', 'mysql://root@127.0.0.1:1/forms'], /^DATABASE_URL names .*ECONNREFUSED/],
    [['--smtp-url', 'smtp://127.0.0.1:1'], /ECONNREFUSED.*Check the host/],
    [['--backup-schedule', 'daily'], /^BACKUP_SCHEDULE must be/],
    [['--backup-dir', '/dev/null/backups'], /^BACKUP_DIR is not a folder/],
    [['--backup-command', 'echo "'], /^The shell does not understand BACKUP_COMMAND/],
    [['--backup-command', `echo 'a' "$BACKUP_FILE"`], /set BACKUP_COMMAND_FILE/],
    [
      ['--owner-name', 'Ada', '--owner-email', 'a@b.cc', '--owner-password-file', '/dev/null'],
      /^The password must have/,
    ],
  ])('refuses %j with the reason, and writes nothing', async (options, reason) => {
    await expectRefusal(options, reason);
  });

  it.each([
    [['--owner-name', 'Ada'], /together/],
    [['--test-email', 'ada'], /--test-email must be/],
    [['--colour'], /unknown option/],
  ])('takes %j as wrong use', async (options, reason) => {
    await expectRefusal(options, reason, 2);
  });

  it('refuses a mail server that does not take the login', async () => {
    mailbox.answer = () => ({ at: 'login', code: 535, text: '5.7.8 Wrong password' });
    const reason = /Wrong password.*user and password in SMTP_URL/s;
    await expectRefusal(['--smtp-url', loginUrl()], reason);
  });

  it('refuses a wrong .env until the option for it is given', async () => {
    await writeEnv('BASE_URL=forms.example.com\n');
    const stderr = expect.stringMatching(/^BASE_URL must/) as unknown;
    expect(await setup()).toMatchObject({ code: 1, stderr });
    expect(await setup('--base-url', 'http://a.example.com')).toMatchObject({ code: 0 });

    await writeEnv('MAX_FIELDS=many\n');
    expect(await setup()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^MAX_FIELDS/) });
  });

  it('refuses to change what the environment decides', async () => {
    const settings = { DATA_DIR: folder, MAIL_FROM: 'a@example.com' };
    const { code, stderr } = await run(settings, 'setup', '--yes', '--mail-from', 'b@example.com');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^MAIL_FROM is set in the environment/);
  });

  onServer('names the privilege that a user lacks', async () => {
    const { default: mysql } = await import('mysql2/promise');
    const url = new URL(databaseUrl);
    const name = url.pathname.slice(1);
    const root = await mysql.createConnection(databaseUrl);
    try {
      // An anonymous user of localhost would go before one of any host.
      const users = `fcs_weak@'%' IDENTIFIED BY 'weak', fcs_weak@localhost IDENTIFIED BY 'weak'`;
      await root.query(`CREATE USER ${users}`);
      for (const host of ['%', 'localhost'])
        await root.query(`GRANT SELECT, INSERT, CREATE, DROP ON ${name}.* TO fcs_weak@'${host}'`);
      url.username = 'fcs_weak';
      url.password = 'weak';
      const weak = /fcs_weak of DATABASE_URL lacks a privilege/;
      await expectRefusal(['--database-url', url.href], weak);
      url.password = 'wrong';
      await expectRefusal(['--database-url', url.href], /password is not accepted/);
    } finally {
      await root.query("DROP USER IF EXISTS fcs_weak@'%', fcs_weak@localhost");
      await root.end();
    }
  });
});

it('setup without a terminal asks for --yes', async () => {
  const result = await runProgram({ DATA_DIR: folder }, 'setup');
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
});

describe('setup at a terminal', () => {
  let programs: Program[];
  /** How much each of them had printed at the last answer, in characters. */
  let printed: Map<Program, number>;
  beforeEach(() => {
    programs = [];
    printed = new Map();
  });
  afterEach(() => Promise.all(programs.map((program) => program.kill())));

  function open(): Program {
    const program = Program.atTerminal({ DATA_DIR: folder }, folder, 'setup');
    programs.push(program);
    return program;
  }

  /** Answers questions one after the other; a question matches what is printed since the last answer. */
  async function answer(program: Program, answers: [question: RegExp, answer: string][]) {
    for (const [question, text] of answers) {
      await asked(program, question);
      printed.set(program, screenOf(program).length);
      program.type(`${text}\r`);
    }
  }

  async function asked(program: Program, question: RegExp): Promise<void> {
    const latest = () => screenOf(program).slice(printed.get(program) ?? 0);
    await until(() => question.test(latest())).catch(() => {
      throw new Error(`${question.source} was not asked, but: ${latest()}`);
    });
  }

  it('asks again for each wrong answer, shows no password, and ends with the next command', async () => {
    const program = open();
    const port = await freePort();
    const loseLogin = () => (mailbox.answer = () => ({ at: 'login', code: 535, text: 'No' }));
    const { user, url } = databaseQuestion();

    await answer(program, [
      [/Address of the service.*: $/, 'forms.example.com'],
      [/BASE_URL must be[^]*Address of the service.*: $/, `http://localhost:${port}`],
      [/Database: .*: $/, 'mysql://127.0.0.1:1/forms'],
      [/ECONNREFUSED[^]*Database: .*: $/, url],
      ...user,
    ]);
    loseLogin();
    const smtp = mailbox.url.replace('//', '//forms@');
    const mail = (password: string): [RegExp, string][] => [
      [/Mail server: .*: $/, smtp],
      [/Password of forms.*: $/, password],
      [/Sender of emails: $/, 'forms@example.com'],
      [/test email to.*: $/, 'grace@example.com'],
    ];
    await answer(program, mail('wrong-secret'));
    await asked(program, /Check the host, port, user and password in SMTP_URL[^]*Mail server: .*: $/);
    mailbox.answer = () => 'accept';
    await answer(program, [
      ...mail('right-secret'),
      [/Name of the first owner.*: $/, 'Ada'],
      [/email address: $/, 'ada'],
      [/must be an email address[^]*email address: $/, 'ada@example.com'],
      [/Their password.*: $/, 'short'],
      [/at least 15[^]*Their password.*: $/, PASSWORD],
      [/again: $/, `${PASSWORD}!`],
      [/differ[^]*Their password.*: $/, PASSWORD],
      [/again: $/, PASSWORD],
      [/Folder for backups.*: $/, '/dev/null/backups'],
      [/Times of the day.*: $/, ''],
      [/Command that copies.*: $/, ''],
      [/BACKUP_DIR is not a folder[^]*Folder for backups.*: $/, ''],
      [/Times of the day.*: $/, '05:00'],
      [/Command that copies.*: $/, ''],
    ]);

    expect(await program.ended).toBe(0);
    expect(program.stdout).toMatch(/ada@example\.com can sign in[^]*Start the service with: npm start/);
    expect(program.stdout).not.toMatch(/right-secret|wrong-secret|purple otters/);
    expect(mailbox.to('grace@example.com')).toHaveLength(1);
    expect(await env()).toEqual({
      BASE_URL: `http://localhost:${port}`,
      PORT: port,
      ...(databaseUrl !== '' && { DATABASE_URL: databaseUrl }),
      SMTP_URL: mailbox.url.replace('//', '//forms:right-secret@'),
      MAIL_FROM: 'forms@example.com',
      BACKUP_SCHEDULE: '05:00',
    });
  });

  it('asks before it replaces a value, and says that another program has the port', async () => {
    const other = createServer().listen(0, '0.0.0.0');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const former = '# Mine\nBASE_URL=http://old.example.com\nSMTP_URL=smtp://a:hidden@mail.example.com\n';
    const { user, url } = databaseQuestion();
    const toTheEnd: [RegExp, string][] = [
      [/Address of the service.*old.*: $/, `http://localhost:${port}`],
      [/Another program uses PORT[^]*Database: .*: $/, url],
      ...user,
      [/Mail server: .*a:…@.*: $/, 'none'],
      [/reach nobody[^]*Name of the first owner.*: $/, ''],
      [/Folder for backups.*: $/, ''],
      [/Times of the day.*: $/, 'off'],
      [/Command that copies.*: $/, ''],
    ];
    try {
      await writeEnv(former);
      const refusing = open();
      await answer(refusing, [...toTheEnd, [/Replace them\?.*: $/, '']]);
      expect(await refusing.ended).toBe(1);
      expect(await envText()).toBe(former);
      expect(refusing.stdout).not.toContain('hidden');

      const agreeing = open();
      await answer(agreeing, [...toTheEnd, [/Replace them\?.*: $/, 'y']]);
      expect(await agreeing.ended).toBe(0);
      expect(agreeing.stdout).toContain('prints a link to set up the first owner');
      expect(await envText()).toBe(
        `# Mine\nBASE_URL=http://localhost:${port}\nPORT=${port}\n` +
          (databaseUrl === '' ? '' : `DATABASE_URL=${databaseUrl}\n`) +
          'BACKUP_SCHEDULE=off\n',
      );
    } finally {
      other.close();
    }
  });

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('ends at %s, and writes nothing', async (_, keys) => {
    const program = open();
    await asked(program, /Address of the service.*: $/);
    program.type(keys);

    expect(await program.ended).toBe(1);
    expect(program.stdout).toContain('Nothing was written.');
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });

  /** The answers that name this database: its server without the password, which is asked for apart. */
  function databaseQuestion(): { url: string; user: [RegExp, string][] } {
    if (databaseUrl === '') return { url: '', user: [] };
    const url = new URL(databaseUrl);
    const { username, password } = url;
    url.password = '';
    const isAsked = username !== '';
    return { url: url.href, user: isAsked ? [[/Password of .*: $/, password]] : [] };
  }
});
