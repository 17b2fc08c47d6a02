import request from 'supertest';
import { FormGrant } from '../../src/forms/access/form-grant.entity.js';
import { FormsService } from '../../src/forms/forms.service.js';
import { useStoppedClock } from '../support/clock.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { MailServer, useMailServer } from '../support/smtp.js';

const AGENCY = 'Studio Nord';
const ACME = 'Acme Bakery';
const PORT = 2525;
const PASSWORD = 'very-secret-1';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_FROM: 'Studio Nord <forms@studio.example>',
  MAIL_FROM_DOMAINS: 'shared.example',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
}));
const clock = useStoppedClock();
let client: number;
let form: FormBody;
const owner = useOwner(service, AGENCY, 'studio@example.com');
beforeEach(async () => {
  client = await owner.makeClient();
  form = await owner.makeForm({ notify_owner_emails: 'acme@example.com', notify_submitter: true });
  await see([form]);
});

const path = (part: string) => `/api/v1/clients/${client}/${part}` as const;
const brand = (changes: object) => owner.put(path('brand'), { brand: changes }).expect(200);
const sender = (changes: object) => owner.put(path('sender'), { sender: changes });
const see = (forms: FormBody[], id = client) =>
  owner.patch(`/api/v1/clients/${id}`, { client: { form_ids: forms.map((each) => each.id) } });
const send = (to: FormBody, email = 'visitor@example.com') => service().deliver(to, { email, message: 'Hello' });
const thanks = async ({ identifier }: FormBody) =>
  (await request(service().url).get(`/f/${identifier}/thanks`).expect(200)).text;

