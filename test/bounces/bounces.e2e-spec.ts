import { BouncesService } from '../../src/deliveries/bounces/bounces.service.js';
import { readDsn } from '../../src/deliveries/bounces/reading/dsn.js';
import { submissionAddress } from '../../src/web/addresses/folders.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { report } from '../support/reports.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, MAIL_FROM: 'forms@example.com' }));
let owner: Caller;
let form: FormBody;
let made = 0;
let ann: string;
let visitor: string;
beforeEach(async () => {
  ann = `Ann${++made}@example.com`;
  visitor = `visitor${made}@example.org`;
  owner = await service().openAccount('Shop', `shop${made}@example.com`);
  form = await owner.makeForm({ notify_owner_emails: ann, notify_submitter: true });
});

const path = () => `/api/v1/forms/${form.identifier}` as const;

/** Sends a submission and its mails. @returns its id */
function sendMails(email = visitor): Promise<string> {
  return service().deliver(form, { email });
}

/** The message id that a mail went out with. */
const messageIdOf = (email: string) => server.to(email).at(-1)?.mail.messageId ?? '';

/** Delivers a report of the last mail to an address. @returns how many were recorded */
async function bounce(email: string, changes: { status?: string; action?: string; id?: string } = {}) {
  const { status = '5.1.1', action = 'failed', id = messageIdOf(email) } = changes;
  const lines = report(
    [
      'Reporting-MTA: dns; mx.example.net',
      '',
      `Final-Recipient: rfc822; ${email}`,
      ...[`Action: ${action}`, `Status: ${status}`],
      `Diagnostic-Code: smtp; 550 ${status} No such user`,
    ],
    ['Content-Type: message/rfc822', '', `Message-ID: ${id}`],
  );
  const bounces = readDsn(Buffer.from(lines.join('\r\n')));
  return service().app.get(BouncesService).take(bounces);
}

async function deliveryTo(id: string, email: string) {
  const found = (await owner.deliveriesOf(form, id)).find(({ recipient }) => recipient === email);
  if (!found) throw new Error('no delivery');
  return found;
}

const failing = async (caller = owner) => (await caller.read(`${path()}/recipients/failing`)).recipients;

const warnings = async (): Promise<{ code: string; message: string }[]> =>
  (await owner.read(`${path()}/warnings`)).warnings;

