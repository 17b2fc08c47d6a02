import { DataSource } from 'typeorm';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { DAY_MS } from '../support/clock.js';
import { deliveriesPath } from '../support/deliveries.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service, 'Shop', 'shop@example.com');

/** Returns kind and recipient of each delivery of a submission, in order. */
const planned = async (form: FormBody, id: string): Promise<[string, string][]> =>
  (await owner.deliveriesOf(form, id)).map(({ kind, recipient }) => [kind, recipient]);

const submissionPath = ({ identifier }: FormBody, id: string) =>
  `/api/v1/forms/${identifier}/submissions/${id}` as const;

/** Takes a submission for spam, or back. */
const mark = (form: FormBody, id: string, spam: boolean) =>
  owner.patch(submissionPath(form, id), { submission: { spam } }).expect(200);

describe('The deliveries of a submission', () => {
  it("is one mail to the account's address unless the form says otherwise", async () => {
    const form = await owner.makeForm();
    const id = await service().submit(form);

    expect(await planned(form, id)).toEqual([['owner_email', 'shop@example.com']]);
  });

  it('is one mail to each owner, one to the visitor and one call of the webhook', async () => {
    const form = await owner.makeForm({
      notify_owner_emails: 'a@example.com, b@example.com,a@example.com',
      notify_submitter: true,
      webhook_url: 'https://hooks.example.com/in?form=1',
    });
    const id = await service().submit(form, { email: 'visitor@example.org' });

    expect(await planned(form, id)).toEqual([
      ['owner_email', 'a@example.com'],
      ['owner_email', 'b@example.com'],
      ['submitter_email', 'visitor@example.org'],
      ['webhook', 'https://hooks.example.com/in?form=1'],
    ]);
  });

  it('are none when nobody is to be notified', async () => {
    const form = await owner.makeForm({ notify_owner_on_submission: false });
    const id = await service().submit(form, { email: 'visitor@example.org' });

    expect(await planned(form, id)).toEqual([]);
  });

  it('is no mail to an account without an address', async () => {
    const nameless = await service().openAccount();
    const form = await nameless.makeForm();
    const id = await service().submit(form);

    expect(await nameless.deliveriesOf(form, id)).toEqual([]);
  });

  it('follows the settings of the moment it was sent', async () => {
    const form = await owner.makeForm({ notify_owner_emails: 'before@example.com' });
    const id = await service().submit(form);
    const changes = { form: { notify_owner_emails: 'after@example.com' } };
    await owner.patch(`/api/v1/forms/${form.identifier}`, changes).expect(200);

    expect(await planned(form, id)).toEqual([['owner_email', 'before@example.com']]);
    expect(await planned(form, await service().submit(form))).toEqual([['owner_email', 'after@example.com']]);
  });

  it('are planned once for a request that was repeated with its key', async () => {
    const form = await owner.makeForm();
    const key = { 'Idempotency-Key': 'once' };
    const id = await service().submit(form, { message: 'Hello' }, key);
    expect(await service().submit(form, { message: 'Hello' }, key)).toBe(id);

    expect(await planned(form, id)).toHaveLength(1);
  });

  it('are stored together with the submission, or neither is', async () => {
    const form = await owner.makeForm();
    const deliveries = service().app.get(DeliveriesService);
    const insert = jest.spyOn(deliveries, 'outboxInserts').mockReturnValue([{ sql: 'INSERT INTO nowhere VALUES (1)' }]);
    const { status } = await service().anonymous().post(`/f/${form.identifier}`, { m: 'Hello' });
    insert.mockRestore();

    expect(status).toBeGreaterThanOrEqual(500);
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}/submissions`).expect(200);
    expect(body.submissions).toEqual([]);
    expect(await planned(form, await service().submit(form))).toHaveLength(1);
  });
});

describe('The mail to the visitor', () => {
  /** Returns the recipient of the mail for a submission with these values. */
  async function visitor(values: object): Promise<string | undefined> {
    const form = await owner.makeForm({ notify_owner_on_submission: false, notify_submitter: true });
    const [first] = await planned(form, await service().submit(form, values));
    return first?.[1];
  }

  it.each([
    [{ email: 'ann@example.org' }, 'ann@example.org'],
    [{ Email: ' ann@Example.ORG ' }, 'ann@example.org'],
    [{ _replyto: 'ann@example.org' }, 'ann@example.org'],
    [{ friend: 'bob@example.org', email: 'ann@example.org' }, 'ann@example.org'],
    [{ 'Your address': 'ann@example.org', message: 'Hello' }, 'ann@example.org'],
    [{ email: ['ann@example.org'] }, 'ann@example.org'],
    [{ email: 'ann@example.org; b@example.org' }, 'ann@example.org'],
    [{ email: 'Ann <ann@example.org>' }, 'ann@example.org'],
    [{ mine: 'ann@example.org', yours: 'bob@example.org' }, undefined],
    [{ message: 'Hello' }, undefined],
    [{ email: 'not an address' }, undefined],
  ])('of %j goes to %s', async (values, address) => {
    expect(await visitor(values)).toBe(address);
  });

  it.each([
    'mailer-daemon@example.org',
    'MAILER-DAEMON@example.org',
    'postmaster@example.org',
    'noreply@example.org',
    'No-Reply+shop@example.org',
    'donotreply@example.org',
    'do-not-reply@example.org',
    'bounce@example.org',
    'bounces-123@example.org',
    'group:a@example.org;',
    '"a@example.org b"@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\nRCPT TO:<b@example.org>',
    'a@example.org\u0000',
    'a@[127.0.0.1]',
    `${'a'.repeat(250)}@example.org`,
  ])('does not go to %j', async (email) => {
    expect(await visitor({ email })).toBeUndefined();
  });
});

describe('Spam', () => {
  it('causes no deliveries (S-11)', async () => {
    const form = await owner.makeForm();
    const id = await service().submit(form, { message: 'Hello', _gotcha: 'x' });

    expect(await planned(form, id)).toEqual([]);
  });

  it('causes them when it is taken back from spam, once', async () => {
    const form = await owner.makeForm({ webhook_url: 'https://hooks.example.com/' });
    const id = await service().submit(form, { message: 'Hello', _gotcha: 'x' });

    for (const spam of [false, false, true, false]) await mark(form, id, spam);

    expect(await planned(form, id)).toEqual([
      ['owner_email', 'shop@example.com'],
      ['webhook', 'https://hooks.example.com/'],
    ]);
  });

  it('that was none at first does not cause them a second time', async () => {
    const form = await owner.makeForm();
    const id = await service().deliver(form);

    await mark(form, id, true);
    await mark(form, id, false);

    expect(await planned(form, id)).toHaveLength(1);
  });

  it('that was marked by hand does not cause them again, whatever the words of its reason', async () => {
    const form = await owner.makeForm();
    const id = await service().submit(form);
    await mark(form, id, true);
    const database = service().app.get(DataSource);
    await database.query("UPDATE submissions SET spam_reason = 'Von Hand' WHERE form_id = ?", [form.id]);

    await mark(form, id, false);

    expect(await planned(form, id)).toHaveLength(1);
  });

  it.each([
    ['from the start', { _gotcha: 'x' }],
    ['not at first', {}],
  ])('that was some %s does not cause them again once the log was pruned', async (_, values) => {
    const form = await owner.makeForm();
    const id = await service().submit(form, { message: 'Hello', ...values });
    await mark(form, id, false);
    expect(await planned(form, id)).toHaveLength(1);
    await service().sendDue();
    await service().upkeep(new Date(Date.now() + 31 * DAY_MS));
    expect(await planned(form, id)).toEqual([]);

    await mark(form, id, true);
    await mark(form, id, false);

    expect(await planned(form, id)).toEqual([]);
  });
});

it('Showing the deliveries answers exactly these fields', async () => {
  const form = await owner.makeForm();
  const id = await service().submit(form);

  const { body } = await owner.get(deliveriesPath(form, id)).expect(200);
  const [{ next_attempt_at }] = body.deliveries;

  expect(body).toEqual({
    deliveries: [
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: 'owner_email',
        recipient: 'shop@example.com',
        destination: null,
        state: 'pending',
        next_attempt_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        attempts: [],
      },
    ],
  });
  expect(Date.parse(next_attempt_at ?? '')).toBeLessThanOrEqual(Date.now());
});

it('Deleting a submission deletes its deliveries', async () => {
  const form = await owner.makeForm();
  const id = await service().submit(form);
  const kept = await service().submit(form);
  await owner.delete(submissionPath(form, id)).expect(200);

  await owner.get(deliveriesPath(form, id)).expect(refusal(404, 'submission_not_found'));
  const rows = service().app.get(DeliveriesService);
  expect(await rows.listFor({ clientId: null }, parseUuid(id) ?? Buffer.alloc(0))).toEqual([]);
  expect(await planned(form, kept)).toHaveLength(1);
});