describe('The look of a client', () => {
  it('is its own where it is set, and the account’s where it is not', async () => {
    await owner.patch('/api/v1/account/brand', {
      brand: { colour: 'teal', reply_to: 'hello@studio.example', logo: PNG },
    });
    await brand({ colour: 'red' });
    expect(await thanks(form)).toMatch(new RegExp(`files/logos[^]*${AGENCY}`));

    expect((await brand({ name: ACME, colour: null })).body).toEqual({
      brand: {
        ...{ name: ACME, colour: null, reply_to: null, logo_url: null },
        sign_in_url: expect.stringContaining('/sign-in?at=') as unknown,
      },
    });
    const page = await thanks(form);
    expect(page).toContain(ACME);
    expect(page).not.toContain(AGENCY);
    expect(page).not.toContain('files/logos');
    await brand({ name: null });
    expect(await thanks(form)).toContain(AGENCY);
  });

  it('is of no form that is made while it is deleted', async () => {
    const defaults = service().app.get(FormsService, { strict: false });
    const applied = defaults.applied.bind(defaults);
    jest.spyOn(defaults, 'applied').mockImplementationOnce(async (...given) => {
      await owner.delete(`/api/v1/clients/${client}`).expect(200);
      return applied(...given);
    });
    await owner.post(path('forms'), { form: { name: 'Late' } }).expect(refusal(404, 'client_not_found'));
    const grants = service().repository(FormGrant);
    expect(await grants.countBy({ clientId: client })).toBe(0);
  });

  it('is on the address of its form, open or closed', async () => {
    await brand({ name: ACME });
    const at = `/f/${form.identifier}`;
    const opened = async (path: string) => (await request(service().url).get(path)).text;
    expect(await opened(at)).toContain(ACME);
    expect(await opened(`${at}?email=a`)).toContain(ACME);
    await owner.put(`/api/v1/forms/${form.identifier}/intake`, { intake: { paused: true } }).expect(200);
    expect(await opened(at)).toMatch(new RegExp(`${ACME}[^]*This form is closed`));
  });

  it('is on the pages that say why nothing was sent, with the way back', async () => {
    await brand({ name: ACME, colour: 'teal' });
    await owner.setFields(form, [{ name: 'email', kind: 'email', required: true }]);
    const api = `/api/v1/forms/${form.identifier}` as const;
    const refused = async (status: number, email: string) => {
      const answer = request(service().url).post(`/f/${form.identifier}`).type('form');
      const site = { Accept: 'text/html', Referer: 'https://acme.example/' };
      return (await answer.set(site).send({ email }).expect(status)).text;
    };
    const bearsSender = (text: string) => {
      expect(text).toContain('Back to acme.example');
      expect(text).toContain(ACME);
      expect(text).not.toContain(AGENCY);
    };

    const correction = await refused(422, 'jane@');
    expect(correction).toContain('Please check these fields.');
    bearsSender(correction);
    bearsSender(await refused(422, 'a'.repeat(70_000)));
    await owner.put(`${api}/intake`, { intake: { paused: true } }).expect(200);
    const closed = await refused(410, 'jane@example.com');
    expect(closed).toContain('This form is closed');
    bearsSender(closed);
  });

  it('is on the forms that it made or alone sees', async () => {
    await brand({ name: ACME });
    const other = await owner.makeClient();
    await see([form], other);
    expect(await thanks(form)).toContain(AGENCY);
    await owner.patch(`/api/v1/clients/${client}`, { client: { can_create_forms: true } });
    const own = await service()
      .as(await owner.makeClientToken(client))
      .makeForm();
    await see([form, own], other);
    expect(await thanks(own)).toContain(ACME);
  });

  it('is all that its people see, on pages and in mails', async () => {
    await brand({ name: ACME, colour: 'teal', logo: PNG });
    await owner.post(path('people'), { person: { email: 'new@acme.example', name: 'New' } }).expect(201);
    const browser = await service().makeBrowser(owner, { clientId: client, actions: ['see'] });
    for (const at of ['/inbox', '/account', `/forms/${form.identifier}`, '/forms/0000000000000000']) {
      const { text } = await browser.get(at);
      expect(text).toContain(ACME);
      expect(text).not.toContain(AGENCY);
    }
    await send(form);
    const mails = [
      ...server.to('new@acme.example'),
      ...server.to('visitor@example.com').slice(-1),
      ...server.to('acme@example.com').slice(-1),
    ];
    expect(mails).toHaveLength(3);
    for (const { mail, from } of mails) {
      expect(mail.from).toMatchObject({ name: ACME, address: 'forms@studio.example' });
      expect(from).toBe('forms@studio.example');
      expect(JSON.stringify([mail.subject, mail.text, mail.html])).not.toContain(AGENCY);
    }
  });

  it('is of pages on which its people read no settings of the operator', async () => {
    const { email } = await service().makePerson(owner, { clientId: client, actions: ['see', 'triage'] });
    const browser = await Browser.of(service(), email);
    const id = await service().submit(form, { email: 'visitor@example.com', message: 'Hello' });
    const shown = async () => (await browser.get(`/inbox/${form.identifier}/${id}`)).text;
    expect(await shown()).toContain('Team not notified yet');
    await service().sendDue();
    const page = await shown();
    expect(page).toContain('Team notified');
    expect(page).toContain('the team that runs this service for you');
    expect(page).not.toMatch(/acme@example\.com|Email to your team|\d ms|SMTP_URL|queued/);

    const blank = await service().submit(form, { email: '', message: '' });
    const held = (await browser.get(`/inbox/${form.identifier}/${blank}`)).text;
    expect(held).toContain('“Not spam” will send: notice to the team.');
    expect(held).not.toContain('acme@example.com');

    const account = (await browser.get('/account')).text;
    expect(account).toContain('Passkeys');
    expect(account).not.toContain('BASE_URL');
  });

  it('goes with the client, and is nobody else’s', async () => {
    await brand({ name: ACME });
    const stranger = await service().openAccount();
    const token = await owner.makeClientToken(client);
    for (const caller of [stranger, service().as(token)]) {
      await caller.put(path('brand'), { brand: {} }).expect((answer) => {
        expect([403, 404]).toContain(answer.status);
      });
    }
    await owner.delete(`/api/v1/clients/${client}`).expect(200);
    expect(await thanks(form)).toContain(AGENCY);
  });
});

