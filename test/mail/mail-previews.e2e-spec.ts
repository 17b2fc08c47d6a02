import type { Schemas } from '../../build/api.js';
import { elementsOf, factsOf, textOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const SETTINGS = {
  name: 'Contact',
  notify_owner_emails: 'shop@example.com',
  notify_submitter: true,
  notify_submitter_subject: 'Thank you, {{name}}',
  notify_submitter_body: 'Dear {{name}}',
};
const SENT = { name: 'Ann', email: 'ann@example.org', message: 'Hello' };

/** Most that a mail has in HTML and text, in characters. */
const MAIL_MAX = 400_000;

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const owner = useOwner(service, 'Bakery', 'account@example.com');
const form = useForm(owner, SETTINGS);

type MailBody = Schemas['DestinationPreviewDto'];

/** Returns the id of one of the destinations that the form has from the start. */
const idOf = async (role: 'team' | 'visitor') => (await owner.firstPath(form, role)).slice(-36);

/** Previews a mail with these settings in place of its own. */
async function previewOf(role: 'team' | 'visitor', settings: object = {}, caller = owner): Promise<MailBody> {
  const destination = { id: await idOf(role), settings };
  const path = `/api/v1/forms/${form.identifier}/destinations/preview` as const;
  return (await caller.post(path, { destination }).expect(200)).body;
}

const mailsOf = async (caller = owner) => ({
  team: await previewOf('team', {}, caller),
  visitor: await previewOf('visitor', {}, caller),
});

describe('The mails of a form', () => {
  it.each(['<', '\n', 'a'])('keep to a size, however often they are to repeat a value of %j', async (unit) => {
    const often = '{{message}}'.repeat(900);
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { notify_submitter_body: often } }).expect(200);
    const id = await service().submit(form, { ...SENT, message: `${unit.repeat(250_000)}.` });
    const { team, visitor } = await mailsOf();
    await service().sendDue();

    expect(visitor.submission_id).toBe(id);
    for (const { html, text } of [team, visitor]) expect((html + text).length).toBeLessThan(MAIL_MAX);
    expect(visitor.text).toContain('Some of this text was left out');
    const [sent] = server.to('ann@example.org');
    expect(sent?.mail.html?.length).toBeLessThan(MAIL_MAX);
  });

  it('are shown as they are sent for the newest submission', async () => {
    await service().deliver(form, { name: 'Bob', email: 'bob@example.org' });
    const id = await service().submit(form, SENT);
    const mails = await mailsOf();
    await service().sendDue();

    for (const [mail, to] of [
      [mails.team, 'shop@example.com'],
      [mails.visitor, 'ann@example.org'],
    ] as const) {
      const sent = server.to(to).at(-1)?.mail;
      expect(mail).toMatchObject({ enabled: true, recipients: [to], submission_id: id });
      expect(mail.subject).toBe(sent?.subject);
      expect(mail.from).toMatchObject({ address: sent?.from?.address });
      expect(mail.reply_to?.address).toBe(sent?.replyTo?.[0]?.address);
      expect(factsOf(mail.html)).toEqual(factsOf(sent?.html ?? ''));
      expect(mail.text.trim()).toBe(sent?.text?.replaceAll('\r\n', '\n').trim());
    }
  });

  it('are about a sample before the first submission, and for who may not read submissions', async () => {
    const reader = service().as((await owner.makeToken({ rights: ['forms:write'] })).token);
    expect((await mailsOf()).visitor).toMatchObject({
      subject: 'Thank you, Jane Doe',
      recipients: ['jane@example.com'],
      submission_id: null,
    });

    await service().submit(form, SENT);
    expect((await mailsOf()).visitor.subject).toBe('Thank you, Ann');
    expect((await mailsOf(reader)).visitor.subject).toBe('Thank you, Jane Doe');
    expect(JSON.stringify(await mailsOf(reader))).not.toContain('ann@example.org');
  });

  it('say when they are switched off, and when nobody would get them', async () => {
    await service().submit(form, { message: 'no address' });
    await owner
      .patch(`/api/v1/forms/${form.identifier}`, {
        form: { notify_submitter: false, notify_owner_on_submission: false },
      })
      .expect(200);
    const mails = await mailsOf();

    expect(mails.team).toMatchObject({ enabled: false, recipients: ['shop@example.com'] });
    expect(mails.visitor).toMatchObject({ enabled: false, recipients: [] });
  });

  it('are shown as other settings would make them, which are not stored', async () => {
    const team = await previewOf('team', { to: 'a@example.com,b@example.com' });

    expect((await previewOf('visitor', { subject: 'Hi {{name}}' })).subject).toBe('Hi Jane Doe');
    expect(team.recipients).toEqual(['a@example.com', 'b@example.com']);
    expect((await mailsOf()).visitor.subject).toBe('Thank you, Jane Doe');
    expect(await owner.read(`/api/v1/forms/${form.identifier}`)).toEqual(form);
  });

  it('are not shown for settings that break a rule, naming each', async () => {
    const destination = { id: await idOf('visitor'), settings: { from: 'x', html: '<img>' } };
    const fields = ['from', 'html'].map((name) => `destination.settings.${name}`);
    await owner
      .post(`/api/v1/forms/${form.identifier}/destinations/preview`, { destination })
      .expect(refusal(422, 'invalid_fields', ...fields));
  });

  it('are looked at on the record when a client does it', async () => {
    const theirs = await owner.makeClientCaller({ can_create_forms: true });
    const own = await theirs.makeForm(SETTINGS);
    const id = await service().submit(own, SENT);
    const path = `/api/v1/forms/${own.identifier}/destinations` as const;
    const destination = { id: (await theirs.firstPath(own, 'visitor')).slice(-36) };
    await theirs.post(`${path}/preview`, { destination }).expect(200);

    const { entries } = await owner.read('/api/v1/audit?action=submission.viewed');
    expect(entries.map(({ target }) => target.id)).toContain(id);
  });
});

