import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import { HOUR_MS, useClock } from '../support/clock.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { addDestination, lastAttempt, TAKEN } from '../support/destinations.js';
import { Service, type FormBody, type Caller } from '../support/service.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const clock = useClock();

let database: TestDatabase;
let receiver: WebhookReceiver;
let service: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  database = await createTables();
  receiver = await WebhookReceiver.start(answers(200, 'ok'));
  service = await begin(OLD);
  owner = await service.openAccount();
  form = await owner.makeForm({ notify_owner_on_submission: false });
  await addDestination(owner, form, 'slack', receiver);
  const client = await owner.makeClient();
  const sender = { from: 'a@client.test', smtp_url: 'smtp://u:p@mail.client.test' };
  await owner.put(`/api/v1/clients/${client}/sender`, { sender }).expect(200);
});
afterEach(async () => {
  await service.close();
  await receiver.close();
  await database.drop();
});

function begin(keys: string): Promise<Service> {
  const settings = { WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
  return Service.start({ ...database.settings, ...settings, SECRET_KEY: keys });
}

/** Starts the service again with other keys. */
async function beginAgain(keys: string): Promise<void> {
  await service.close();
  service = await begin(keys);
  owner = service.as(owner.secret ?? '');
}

async function doctor() {
  const findings = await service.app.get(DoctorService).examineQuickly();
  return findings.find(({ name }) => name === 'secrets');
}

const warnings = async (): Promise<{ code: string; message: string }[]> =>
  (await owner.read(`/api/v1/forms/${form.identifier}/warnings`)).warnings;

describe('A new SECRET_KEY', () => {
  it('takes over what the old one sealed, which can go then', async () => {
    await beginAgain(`${NEW},${OLD}`);
    expect(await doctor()).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('An old key holds 2 of 2 stored secrets.') as unknown,
    });

    await service.upkeep();
    expect(await doctor()).toMatchObject({ state: 'ok' });
    await beginAgain(NEW);

    expect(await doctor()).toMatchObject({ state: 'ok' });
    const id = await service.deliver(form, { message: 'Hello' });
    expect(await lastAttempt(owner, form, id)).toMatchObject(TAKEN);
  });

  it('alone costs no try: calls wait, the form warns of it, and all arrives with the old key', async () => {
    await beginAgain(NEW);
    const id = await service.submit(form, { message: 'Hello' });
    for (let hour = 0; hour < 12; hour++) {
      await service.sendDue();
      clock.forward(1.2 * HOUR_MS);
    }

    expect(await lastAttempt(owner, form, id)).toMatchObject({ state: 'pending', tries: 12 });
    expect(await doctor()).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('No key reads 2 of 2 stored secrets') as unknown,
    });
    expect(await warnings()).toContainEqual({
      code: 'secret_unreadable',
      message: expect.stringContaining('the destination "slack"') as unknown,
    });

    await beginAgain(OLD);
    await service.sendDue();
    expect(await lastAttempt(owner, form, id)).toMatchObject(TAKEN);
    expect((await warnings()).map(({ code }) => code)).not.toContain('secret_unreadable');
  });
});
