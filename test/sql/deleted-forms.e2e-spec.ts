import { useService, useOwner } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }));
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start(answers(200));
});
afterAll(() => receiver.close());
const owner = useOwner(service, 'Shop', 'shop@example.com');

it('A form that is deleted with deliveries still to be made mails nobody and calls nobody any more', async () => {
  const form = await owner.makeForm({ webhook_url: receiver.url, notify_submitter: true });
  await service().submit(form, { email: 'ann@example.org' });
  await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);

  await service().sendDue();

  expect(server.mails).toEqual([]);
  expect(receiver.calls).toEqual([]);
  const left = await service().query<{ state: string }[]>('SELECT state AS state FROM deliveries WHERE form_id = ?', [
    form.id,
  ]);
  expect(left.map(({ state }) => state)).toEqual(['obsolete', 'obsolete', 'obsolete']);
});
