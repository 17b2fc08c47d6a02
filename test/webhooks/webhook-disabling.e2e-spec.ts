import { Webhook } from 'standardwebhooks';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { DestinationCaller } from '../../src/destinations/destination-channel.js';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { DAY_MS, HOUR_MS, useClock } from '../support/clock.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useReceiver, answers, WebhookReceiver } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();
let form: FormBody;
let name = 0;
const receiver = useReceiver(answers(500));
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm({
    name: `Disabled ${++name}`,
    webhook_url: receiver.url,
    notify_owner_on_submission: false,
    notify_owner_emails: 'owner@example.com',
  });
});
const hookPath = () => `/api/v1/forms/${form.identifier}/webhook` as const;
const shownHook = async () => (await owner.read(hookPath())).webhook;
const warnings = async () =>
  (await owner.read(`/api/v1/forms/${form.identifier}/warnings`)).warnings.map(({ code }) => code);

/** Sends a submission and makes the calls that are due. */
function deliver(): Promise<string> {
  return service().deliver(form, { name: 'Jane' });
}

/** The mails that say of this form that its webhook was disabled. */
async function notices(): Promise<Email[]> {
  const folder = join(service().config.dataDir, 'mail');
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.map(async (file) => PostalMime.parse(await readFile(join(folder, file)))));
  return mails.filter(({ subject }) => subject === `Webhook of "${form.name}" turned off`);
}

const stateOf = async (id: string) => (await owner.webhookCallOf(form, id)).state;
const idsReceived = () => new Set(receiver.calls.map(({ id }) => id));

/** Lets days pass in which every call fails; the last call disables the webhook. */
async function failForFiveDays(): Promise<string[]> {
  const first = await deliver();
  clock.forward(DAY_MS);
  const second = await deliver();
  clock.forward(4 * DAY_MS);
  return [first, second, await deliver()];
}

describe('A webhook of which every call fails (W-08)', () => {
  it('goes on for less than five days', async () => {
    const { failing_since: before } = await shownHook();
    await deliver();
    const { failing_since: since } = await shownHook();
    clock.forward(5 * DAY_MS - HOUR_MS);
    await deliver();

    expect(before).toBeNull();
    expect(since).not.toBeNull();
    expect(await shownHook()).toMatchObject({ state: 'enabled', failing_since: since, disabled_at: null });
    expect(await warnings()).not.toContain('webhook_disabled');
    expect(await notices()).toEqual([]);
  });

  it('is disabled after five days, and says so in the API', async () => {
    await failForFiveDays();

    expect(await shownHook()).toMatchObject({
      state: 'disabled',
      disabled_at: expect.any(String),
      failing_since: expect.any(String),
    });
    expect(await warnings()).toContain('webhook_disabled');
  });

  it('is disabled although the receiver says no for good each time', async () => {
    receiver.behaviour = answers(410);
    await failForFiveDays();

    expect(await shownHook()).toMatchObject({ state: 'disabled' });
  });

  it('sends each owner one mail that says what to do', async () => {
    await owner
      .put(`/api/v1/forms/${form.identifier}`, { form: { notify_owner_emails: 'owner@example.com,other@example.com' } })
      .expect(200);
    await failForFiveDays();
    await service().sendDue();
    await deliver();
    clock.forward(DAY_MS);
    await deliver();

    const mails = await notices();
    expect(mails.flatMap(({ to }) => to?.map(({ address }) => address)).sort()).toEqual([
      'other@example.com',
      'owner@example.com',
    ]);
    for (const { text } of mails) expect(text).toContain(`${form.identifier}/webhook`);
  });

  it('is not called any more', async () => {
    await failForFiveDays();
    const called = receiver.calls.length;
    const id = await deliver();
    clock.forward(DAY_MS);
    await service().sendDue();

    expect(receiver.calls).toHaveLength(called);
    expect(await owner.webhookCallOf(form, id)).toMatchObject({
      state: 'failed',
      attempts: [{ outcome: 'disabled', code: null }],
    });
  });

  it('starts over after one success', async () => {
    await deliver();
    clock.forward(4 * DAY_MS);
    receiver.behaviour = answers(200);
    await deliver();
    expect(await shownHook()).toMatchObject({ failing_since: null });

    receiver.behaviour = answers(500);
    clock.forward(DAY_MS);
    await deliver();
    clock.forward(4 * DAY_MS);
    await deliver();
    expect(await shownHook()).toMatchObject({ state: 'enabled' });
    expect(await notices()).toEqual([]);
  });
});

