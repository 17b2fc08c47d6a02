import passport from 'passport';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BearerStrategy } from '../../src/people/auth/bearer.guard.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { run } from '../support/command.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { report } from '../support/reports.js';
import { Service, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const TOKEN = 'a-token-for-reports-of-bounces';
const server = useMailServer();
let database: TestDatabase;
let running: Service;
const service = () => running;
let owner: Caller;
let form: FormBody;
let made = 0;
let ann: string;
let visitor: string;
beforeAll(async () => {
  database = await createTables();
  running = await Service.start({
    ...database.settings,
    WORKERS: 'off',
    SMTP_URL: server.url,
    MAIL_FROM: 'forms@example.com',
    BOUNCE_TOKEN: TOKEN,
  });
});
afterAll(async () => {
  await running.close();
  await database.drop();
});
beforeEach(async () => {
  ann = `ann${++made}@example.com`;
  visitor = `visitor${made}@example.org`;
  owner = await service().openAccount();
  form = await owner.makeForm({ notify_owner_emails: ann, notify_submitter: true });
});

async function sendMails(): Promise<void> {
  await service().deliver(form, { email: visitor });
}

/** The message id that a mail went out with. */
const messageIdOf = (email: string) => server.to(email).at(-1)?.mail.messageId ?? '';

const failing = async () => (await owner.read(`/api/v1/forms/${form.identifier}/recipients/failing`)).recipients;

describe('A provider', () => {
  const post = (provider: string, body: unknown, authorization = `Bearer ${TOKEN}`) =>
    fetch(`${service().url}/bounces/${provider}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...(authorization && { authorization }) },
      body: JSON.stringify(body),
    });
  const deliveryIdOf = (email: string) => messageIdOf(email).slice(1).split('@', 1).join();
  const basic = `Basic ${Buffer.from(`anyone:${TOKEN}`).toString('base64')}`;

  it('must know the token, as a bearer token or a password', async () => {
    await sendMails();
    const body = {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: visitor,
      Metadata: { delivery: deliveryIdOf(visitor) },
    };
    const nobody = await post('postmark', body, '');
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Bounces"']);
    expect((await post('postmark', body, 'Bearer another-token-of-24-letters')).status).toBe(401);
    expect(await failing()).toEqual([]);
    expect((await post('postmark', body, basic)).status).toBe(204);
    expect(await failing()).toHaveLength(1);
    expect((await post('other', body)).status).toBe(404);
  });

  it('Postmark reports a bounce, or a complaint', async () => {
    await sendMails();
    const event = (more: object) => ({
      ...{ ID: 42, MessageID: '883953f4-6105-42a2-a16a-77a8eac79483', Details: 'smtp;550 5.1.1 gone' },
      ...{ Email: visitor, Metadata: { Delivery: deliveryIdOf(visitor) }, ...more },
    });
    await post('postmark', event({ RecordType: 'Bounce', Type: 'Transient' }));
    await post('postmark', event({ RecordType: 'Delivery' }));
    expect(await failing()).toEqual([]);
    await post('postmark', event({ RecordType: 'SpamComplaint', Type: 'SpamComplaint' }));
    expect(await failing()).toMatchObject([{ kind: 'complaint' }]);
    await post('postmark', event({ RecordType: 'Bounce', Type: 'HardBounce' }));
    expect(await failing()).toMatchObject([{ kind: 'permanent', reason: 'smtp;550 5.1.1 gone' }]);
  });

  it('SendGrid reports events of mails of others by the thousand, without a transaction for each', async () => {
    await sendMails();
    const event = (email: string, id: string) => ({
      ...{ email, 'smtp-id': id, event: 'bounce', type: 'bounce', status: '5.1.1' },
    });
    const others = Array.from({ length: 1_100 }, (_, n) => {
      const id = `0199aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`;
      return event(`other${n}@example.net`, messageIdOf(visitor).replace(/^<[^@]*/, `<${id}`));
    });
    const runs = jest.spyOn(service().app.get(UnitOfWork), 'run');

    const ours = [event(visitor, messageIdOf(visitor)), event(ann, messageIdOf(ann))];
    expect((await post('sendgrid', [...others, ...ours, ...ours])).status).toBe(204);
    expect(runs).toHaveBeenCalledTimes(1);
    runs.mockRestore();
    expect(await failing()).toHaveLength(2);
  });

  it('SendGrid reports many events at once', async () => {
    await sendMails();
    const event = (email: string, more: object) => ({ email, 'smtp-id': messageIdOf(email), ...more });
    const response = await post('sendgrid', [
      event(ann, { event: 'delivered', response: '250 OK' }),
      event(ann, { event: 'deferred', response: '451 4.7.1 try later' }),
      event(visitor, { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 gone' }),
      'nonsense',
    ]);
    expect(response.status).toBe(204);
    expect(await failing()).toMatchObject([{ email: visitor, reason: '550 5.1.1 gone' }]);
    await post('sendgrid', [
      { email: ann, event: 'bounce', type: 'blocked', delivery: deliveryIdOf(ann), reason: '550 5.1.1' },
    ]);
    expect(await failing()).toHaveLength(1);
  });

  it('Amazon SES reports by a notification of SNS', async () => {
    await sendMails();
    const notify = (message: object) =>
      post('ses', { Type: 'Notification', MessageId: '1', TopicArn: 'arn', Message: JSON.stringify(message) }, basic);
    const mail = (email: string) => ({
      messageId: '00000137860315fd',
      headers: [
        { name: 'From', value: 'x' },
        { name: 'Message-ID', value: messageIdOf(email) },
      ],
    });
    await notify({
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [{ emailAddress: visitor, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 gone' }],
      },
      mail: mail(visitor),
    });
    await notify({
      eventType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: ann }], complaintFeedbackType: 'abuse' },
      mail: { commonHeaders: { messageId: messageIdOf(ann) } },
    });
    expect(await failing()).toMatchObject([{ email: visitor, reason: '550 5.1.1 gone' }]);
    expect((await post('ses', { Type: 'Notification', Message: 'no JSON' })).status).toBe(204);
  });

  it('has no subscription confirmed elsewhere than at Amazon', async () => {
    const confirm = (SubscribeURL: string) => post('ses', { Type: 'SubscriptionConfirmation', SubscribeURL });
    for (const url of [
      'http://127.0.0.1:1/',
      'https://sns.eu-west-1.amazonaws.com.evil.test/',
      'https://evil.test/?sns.eu-west-1.amazonaws.com',
      'nowhere',
    ]) {
      expect((await confirm(url)).status).toBe(204);
    }
  });
});

describe('The command bounce', () => {
  const pipe = async (message: string, settings = database.settings) => {
    // In two parts, as a pipe may bring it.
    const parts = [message.slice(0, 100), message.slice(100)].map((part) => Buffer.from(part));
    const stdin = Readable.from(parts) as unknown as typeof process.stdin;
    const spy = jest.spyOn(process, 'stdin', 'get').mockReturnValue(stdin);
    try {
      return await run(settings, 'bounce');
    } finally {
      spy.mockRestore();
      passport.use(service().app.get(BearerStrategy));
    }
  };
  const reportOf = (email: string) =>
    report(
      [`Final-Recipient: rfc822; ${email}`, 'Action: failed', 'Status: 5.1.1'],
      ['Content-Type: message/rfc822', '', `Message-ID: ${messageIdOf(email)}`],
    ).join('\r\n');
  /** Settings without the database. */
  const away = async () => ({ DATA_DIR: await mkdtemp(join(database.settings.DATA_DIR ?? '', 'empty-')) });

  it('records a bounce from standard input, and ignores other mails', async () => {
    await sendMails();
    expect(await pipe(reportOf(visitor))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await failing()).toMatchObject([{ email: visitor }]);
    expect(await pipe(`From: ${ann}\r\nIn-Reply-To: ${messageIdOf(ann)}\r\n\r\nThanks`)).toMatchObject({ code: 0 });
    expect(await failing()).toHaveLength(1);
  });

  it('asks the mail server to try again while the database is away, but not for other mails', async () => {
    await sendMails();
    const { code, stderr } = await pipe(reportOf(visitor), await away());
    expect(code).toBe(75);
    expect(stderr).toMatch(/\S/);
    expect(await pipe('Subject: Hello\r\n\r\nHello', await away())).toMatchObject({ code: 0 });
  });
});
