import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { DAY_MS } from '../support/clock.js';
import { useOwnDatabases } from '../support/own-database.js';
import { freePort } from '../support/program.js';
import type { Service } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const server = useMailServer();
const own = useOwnDatabases();

const start = (settings: Record<string, string> = {}) => own.start({ WORKERS: 'off', ...settings });

/** Log lines that speak of the mail server. */
const logged = ({ log }: Service) => log.split('\n').filter((line) => line.includes('SMTP_URL'));

/** Resolves with the log line about the mail server, once there is one. */
async function untilLogged(service: Service): Promise<string> {
  for (;;) {
    const [line] = logged(service);
    if (line !== undefined) return line;
    await new Promise(setImmediate);
  }
}

/** Delivers the owner's email of a new submission. @returns its outcome */
async function deliver(service: Service) {
  const owner = await service.openAccount();
  const form = await owner.makeForm({ notify_owner_emails: 'owner@example.com' });
  const id = await service.deliver(form, { name: 'Grüße', email: 'ann@example.org' });
  return owner.deliveryOf(form, id);
}

describe('Without SMTP_URL', () => {
  it('mails that are files are removed after 30 days', async () => {
    const service = await start();
    await deliver(service);
    const folder = join(service.config.dataDir, 'mail');
    const upkeepIn = (days: number) => service.upkeep(new Date(Date.now() + days * DAY_MS));

    await upkeepIn(29);
    expect(await readdir(folder)).toHaveLength(1);
    await upkeepIn(31);

    expect(await readdir(folder)).toEqual([]);
  });

  it('mails are files that a mail reader opens', async () => {
    const service = await start();
    const delivery = await deliver(service);

    expect(delivery).toMatchObject({
      state: 'written',
      attempts: [{ outcome: 'written', code: null, answer: expect.stringMatching(/SMTP_URL/) }],
    });
    const folder = join(own.settings().DATA_DIR ?? '', 'mail');
    expect(await readdir(folder)).toEqual([`${delivery.id}.eml`]);
    const mail = await PostalMime.parse(await readFile(join(folder, `${delivery.id}.eml`)));
    expect(mail.to).toEqual([{ name: '', address: 'owner@example.com' }]);
    expect(mail.replyTo).toEqual([{ name: '', address: 'ann@example.org' }]);
    expect(mail.text).toContain('Grüße');
    expect(mail.html).toContain('Grüße');
    expect(mail.messageId).toContain(delivery.id);
  });

  it('the start says so in one line, with the folder', async () => {
    const service = await start();

    const lines = logged(service);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(join(own.settings().DATA_DIR ?? '', 'mail'));
  });
});

describe('The warnings of a form, without SMTP_URL,', () => {
  /** Codes of the warnings of a form with these settings. */
  async function codesOf(settings: object): Promise<string[]> {
    const service = await start();
    const owner = await service.openAccount('Shop', 'shop@example.com');
    const { identifier } = await owner.makeForm(settings);
    const { body } = await owner.get(`/api/v1/forms/${identifier}/warnings`).expect(200);
    return (body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
  }

  it.each([{}, { notify_owner_on_submission: false, notify_submitter: true }])(
    'say that mails of one with %j are not sent',
    async (settings) => {
      expect(await codesOf(settings)).toContain('mail_not_configured');
    },
  );

  it('do not say so of one that sends none', async () => {
    const webhook_url = 'https://hooks.example.com/';
    expect(await codesOf({ notify_owner_on_submission: false, webhook_url })).toEqual([]);
  });
});

describe('With an SMTP_URL', () => {
  it('that works, the start says nothing', async () => {
    const service = await start({ SMTP_URL: server.url });
    await deliver(service);

    expect(logged(service)).toEqual([]);
    expect(server.mails).toHaveLength(1);
  });

  it('that nobody listens at, the start warns and goes on, and mails wait', async () => {
    const service = await start({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });

    expect(JSON.parse(await untilLogged(service))).toMatchObject({ level: 'warn' });
    expect((await deliver(service)).state).toBe('pending');
  });

  it('whose password is wrong, mails wait and the password is not shown', async () => {
    server.answer = () => ({ at: 'login', code: 535, text: '5.7.8 Wrong password' });
    const SMTP_URL = server.url.replace('//', '//user:secret-of-the-operator@');
    const service = await start({ SMTP_URL });

    expect(await untilLogged(service)).toContain('5.7.8 Wrong password');
    const { state, attempts } = await deliver(service);
    expect(state).toBe('pending');
    expect(attempts).toEqual([
      expect.objectContaining({
        outcome: 'deferred',
        code: 535,
        answer: expect.stringContaining('5.7.8 Wrong password'),
      }),
    ]);
    expect(service.log).not.toContain('secret-of-the-operator');
  });

  it('with a login, mails are sent', async () => {
    const service = await start({ SMTP_URL: server.url.replace('//', '//us%40er:pa%2Fss@') });

    expect((await deliver(service)).state).toBe('delivered');
  });
});