describe('A mail that comes back', () => {
  it('has failed, with the words of the receiver, and its address gets no more', async () => {
    const id = await sendMails();
    expect((await deliveryTo(id, visitor)).state).toBe('delivered');

    expect(await bounce(visitor)).toBe(1);

    expect(await deliveryTo(id, visitor)).toMatchObject({
      state: 'failed',
      next_attempt_at: null,
      attempts: [{ outcome: 'accepted' }, { outcome: 'bounced', code: 550, answer: '550 5.1.1 No such user' }],
    });
    expect(await failing()).toMatchObject([
      { email: visitor, kind: 'permanent', reason: '550 5.1.1 No such user', submission_id: id },
    ]);
    const next = await sendMails(visitor.toUpperCase());
    expect(await deliveryTo(next, visitor.toUpperCase().replace(/@.*/, '@example.org'))).toMatchObject({
      state: 'failed',
      attempts: [{ outcome: 'bounced_before', code: null }],
    });
    expect(server.to(visitor)).toHaveLength(1);
    expect((await deliveryTo(next, ann)).state).toBe('delivered');
  });

  it('of an owner is a warning, until somebody has it tried again', async () => {
    await sendMails();
    await bounce(ann);

    expect(await warnings()).toEqual([
      {
        code: 'recipient_bounces',
        message: expect.stringMatching(/^Emails to Ann\d+@example\.com \(550 5\.1\.1 No such user\) came back/),
      },
    ]);
    await sendMails();
    expect(server.to(ann)).toHaveLength(1);
    expect(await warnings()).toMatchObject([{ code: 'recipient_bounces' }]);

    await owner.post(`${path()}/recipients/failing/try`, { email: ann }).expect(200, { recipients: [] });
    expect((await warnings()).map(({ code }) => code)).not.toContain('recipient_bounces');
    await sendMails();
    expect(server.to(ann)).toHaveLength(2);
    const { body } = await owner.get('/api/v1/audit?action=recipient.tried_again').expect(200);
    expect(JSON.stringify(body)).not.toContain(ann.toLowerCase());
  });

  it('of the address of the account is a warning too', async () => {
    await owner.patch(path(), { form: { notify_owner_emails: null } }).expect(200);
    await sendMails();
    await bounce(`shop${made}@example.com`);
    expect(await warnings()).toMatchObject([{ code: 'recipient_bounces' }]);
  });

  it('is counted as failed, no longer as delivered', async () => {
    const id = await sendMails();
    await bounce(visitor);
    await bounce(visitor, { status: '5.1.2' });
    const attempts = (await deliveryTo(id, visitor)).attempts.map(({ outcome }) => outcome);
    expect(attempts).toEqual(['accepted', 'bounced', 'bounced']);
    const { body } = await owner.get(`${path()}/redeliveries?kind=submitter_email`).expect(200);
    expect(body).toMatchObject({ count: 1 });
  });

  it('is recorded once, however often it is reported', async () => {
    const id = await sendMails();
    expect([await bounce(visitor), await bounce(visitor)]).toEqual([1, 0]);
    expect((await deliveryTo(id, visitor)).attempts).toHaveLength(2);
  });

  it.each([
    ['a full mailbox', { status: '5.2.2' }, 'failed', 'bounced'],
    ['a server that is away for days', { status: '4.4.7' }, 'failed', 'bounced'],
    ['a delay', { status: '4.4.7', action: 'delayed' }, 'delivered', 'delayed'],
  ] as const)('for %s stops nothing', async (_, changes, state, outcome) => {
    const id = await sendMails();
    await bounce(visitor, changes);

    expect(await deliveryTo(id, visitor)).toMatchObject({ state, attempts: [{}, { outcome }] });
    expect(await failing()).toEqual([]);
    await sendMails();
    expect(server.to(visitor)).toHaveLength(2);
  });

  it('is not believed for another recipient, an unknown mail, or a webhook', async () => {
    await sendMails();
    const forged = { id: messageIdOf(ann) };

    expect(await bounce(visitor, forged)).toBe(0);
    expect(await bounce(ann, { id: '<0198c0de-1111-7222-8333-444455556666@example.com>' })).toBe(0);
    expect(await failing()).toEqual([]);
  });

  it('concerns one account', async () => {
    await sendMails();
    await bounce(visitor);
    const stranger = await service().openAccount();
    const other = await stranger.makeForm({ notify_submitter: true });
    await service().deliver(other, { email: visitor });
    expect(server.to(visitor)).toHaveLength(2);
    await stranger.get(`${path()}/recipients/failing`).expect(refusal(404, 'form_not_found'));
    await stranger.post(`${path()}/recipients/failing/try`, { email: visitor }).expect(refusal(404, 'form_not_found'));
    expect(await failing()).toHaveLength(1);
  });

  it('shows visitors to who may read submissions alone', async () => {
    await sendMails();
    await bounce(visitor);
    await bounce(ann);
    const { token } = await owner.makeToken({ rights: ['forms:read', 'forms:write'] });
    const reader = service().as(token);
    expect(await failing(reader)).toMatchObject([{ email: ann.toLowerCase() }]);
    await reader.post(`${path()}/recipients/failing/try`, { email: visitor }).expect(200);
    expect(await failing()).toHaveLength(2);
  });

  it('is forgotten with the submission of the visitor', async () => {
    const id = await sendMails();
    await bounce(visitor);
    await bounce(ann);
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    expect(await failing()).toMatchObject([{ email: ann.toLowerCase() }]);
  });

  it('is shown on the pages, with a button that has it tried again', async () => {
    const { email } = await service().makePerson(owner);
    const browser = await Browser.of(service(), email);
    const id = await sendMails();
    await bounce(visitor);

    const { text: submission } = await browser.get(submissionAddress(form.identifier, id, null));
    const { text } = await browser.get(`/forms/${form.identifier}/settings`);
    expect(submission).toContain('Came back: 550 5.1.1 No such user');
    expect(text).toContain(visitor);
    const there = `/forms/${form.identifier}/recipients/failing`;
    expect((await browser.post(there, { email: visitor })).status).toBe(303);
    expect((await browser.get(`/forms/${form.identifier}/settings`)).text).not.toContain(visitor);
  });
});