describe('A disabled webhook that is enabled again (W-08)', () => {
  it('sends what was missed when asked to, and nothing that was given up before', async () => {
    receiver.behaviour = answers(410);
    const longAgo = await deliver();
    receiver.behaviour = answers(200);
    clock.forward(HOUR_MS);
    await deliver();
    receiver.behaviour = answers(500);
    clock.forward(HOUR_MS);
    const failed = await failForFiveDays();
    const whileDisabled = await deliver();
    clock.forward(DAY_MS);
    await service().sendDue();
    const missed = [...failed, whileDisabled];

    receiver.behaviour = answers(200);
    receiver.calls.length = 0;
    const { body } = await owner.patch(hookPath(), { webhook: { enabled: true, resend: true } }).expect(200);
    await service().sendDue();

    expect(body.webhook).toMatchObject({ state: 'enabled', disabled_at: null, failing_since: null });
    expect(receiver.calls).toHaveLength(missed.length);
    expect(idsReceived().size).toBe(missed.length);
    for (const id of missed) expect(await stateOf(id)).toBe('delivered');
    expect(await stateOf(longAgo)).toBe('failed');
    expect(await warnings()).not.toContain('webhook_disabled');
  });

  it('sends nothing of what was missed unless asked to', async () => {
    await failForFiveDays();
    const missed = await deliver();
    await service().sendDue();
    receiver.behaviour = answers(200);
    receiver.calls.length = 0;
    await owner.patch(hookPath(), { webhook: { enabled: true } }).expect(200);
    await service().sendDue();

    expect(await stateOf(missed)).toBe('failed');
    const next = await deliver();
    expect(await stateOf(next)).toBe('delivered');
  });

  it('is disabled again, with a mail, after five more days', async () => {
    await failForFiveDays();
    await owner.patch(hookPath(), { webhook: { enabled: true } }).expect(200);
    await failForFiveDays();
    await service().sendDue();

    expect(await shownHook()).toMatchObject({ state: 'disabled' });
    expect(await notices()).toHaveLength(2);
  });
});

describe('A webhook_url that was changed', () => {
  const setUrl = (webhook_url: string | null) =>
    owner.patch(`/api/v1/forms/${form.identifier}`, { form: { webhook_url } }).expect(200);
  let other: WebhookReceiver;
  beforeEach(async () => {
    other = await WebhookReceiver.start(answers(500));
  });
  afterEach(() => other.close());

  it('is enabled, with a clean record, also when it comes back', async () => {
    await failForFiveDays();
    expect(await shownHook()).toMatchObject({ state: 'disabled' });
    await setUrl(other.url);
    const clean = { state: 'enabled', failing_since: null, disabled_at: null };
    expect(await shownHook()).toMatchObject(clean);
    await setUrl(receiver.url);

    expect(await shownHook()).toMatchObject(clean);
    await setUrl(null);
    await setUrl(receiver.url);
    expect(await shownHook()).toMatchObject(clean);
  });

  it('is not blamed for what the one before did not take', async () => {
    const id = await deliver();
    clock.forward(3 * DAY_MS);
    await setUrl(other.url);
    clock.forward(3 * DAY_MS);
    await service().sendDue();

    expect((await owner.webhookCallOf(form, id)).attempts.length).toBeGreaterThan(1);
    expect(other.calls).toHaveLength(0);
    expect(await shownHook()).toMatchObject({ state: 'enabled', failing_since: null });
    expect(await notices()).toEqual([]);
  });

  it('stays disabled when another setting is changed', async () => {
    await failForFiveDays();
    const settings = { name: form.name, webhook_url: receiver.url, notify_submitter: false };
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: settings }).expect(200);

    expect((await shownHook()).state).toBe('disabled');
  });
});

it('A fault of ours is not the fault of the receiver', async () => {
  const caller = service().app.get(DestinationCaller);
  jest.spyOn(caller, 'call').mockRejectedValue(new Error('A fault of ours.'));
  const id = await deliver();

  expect((await owner.webhookCallOf(form, id)).attempts[0]?.outcome).toBe('failed');
  expect((await shownHook()).failing_since).toBeNull();
});

it('Looking at a webhook, its form and its warnings writes nothing, and shows the secret that signs', async () => {
  await service().submit(form, { name: 'Jane' }); // the key that signs is there from now on
  const run = jest.spyOn(service().app.get(UnitOfWork), 'run');
  const { secret } = await shownHook();
  await warnings();
  await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
  const written = run.mock.calls.length;
  run.mockRestore();
  receiver.behaviour = answers(200);
  await service().sendDue();

  expect(written).toBe(0);
  expect(() => new Webhook(secret ?? '').verify(receiver.last.body, receiver.last.headers)).not.toThrow();
  receiver.behaviour = answers(500);
  await deliver(); // something of it is stored now
  expect((await shownHook()).secret).toBe(secret);
});
