import { DAY_MS, useStoppedClock } from '../support/clock.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }));
const clock = useStoppedClock();
const owner = useOwner(service, 'Shop', 'shop@example.com');

const path = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/warnings` as const;
const warningsOf = async (form: FormBody, caller = owner) => (await caller.read(path(form))).warnings;

const codesOf = async (form: FormBody, caller = owner) => (await warningsOf(form, caller)).map(({ code }) => code);

it('The warnings of a form are an empty list when all is well', async () => {
  const form = await owner.makeForm();
  await service().deliver(form);

  await owner.get(path(form)).expect(200, { warnings: [] });
});

describe('That nobody gets a message', () => {
  it('is said of a form that tells neither its owner nor a webhook', async () => {
    const form = await owner.makeForm({ notify_owner_on_submission: false });

    const message = expect.stringContaining('notify_owner_on_submission is false') as unknown;
    expect(await warningsOf(form)).toEqual([{ code: 'nobody_is_told', message }]);
    const webhook = { webhook_url: 'https://hooks.example.com/' };
    const other = await owner.makeForm({ notify_owner_on_submission: false, ...webhook });
    expect(await codesOf(other)).toEqual([]);
  });

  it('is said when neither the form nor the account has an address', async () => {
    const nameless = await service().openAccount();
    const form = await nameless.makeForm();

    expect(await warningsOf(form, nameless)).toEqual([
      { code: 'nobody_is_told', message: expect.stringContaining('notify_owner_emails') },
    ]);
    const other = await nameless.makeForm({ notify_owner_emails: 'a@example.com' });
    expect(await codesOf(other, nameless)).toEqual([]);
  });
});

describe('That deliveries fail', () => {
  const fails = () => {
    server.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });
  };

  it("is said when the newest one was given up, with the receiver's words, until one is delivered", async () => {
    const form = await owner.makeForm();
    fails();
    await service().deliver(form);
    const message = expect.stringContaining('5.1.1 No such user here') as unknown;
    expect(await warningsOf(form)).toEqual([{ code: 'owner_email_failing', message }]);
    server.answer = () => 'accept';
    await service().deliver(form);

    expect(await codesOf(form)).toEqual([]);
  });

  it('is said of mails to visitors, who mistype their addresses, when three in a row were', async () => {
    const form = await owner.makeForm({
      notify_submitter: true,
      webhook_url: 'http://127.0.0.1:1/',
      notify_owner_on_submission: false,
    });
    fails();
    const found: boolean[] = [];
    for (let count = 0; count < 3; count++) {
      await service().deliver(form, { email: 'ann@example.org' });
      const codes = await codesOf(form);
      found.push(codes.includes('submitter_email_failing'));
      expect(codes).not.toContain('owner_email_failing');
    }
    expect(found).toEqual([false, false, true]);
  });
});

describe('That deliveries wait, having failed', () => {
  const refuses = () => {
    server.answer = () => ({ at: 'sender', code: 451, text: '4.3.2 Closed for today' });
  };
  /** Makes the first try of what is due, and the second one that follows soon. */
  const tryTwice = async () => {
    await service().sendDue();
    clock.forward(6_000);
    await service().sendDue();
  };

  it('is said of mails after the second try, with the setting and the words of the server', async () => {
    const form = await owner.makeForm({ notify_submitter: true });
    refuses();
    await service().deliver(form, { email: 'ann@example.org' });
    expect(await codesOf(form)).toEqual([]);
    clock.forward(6_000);
    await service().sendDue();

    const warnings = await warningsOf(form);
    expect(warnings.map(({ code }) => code)).toEqual(['owner_email_failing', 'submitter_email_failing']);
    for (const { message } of warnings) expect(message).toMatch(/Closed for today.*SMTP_URL/);
  });

  it('is over once another one was delivered', async () => {
    const form = await owner.makeForm();
    refuses();
    await service().submit(form);
    await tryTwice();
    expect(await codesOf(form)).toEqual(['owner_email_failing']);
    server.answer = () => 'accept';
    clock.forward(60_000);
    await service().deliver(form);

    expect(await codesOf(form)).toEqual([]);
  });

  it('is said of a webhook that cannot be reached, until it has another address', async () => {
    const form = await owner.makeForm({ webhook_url: 'http://127.0.0.1:9/' });
    await service().submit(form);
    await tryTwice();
    expect(await warningsOf(form)).toEqual([
      { code: 'webhook_failing', message: expect.stringContaining('ECONNREFUSED') },
    ]);

    const moved = { form: { webhook_url: 'http://127.0.0.1:2/' } };
    await owner.patch(`/api/v1/forms/${form.identifier}`, moved).expect(200);
    expect(await codesOf(form)).toEqual([]);
  });
});

it('That a webhook is disabled is said, with how to enable it', async () => {
  const form = await owner.makeForm({ webhook_url: 'https://hooks.example.com/' });
  const webhook = `/api/v1/forms/${form.identifier}/webhook` as const;
  await owner.patch(webhook, { webhook: { enabled: false } }).expect(200);

  expect(await warningsOf(form)).toEqual([{ code: 'webhook_disabled', message: expect.stringContaining('PATCH') }]);
  await owner.patch(webhook, { webhook: { enabled: true } }).expect(200);
  expect(await codesOf(form)).toEqual([]);
});

describe('That origins are refused', () => {
  it('is said for a week, each origin once', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'shop.example.com' });
    for (const origin of ['https://shop.example.com', 'https://a.example', 'https://a.example']) {
      await service().submit(form, { message: 'x' }, { Origin: origin });
    }

    const warnings = await warningsOf(form);
    expect(warnings).toEqual([
      { code: 'origins_refused', message: expect.stringContaining(': https://a.example. If') },
    ]);
    expect(warnings[0]?.message).not.toContain('shop.example.com');
    clock.forward(7 * DAY_MS);
    expect(await codesOf(form)).toEqual([]);
  });

  it('is not said of spam that has another reason', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'a.test' });
    const allowed = { Origin: 'https://a.test' };
    await service().submit(form, { message: 'x', _gotcha: 'x' }, allowed);
    await service().submit(form, { message: 'x', _gotcha: 'x' }, { Origin: 'https://b.test' });
    await service().submit(form, { message: 'x' });
    const id = await service().submit(form, { message: 'x' }, allowed);
    const submission = `/api/v1/forms/${form.identifier}/submissions/${id}` as const;
    await owner.patch(submission, { submission: { spam: true } }).expect(200);

    expect(await codesOf(form)).toEqual([]);
  });
});
