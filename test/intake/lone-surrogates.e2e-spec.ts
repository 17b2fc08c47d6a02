import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { Inbox, json, multipart, urlencoded, type Sent } from '../support/submit.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const mailServer = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: mailServer.url,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
}));

/** Half of a character, as JSON writes it: what cutting a text in the middle of an emoji leaves. */
const HALVES = ['\\ud83d', '\\ude00', '\\ude00\\ud83d', 'cut \\ud83d', '\\ude00 cut', '\\uD800@x.example'];
const EMAIL = '"email":"jane@example.com"';
const asJson = (body: string, type = 'application/json'): Sent => ({ type, body });

describe('Half of a character in what a visitor sends', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.close());

  /** Whatever it is, it must be stored, delivered and shown everywhere. */
  async function goesThrough(sent: Sent, settings: object = {}): Promise<void> {
    const inbox = await Inbox.open(service(), {
      notify_owner_emails: 'owner@example.com',
      notify_submitter: true,
      notify_submitter_subject: 'Hello {{name}}',
      notify_submitter_body: 'You wrote {{message}}',
      show_submitted_values: true,
      webhook_url: receiver.url,
      ...settings,
    });
    const answer = await inbox.submit(sent);
    expect({ sent, text: answer.text, status: answer.status }).toMatchObject({ status: 200 });
    const { pathname, search } = new URL(String(answer.body.next));
    await service()
      .anonymous()
      .get(pathname + search)
      .expect(200);

    await service().sendDue();
    const { owner, form } = inbox;
    const deliveries = await owner.deliveriesOf(form, String(answer.body.id));
    expect(deliveries.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'owner_email delivered',
      'submitter_email delivered',
      'webhook delivered',
    ]);
    expect(() => JSON.parse(receiver.last.body) as unknown).not.toThrow();

    const path = `/api/v1/forms/${form.identifier}` as const;
    for (const end of ['', '?query=cut', '.csv', '.ndjson', '.xlsx']) {
      await owner.get(`${path}/submissions${end}`).expect(200);
    }
    const [submission] = await inbox.all();
    for (const { url } of submission?.files ?? []) {
      await owner.get(new URL(url).pathname).expect(200);
    }
    await owner.get(`${path}/value_exists?field=email&value=jane@example.com`).expect(200);
    await owner.delete(`${path}/submissions?field=email&value=jane@example.com`).expect(200);
    expect(await inbox.all()).toEqual([]);
  }

  it.each(HALVES)('is stored and delivered as a value: %s', async (half) => {
    for (const value of [`"${half}"`, `["${half}","a"]`, `{"a":"${half}","${half}":1}`]) {
      await goesThrough(asJson(`{${EMAIL},"name":${value},"message":${value}}`));
    }
    await goesThrough(asJson(`{${EMAIL},"message":"${half}"}`, 'text/plain'));
  });

  it.each(HALVES)('is stored and delivered as a name: %s', async (half) => {
    await goesThrough(asJson(`{${EMAIL},"${half}":"a","x${half}":["${half}"]}`));
  });

  it.each(['%ED%A0%BD', '%ED%B8%80', '%ED%A0%BDx%ED%B8%80'])(
    'is stored and delivered as bytes that no encoding has: %s',
    async (bytes) => {
      const body = `email=jane%40example.com&message=${bytes}&${bytes}=1`;
      await goesThrough({ ...urlencoded([]), body });
      const text = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('latin1');
      const parts = multipart([
        ['email', 'jane@example.com'],
        [text, text],
      ]);
      await goesThrough({ ...parts, body: Buffer.from(String(parts.body), 'latin1') });
      await goesThrough(asJson(`{${EMAIL},"a":"${text}"}`));
    },
  );

  it('is not made by cutting the name of a file', async () => {
    const name = `${'a'.repeat(1_023)}😀.txt`;
    await goesThrough(multipart([['email', 'jane@example.com']], [{ field: 'f', name, bytes: 'x' }]));
  });

  it('counts for nothing in what is kept of the sender', async () => {
    await goesThrough({
      ...json([['email', 'jane@example.com']]),
      headers: { Referer: 'https://a.test/%ED%A0%BD', 'User-Agent': '\u00ed\u00a0\u00bd' },
    });
  });
});

describe('Half of a character in a setting', () => {
  let owner: Caller;
  beforeEach(async () => {
    owner = await service().openAccount();
  });
  const HALF = '\ud83d';
  const URL_FIELDS = ['webhook_url', 'redirect_url'].map((field) => [field, `https://a.test/${HALF}`]);
  const TEXT_FIELDS = [
    'name',
    'submission_text',
    'notify_submitter_from_name',
    'notify_submitter_subject',
    'notify_submitter_body',
    'bg_color',
    'text_color',
    'link_color',
    'whitelisted_domains',
  ].map((field) => [field, `red${HALF}`]);
  const ADDRESS_FIELDS = ['notify_submitter_from', 'notify_owner_emails'].flatMap((field) => [
    [field, HALF],
    [field, `${HALF}@example.com`],
    [field, `jane@${HALF}.example.com`],
  ]);

  it.each([...URL_FIELDS, ...TEXT_FIELDS, ...ADDRESS_FIELDS, ['whitelisted_domains', [HALF]]])(
    'is refused, and the field named: %s',
    async (field, value) => {
      const form = await owner.makeForm();
      const path = `/api/v1/forms/${form.identifier}` as const;
      const errors = [{ field: `form.${String(field)}` }];
      const change = { form: { [String(field)]: value } };
      expect((await owner.patch(path, change).expect(422)).body).toMatchObject({ errors });
      const making = { form: { name: 'x', ...change.form } };
      expect((await owner.post('/api/v1/forms', making).expect(422)).body).toMatchObject({ errors });
      await owner.get(path).expect(200, form);
    },
  );

  it.each([
    ['client', '/api/v1/clients', 'name', `Jane${HALF}`],
    ['client', '/api/v1/clients', 'email', `${HALF}@example.com`],
    ['token', '/api/v1/tokens', 'name', HALF],
  ])('is refused of a %s at %s: %s', async (noun, path, field, value) => {
    const valid = noun === 'client' ? { name: 'Jane', email: 'jane@example.com' } : { name: 'x' };
    const { body } = await owner.post(path, { [noun]: { ...valid, [field]: value } }).expect(422);
    expect(body).toMatchObject({ errors: [{ field: `${noun}.${field}` }] });
    if (noun === 'token') return;
    const id = await owner.makeClient();
    await owner.patch(`${path}/${id}`, { client: { [field]: value } }).expect(422);
  });
});