describe('The sender of a client', () => {
  const own = new MailServer(undefined, false, PORT);
  beforeEach(async () => {
    own.mails = [];
    own.logins = [];
    own.answer = () => 'accept';
    await own.start();
  });
  afterEach(() => own.stop());
  const FROM = 'Forms of Acme <forms@acme.example>';
  const url = `smtp://user:${PASSWORD}@127.0.0.1:${PORT}`;

  it('sends its mails through its own server, whose password nobody sees', async () => {
    const { body, text } = await sender({ from: FROM, smtp_url: url }).expect(200);
    expect(body).toEqual({ sender: { from: FROM, has_smtp: true, smtp_host: '127.0.0.1' } });
    await send(form);
    await owner.post(path('sender/test'), {}).expect(200);
    expect(
      own.mails
        .map(({ to }) => to)
        .flat()
        .sort(),
    ).toEqual(['acme@example.com', 'studio@example.com', 'visitor@example.com']);
    for (const { mail, from } of own.mails) {
      expect(mail.from).toEqual({ name: 'Forms of Acme', address: 'forms@acme.example' });
      expect(from).toBe('forms@acme.example');
      expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@acme\.example>$/);
    }
    expect(new Set(own.logins)).toEqual(new Set([`user:${PASSWORD}`]));
    const audit = await owner.get('/api/v1/audit').expect(200);
    const shown = [text, audit.text, service().log, (await owner.get(path('sender'))).text].join();
    expect(shown).not.toContain(PASSWORD);
    await sender({ from: FROM }).expect(200);
    await sender({ smtp_url: null }).expect(200);
    expect((await owner.get(path('sender'))).body).toMatchObject({ sender: { has_smtp: false } });
  });

  it('fails alone when its server does, and never falls back on ours', async () => {
    await sender({ from: FROM, smtp_url: url }).expect(200);
    await own.stop();
    const before = server.mails.length;
    const other = await owner.makeForm({ notify_owner_emails: 'other@example.com' });
    for (let sent = 0; sent < 6; sent++) await service().submit(form);
    await service().sendDue();
    await service().deliver(other);
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual([['other@example.com']]);
    const id = await send(form);
    const deliveries = await owner.deliveriesOf(form, id);
    const [delivery] = deliveries.filter(({ kind }) => kind === 'owner_email');
    expect(delivery).toMatchObject({ state: 'pending' });
    clock.forward(6_000);
    await service().sendDue();
    const { body } = await owner.post(path('sender/test'), {}).expect(200);
    expect(body).toMatchObject({ to: 'studio@example.com', result: 'deferred' });
    const warned = await owner.get(`/api/v1/forms/${form.identifier}/warnings`).expect(200);
    expect(warned.text).toContain('owner_email_failing');
    expect(warned.text).not.toContain('SMTP_URL');
  });

  it('without a server is used where our server may, and is answered otherwise', async () => {
    const visitor = 'another@example.com';
    await sender({ from: 'Acme <forms@shared.example>' }).expect(200);
    await send(form, visitor);
    await sender({ from: FROM }).expect(200);
    await send(form, visitor);
    const [first, second] = server.to(visitor);
    expect(first?.mail.from?.address).toBe('forms@shared.example');
    expect(second?.mail.from).toEqual({ name: 'Forms of Acme', address: 'forms@studio.example' });
    expect(second?.mail.replyTo).toEqual([{ name: 'Forms of Acme', address: 'forms@acme.example' }]);
  });

  it('has only servers that mails may reach', async () => {
    const refused = async (smtp_url: string, code: string) =>
      sender({ from: FROM, smtp_url }).expect(refusal(422, code));
    await refused('smtp://10.0.0.1:25', 'private_address');
    await refused('smtp://[::1]:587', 'private_address');
    await refused('smtp://mail.example.com:22', 'invalid_fields');
    await refused('https://mail.example.com', 'invalid_fields');
    await sender({ smtp_url: url }).expect(refusal(422, 'sender_missing'));
    await owner
      .post(path('sender/test'), { to: 'stranger@example.com' })
      .expect(refusal(422, 'test_recipient_unknown'));
  });
});

it('The defaults for new forms of a client hold where the request says nothing else', async () => {
  const defaults = {
    redirect_url: 'https://acme.example/thanks',
    notify_owner_emails: 'orders@acme.example',
    bg_color: '#fff',
  };
  await owner.put(path('form-defaults'), { form_defaults: defaults }).expect(200);
  expect((await owner.get(path('form-defaults'))).body).toEqual({ form_defaults: defaults });
  const made = await owner.post(path('forms'), { form: { name: 'Orders', bg_color: null } });
  expect(made.body).toMatchObject({ ...defaults, bg_color: null });
  await owner.patch(`/api/v1/clients/${client}`, { client: { can_create_forms: true } });
  const caller = service().as(await owner.makeClientToken(client));
  expect(await caller.makeForm()).toMatchObject(defaults);
  expect((await caller.get('/api/v1/forms')).text).toContain('Orders');
  expect(await owner.makeForm()).toMatchObject({ redirect_url: null });
});
