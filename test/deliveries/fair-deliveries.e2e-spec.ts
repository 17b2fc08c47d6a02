import { GuardedHttpClient } from '../../src/platform/http-client/guarded-http-client.js';
import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';
import { useReceiver, hangs, answers } from '../support/webhook-receiver.js';

const server = useMailServer();
const receiver = useReceiver(answers(200), '0.0.0.0');
describe('A webhook host that is called like a part of the service', () => {
  const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }));

  it.each(['mail', 'smtp', 'smtp:587', 'owner_email', 'webhook'])(
    '%s: stops no mail and no call of others while it is away',
    async (host) => {
      const { app } = service();
      const http = app.get(GuardedHttpClient);
      http.resolve = (name) =>
        /^[\d.]+$/.test(name)
          ? Promise.resolve([{ address: name, family: 4 }])
          : Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
      const stranger = await service().openAccount();
      const away = await stranger.makeForm({ webhook_url: `http://${host}/`, notify_owner_on_submission: false });
      for (let i = 0; i < 120; i++) await service().submit(away, { i: String(i) });
      const owner = await service().openAccount('Shop', 'shop@example.com');
      const form = await owner.makeForm({ webhook_url: receiver.url });
      await service().sendDue(); // five failures: the host is left alone from now on
      await service().deliver(form, { name: 'Jane' });

      expect(server.to('shop@example.com')).toHaveLength(1);
      expect(receiver.calls).toHaveLength(1);
    },
  );
});

describe('An account whose receivers all hang', () => {
  const service = useService(() => ({ SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }));
  let other: Caller;
  beforeEach(async () => {
    other = await service().openAccount('Shop', 'shop@example.com');
  });

  it('leaves room for the calls of others, however many receivers it has', async () => {
    receiver.behaviour = (response, request) => {
      const isGood = request.headers.host?.startsWith('127.0.0.1:') === true;
      (isGood ? answers(200) : hangs)(response, request);
    };
    const stranger = await service().openAccount();
    for (let i = 1; i <= 15; i++) {
      const webhook_url = `http://127.0.7.${i}:${receiver.port}/`;
      const form = await stranger.makeForm({ webhook_url, notify_owner_on_submission: false });
      for (let count = 0; count < 5; count++) await service().submit(form, { i: String(count) });
    }
    await until(() => receiver.calls.length === 40);
    const form = await other.makeForm({ webhook_url: receiver.url, notify_owner_on_submission: false });
    await service().submit(form, { name: 'Jane' });

    await until(() => receiver.calls.some(({ body }) => body.includes('Jane')));
    expect(receiver.calls).toHaveLength(41);
  });

  it('leaves room for the mails of others', async () => {
    let hanging = 0;
    server.answer = (to) => {
      if (!to.startsWith('slow')) return 'accept';
      hanging++;
      return 'hang';
    };
    const stranger = await service().openAccount('Slow', 'slow@example.com');
    const slow = await stranger.makeForm();
    for (let i = 0; i < 120; i++) await service().submit(slow, { i: String(i) });
    await until(() => hanging === 8);
    await service().submit(await other.makeForm(), { name: 'Jane' });

    await until(() => server.to('shop@example.com').length === 1);
    expect(hanging).toBe(8);
    await server.hangUp();
  });
});