describe('A test of a mail', () => {
  const TESTS = '/api/v1/me/test-mails';
  const test = async (role: 'team' | 'visitor' = 'visitor') => ({
    identifier: form.identifier,
    destination_id: await idOf(role),
  });

  it('goes to the verified address of who is signed in, and says what the server answered', async () => {
    await service().submit(form, SENT);
    const jane = await person({ verified: true });
    const { status, body } = await jane.call('post', TESTS, {
      ...(await test()),
      settings: { body: 'Hello {{name}}' },
    });

    expect({ status, body: body }).toEqual({
      status: 200,
      body: {
        to: jane.email,
        result: 'delivered',
        outcome: 'accepted',
        code: 250,
        answer: expect.stringContaining('queued as'),
      },
    });
    expect(tests().map(({ to }) => to)).toEqual([[jane.email]]);
    expect(tests()[0]?.mail.subject).toBe('Test: Thank you, Ann');
    expect(tests()[0]?.mail.text).toContain('Hello Ann');
  });

  it('says the answer of a server that refuses it', async () => {
    server.answer = () => ({ at: 'recipient', code: 550, text: '5.1.1 No such user here' });
    const jane = await person({ verified: true });
    const { body } = await jane.call('post', TESTS, await test('team'));

    expect(body).toMatchObject({ result: 'refused', code: 550 });
    expect(body.answer).toContain('No such user here');
  });

  it('is not sent to an address that is not verified, and names the way', async () => {
    const jane = await person({ verified: false });
    const { status, body } = await jane.call('post', TESTS, await test());

    expect(status).toBe(409);
    expect(body.type).toContain('address_not_verified');
    expect(tests()).toEqual([]);
  });

  it('is sent ten times in ten minutes and not more', async () => {
    const jane = await person({ verified: true });
    const answers: number[] = [];
    for (let count = 0; count < 11; count++) {
      answers.push((await jane.call('post', TESTS, await test())).status);
    }

    expect(answers).toEqual([...Array<number>(10).fill(200), 429]);
    expect(tests()).toHaveLength(10);
  });

  it('is for those who may change the form, and for no token', async () => {
    const viewer = await person({ verified: true }, 'viewer');
    const stranger = await service().openAccount();
    const foreign = await stranger.makeForm();
    const jane = await person({ verified: true });

    expect((await viewer.call('post', TESTS, await test())).status).toBe(403);
    const elsewhere = { ...(await test()), identifier: foreign.identifier };
    expect((await jane.call('post', TESTS, elsewhere)).status).toBe(404);
    await owner.post(TESTS, await test()).expect(refusal(403, 'foreign_request'));
    expect(tests()).toEqual([]);
  });

  it('is written to the audit log', async () => {
    const jane = await person({ verified: true });
    await jane.call('post', TESTS, await test('team'));

    expect((await owner.read('/api/v1/audit?action=mail.tested')).entries).toMatchObject([
      { target: { kind: 'form', id: form.identifier }, details: { kind: 'email' } },
    ]);
  });
});

describe('The frame on the page of an email', () => {
  const frame = async () => `${await owner.firstPath(form, 'visitor')}/preview`;

  it('show the mail alone, run nothing, and are framed by our pages alone', async () => {
    const jane = await person({ verified: true });
    const { text: settings } = await jane.get(await owner.firstPath(form, 'visitor'));
    expect(settings).toContain(`formaction="${await frame()}"`);

    const { headers, text } = await jane.get(await frame());
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain('sandbox allow-same-origin');
    expect(policy).not.toContain('script');
    expect(textOf(text, 'dd')).toContain('Thank you, Jane Doe');
    const [inner] = elementsOf(text).filter(({ name }) => name === 'iframe');
    expect(inner?.attributes).toMatchObject({ sandbox: '' });
    expect(inner?.attributes.srcdoc).toContain('Dear Jane Doe');
  });

  it('name what has to be mended, without a mail', async () => {
    const jane = await person({ verified: true });
    const wrong = { 'destination.settings.from': 'nobody' };
    for (const address of [await frame(), `${await frame()}/tests`]) {
      const { status, text, headers } = await jane.post(address, wrong);
      expect(status).toBe(422);
      expect(text).toContain('Must be an email address');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    }
    expect(tests()).toEqual([]);
  });

  it('say what became of a test, also when none was sent', async () => {
    const jane = await person({ verified: true });
    const sent = await jane.post(`${await frame()}/tests`, {});
    expect(sent.text).toContain(`Sent to ${jane.email}`);
    expect(sent.text).toContain('queued as');

    const joe = await person({ verified: false });
    const refused = await joe.post(`${await frame()}/tests`, {});
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('sign in once with an email link');
    expect(tests()).toHaveLength(1);
  });
});

/** The tests that were sent; signing in sends mails too. */
const tests = () => server.mails.filter(({ mail }) => mail.subject?.startsWith('Test: '));

/** Signs in a person of the account. */
async function person({ verified }: { verified: boolean }, role: 'owner' | 'viewer' = 'owner') {
  const { id, email } = await service().makePerson(owner, { clientId: null, role });
  if (!verified) await service().unprove({ id });
  const browser = await Browser.of(service(), email);
  return Object.assign(browser, { email });
}
