import { DAY_MS, useStoppedClock } from '../support/clock.js';
import { sendDue } from '../support/deliveries.js';
import { makeForm, type FormBody } from '../support/make.js';
import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { submit } from '../support/submissions.js';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
}));
const clock = useStoppedClock();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount('Shop', 'shop@example.com');
});

const path = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/warnings` as const;
const warningsOf = async (form: FormBody, caller = owner) =>
  (await caller.read(path(form))).warnings;

const codesOf = async (form: FormBody, caller = owner) =>
  (await warningsOf(form, caller)).map(({ code }) => code);

it('The warnings of a form are an empty list when all is well', async () => {
  const form = await makeForm(owner);
  await submit(service(), form);
  await sendDue(service());

  await owner.get(path(form)).expect(200, { warnings: [] });
});

describe('That nobody gets a message', () => {
  it('is said of a form that tells neither its owner nor a webhook', async () => {
    const form = await makeForm(owner, { notify_owner_on_submission: false });

    expect(await warningsOf(form)).toEqual([
      {
        code: 'nobody_is_told',
        message: expect.stringContaining('notify_owner_on_submission is false'),
      },
    ]);
  });

  it('is said when neither the form nor the account has an address', async () => {
    const nameless = await service().openAccount();
    const form = await makeForm(nameless);

    expect(await warningsOf(form, nameless)).toEqual([
      { code: 'nobody_is_told', message: expect.stringContaining('notify_owner_emails') },
    ]);
    const other = await makeForm(nameless, { notify_owner_emails: 'a@example.com' });
    expect(await codesOf(other, nameless)).toEqual([]);
  });

  it('is not said of a form with a webhook', async () => {
    const form = await makeForm(owner, {
      notify_owner_on_submission: false,
      webhook_url: 'https://hooks.example.com/',
    });

    expect(await codesOf(form)).toEqual([]);
  });
});

describe('That deliveries fail', () => {
  const failThrice = async (form: FormBody, values: object = { message: 'x' }) => {
    server.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });
    for (let count = 0; count < 3; count++) await submit(service(), form, values);
    await sendDue(service());
  };

  it("is said when the newest one was given up, with the receiver's words", async () => {
    const form = await makeForm(owner);
    server.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });
    await submit(service(), form);
    await sendDue(service());
    expect(await warningsOf(form)).toEqual([
      {
        code: 'owner_email_failing',
        message: expect.stringContaining('5.1.1 No such user here'),
      },
    ]);
  });

  it('is said of mails to visitors, who mistype their addresses, when three in a row were', async () => {
    const form = await makeForm(owner, {
      notify_submitter: true,
      webhook_url: 'http://127.0.0.1:1/',
      notify_owner_on_submission: false,
    });
    server.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });
    const found: boolean[] = [];
    for (let count = 0; count < 3; count++) {
      await submit(service(), form, { email: 'ann@example.org' });
      await sendDue(service());
      found.push((await codesOf(form)).includes('submitter_email_failing'));
    }
    expect(found).toEqual([false, false, true]);
  });

  it('is over when one was delivered', async () => {
    const form = await makeForm(owner);
    await failThrice(form);
    server.answer = () => 'accept';
    await submit(service(), form);
    await sendDue(service());

    expect(await codesOf(form)).toEqual([]);
  });

  it('is said of each kind by itself', async () => {
    const form = await makeForm(owner, {
      notify_submitter: true,
      notify_owner_on_submission: false,
      webhook_url: 'http://127.0.0.1:1/',
    });
    await failThrice(form, { email: 'ann@example.org' });

    expect(await codesOf(form)).toContain('submitter_email_failing');
    expect(await codesOf(form)).not.toContain('owner_email_failing');
  });
});

describe('That deliveries wait, having failed', () => {
  const refuses = () => {
    server.answer = () => ({ at: 'sender', code: 451, text: '4.3.2 Closed for today' });
  };
  /** Makes the first try of what is due, and the second one that follows soon. */
  const tryTwice = async () => {
    await sendDue(service());
    clock.forward(6_000);
    await sendDue(service());
  };

  it('is said of mails after the second try, with the setting and the words of the server', async () => {
    const form = await makeForm(owner, { notify_submitter: true });
    refuses();
    await submit(service(), form, { email: 'ann@example.org' });
    await sendDue(service());
    expect(await codesOf(form)).toEqual([]);
    clock.forward(6_000);
    await sendDue(service());

    const warnings = await warningsOf(form);
    expect(warnings.map(({ code }) => code)).toEqual([
      'owner_email_failing',
      'submitter_email_failing',
    ]);
    for (const { message } of warnings) expect(message).toMatch(/Closed for today.*SMTP_URL/);
  });

  it('is over once another one was delivered', async () => {
    const form = await makeForm(owner);
    refuses();
    await submit(service(), form);
    await tryTwice();
    expect(await codesOf(form)).toEqual(['owner_email_failing']);
    server.answer = () => 'accept';
    clock.forward(60_000);
    await submit(service(), form);
    await sendDue(service());

    expect(await codesOf(form)).toEqual([]);
  });

  it('is said of a webhook that cannot be reached, until it has another address', async () => {
    const form = await makeForm(owner, { webhook_url: 'http://127.0.0.1:9/' });
    await submit(service(), form);
    await tryTwice();
    expect(await warningsOf(form)).toEqual([
      { code: 'webhook_failing', message: expect.stringContaining('ECONNREFUSED') },
    ]);

    await setUrl(form, 'http://127.0.0.1:2/');
    expect(await codesOf(form)).toEqual([]);
  });

  const setUrl = (form: FormBody, webhook_url: string) =>
    owner.patch(`/api/v1/forms/${form.identifier}`, { form: { webhook_url } }).expect(200);
});

it('That a webhook is disabled is said, with how to enable it', async () => {
  const form = await makeForm(owner, { webhook_url: 'https://hooks.example.com/' });
  const webhook = `/api/v1/forms/${form.identifier}/webhook` as const;
  await owner.patch(webhook, { webhook: { enabled: false } }).expect(200);

  expect(await warningsOf(form)).toEqual([
    { code: 'webhook_disabled', message: expect.stringContaining('PATCH') },
  ]);
  await owner.patch(webhook, { webhook: { enabled: true } }).expect(200);
  expect(await codesOf(form)).toEqual([]);
});

describe('That origins are refused', () => {
  it('is said for a week, each origin once', async () => {
    const form = await makeForm(owner, { whitelisted_domains: 'shop.example.com' });
    for (const origin of ['https://shop.example.com', 'https://a.example', 'https://a.example']) {
      await submit(service(), form, { message: 'x' }, { Origin: origin });
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
    const form = await makeForm(owner, { whitelisted_domains: 'a.test' });
    const allowed = { Origin: 'https://a.test' };
    await submit(service(), form, { message: 'x', _gotcha: 'x' }, allowed);
    await submit(service(), form, { message: 'x', _gotcha: 'x' }, { Origin: 'https://b.test' });
    await submit(service(), form, { message: 'x' });
    const id = await submit(service(), form, { message: 'x' }, allowed);
    const submission = `/api/v1/forms/${form.identifier}/submissions/${id}` as const;
    await owner.patch(submission, { submission: { spam: true } }).expect(200);

    expect(await codesOf(form)).toEqual([]);
  });

  it('is not said of a form that takes all origins', async () => {
    const form = await makeForm(owner);
    await submit(service(), form, { message: 'x', _gotcha: 'x' }, { Origin: 'https://a.example' });

    expect(await codesOf(form)).toEqual([]);
  });
});
