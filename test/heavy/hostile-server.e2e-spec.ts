import mysql from 'mysql2/promise';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { findServer, startServer, type PrivateServer } from '../support/private-server.js';
import { Service, type FormBody, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { json, multipart, send, urlencoded, type Sent } from '../support/submit.js';
import { where } from '../support/where.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const MEBIBYTE = 1024 * 1024;
const GUEST = 'guest';

const MEAN = ['--autocommit=0', `--max-allowed-packet=${MEBIBYTE}`, '--wait-timeout=2'];
/** Possible defaults of a server; a session of ours shall depend on none of it. */
const SERVERS = [
  {
    name: 'that reads bytes in a Chinese character set whatever the client says',
    options: [
      '--skip-character-set-client-handshake',
      '--character-set-server=gbk',
      '--collation-server=gbk_chinese_ci',
      '--transaction-isolation=SERIALIZABLE',
      '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT',
      '--default-time-zone=-08:30',
    ],
    // To the administrator `init_connect` does not apply.
    user: 'root',
  },
  {
    name: 'that changes the character set of each session that begins',
    options: [
      '--init-connect=SET NAMES latin1',
      '--character-set-server=latin1',
      '--collation-server=latin1_swedish_ci',
      '--transaction-isolation=READ-COMMITTED',
      '--sql-mode=NO_AUTO_VALUE_ON_ZERO,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH',
      '--default-time-zone=+12:45',
    ],
    user: GUEST,
  },
];

/** In gbk the last byte of the first character and a backslash make one, which leaves the quote alone. */
const INJECTION = "中',0x61,NULL,NULL,NULL,NULL);UPDATE forms SET name=0x50574e4544;COMMIT;-- ";
const TEXTS = {
  Grüße: 'Grüße 😀 ok',
  quotes: `it's "quoted" \`so\` \\' \\ '' ; -- /*`,
  中文: '中文字符誠許功蓋',
  control: 'a\tb\nc',
  injection: INJECTION,
};

// These have servers of their own, so one leg runs them.
const program = process.env.TEST_DATABASE_URL ? null : findServer();
const hasMariaDb = program?.endsWith('mariadbd') ?? false;
const { describe: onMariaDb } = where(hasMariaDb, 'no MariaDB');

onMariaDb.each(SERVERS)('A database server $name', ({ options, user }) => {
  let server: PrivateServer | undefined;
  let database: TestDatabase | undefined;
  let service: Service;
  let receiver: WebhookReceiver;
  let owner: Caller;
  let form: FormBody;
  beforeAll(async () => {
    server = await startServer(String(program), [...MEAN, ...options]);
    await admit(server.url);
    database = await createDatabase(server.url.replace('root@', `${user}@`));
    receiver = await WebhookReceiver.start();
    service = await Service.start({ ...database.settings, WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
    await database?.drop();
    await server?.stop();
  });
  beforeEach(async () => {
    owner = await service.openAccount();
    form = await owner.makeForm({ webhook_url: receiver.url });
  });

  const submit = (sent: Sent) => send(`${service.url}/f/${form.identifier}`, { ...sent, headers: { Accept: '*/*' } });

  it('gives sessions that are ours in everything they depend on', async () => {
    const [session] = await service.query<{ autocommit: unknown }[]>(
      'SELECT @@character_set_client AS client, @@character_set_connection AS connection, @@character_set_results AS results, @@collation_connection AS collation, @@autocommit AS autocommit, @@time_zone AS time_zone, @@sql_mode AS sql_mode, @@tx_isolation AS isolation',
    );

    expect(Number(session?.autocommit)).toBe(1);
    expect(session).toEqual({
      client: 'utf8mb4',
      connection: 'utf8mb4',
      results: 'utf8mb4',
      collation: 'utf8mb4_bin',
      autocommit: expect.anything(),
      time_zone: '+00:00',
      sql_mode: 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION',
      isolation: 'READ-COMMITTED',
    });
  });

  it.each([
    ['urlencoded', urlencoded],
    ['multipart', multipart],
    ['JSON', json],
  ])('keeps text as it was sent: %s', async (_, encode) => {
    const { status, body } = await submit(encode(Object.entries(TEXTS)));

    expect(status).toBe(200);
    expect((await owner.show(form, String(body.id))).values).toEqual(TEXTS);
  });

  it('takes no text for a statement', async () => {
    const other = await (await service.openAccount()).makeForm({ name: 'Somebody else’s' });

    expect((await submit(urlencoded([['name', INJECTION]]))).status).toBe(200);

    const named = 'SELECT name FROM forms WHERE id = ?';
    expect(await service.query(named, [other.id])).toEqual([{ name: 'Somebody else’s' }]);
    const { submissions } = await owner.list(form);
    expect(submissions.map(({ values }) => values)).toEqual([{ name: INJECTION }]);
  });

  it('finds, counts, changes, delivers and removes like any other', async () => {
    const sendName = async (name: string) => (await submit(urlencoded([['name', name]]))).body.id;
    const [zoe, ohara] = [await sendName('Zoë 中'), await sendName("O'Hara")];
    await sendName('plain');
    const find = async (query: string) => {
      const { submissions } = await owner.list(form, `query=${encodeURIComponent(query)}`);
      return submissions.map(({ id }) => id);
    };

    expect(await find('zoë 中')).toEqual([zoe]);
    expect(await find("O'HARA")).toEqual([ohara]);
    await service.sendDue();
    expect(receiver.calls.map(({ body }) => body).join('\n')).toContain('Zoë 中');
    const path = `${pathOf(form)}/${String(ohara)}` as const;
    await owner.patch(path, { submission: { spam: true } }).expect(200);
    expect(await owner.countOf(form)).toBe(2);
    await owner.delete(`${pathOf(form)}/${String(zoe)}`).expect(200);
    expect(await owner.countOf(form)).toBe(1);
    await owner.get(`${pathOf(form)}/${String(zoe)}`).expect(404);
    const name = 'Ünïcode 中\' "form"';
    await owner.put(`/api/v1/forms/${form.identifier}`, { form: { name } }).expect(200);
    expect(await owner.read(`/api/v1/forms/${form.identifier}`)).toMatchObject({ name });
  });

  it('refuses what it takes no packet for, and stores what came at the same time', async () => {
    // Each is four bytes in a statement: escaped in JSON, and again in SQL.
    const large = multipart(['a', 'b', 'c', 'd'].map((name) => [name, '\\'.repeat(0.2 * MEBIBYTE)]));
    const small = urlencoded([['name', 'Jane']]);

    const answers = await Promise.all([submit(small), submit(large), submit(small)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 413, 200]);
    expect(answers[1].body).toMatchObject({ errors: [{ code: 'TOO_LARGE' }] });
    expect(await owner.countOf(form)).toBe(2);
  });
});

/** Makes a user who is no administrator. */
async function admit(url: string): Promise<void> {
  const root = await mysql.createConnection(url);
  await root.query(`CREATE USER ${GUEST}@'127.0.0.1'`);
  await root.query(`GRANT ALL ON \`fcs\\_test\\_%\`.* TO ${GUEST}@'127.0.0.1'`);
  await root.end();
}
