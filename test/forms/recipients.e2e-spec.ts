import { DAY_MS, HOUR_MS, useStoppedClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const clock = useStoppedClock();
let client: Caller;
let form: FormBody;
let made = 0;
/** An address that nobody has used yet. */
let ann: string;
const owner = useOwner(service, 'Shop', 'shop@example.com');
beforeEach(async () => {
  const id = await owner.makeClient({ can_create_forms: true });
  client = service().as(await owner.makeClientToken(id));
  form = await client.makeForm({ name: 'Contact' });
  ann = `ann${++made}@example.com`;
});

const path = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}` as const;
const name = (caller: Caller, emails: string | null, of = form) =>
  caller.patch(path(of), { form: { notify_owner_emails: emails } });

const recipientsOf = async (of = form, caller = owner) => (await caller.read(`${path(of)}/recipients`)).recipients;

/** Subjects of what an address got since the start. */
async function mailsTo(email: string): Promise<string[]> {
  await service().sendDue();
  return server.to(email).map(({ mail }) => mail.subject ?? '');
}

/** The path that the last mail to an address leads to. */
async function linkTo(email: string): Promise<string> {
  await service().sendDue();
  const text = server.to(email).at(-1)?.mail.text ?? '';
  return new URL(/https?:\/\/\S*\/recipients\/\S+/.exec(text)?.[0] ?? '').pathname;
}

const ASKS = 'Do you want emails about form submissions from "Shop"?';
const TOLD = 'New submission: Contact';

describe('A recipient that a client enters', () => {
  it('gets no owner mails before the button of the link is pressed, and then all', async () => {
    await name(client, ann).expect(200);
    await service().submit(form);
    expect(await mailsTo(ann)).toEqual([ASKS]);

    const link = await linkTo(ann);
    const anyone = service().anonymous();
    await anyone
      .get(link)
      .expect(200)
      .expect(/<button/);
    expect((await fetch(service().url + link, { method: 'HEAD' })).status).toBe(200);
    await service().submit(form);
    expect(await mailsTo(ann)).toEqual([ASKS]);
    expect(await recipientsOf()).toMatchObject([{ email: ann, confirmed: false }]);

    await anyone
      .send('post', link)
      .expect(200)
      .expect(/Thank you/);
    await anyone.send('post', link).expect(200);
    await service().submit(form);
    expect(await mailsTo(ann)).toEqual([ASKS, TOLD]);
    expect(await recipientsOf()).toMatchObject([{ email: ann, confirmed: true }]);
  });

  it('is also asked when the form is the client’s own', async () => {
    const maker = await owner.makeClientCaller({ can_create_forms: true });
    await maker.makeForm({ notify_owner_emails: ann });

    expect(await mailsTo(ann)).toEqual([ASKS]);
  });

  it('is confirmed for all forms of the account, not for its tags, nor for other accounts', async () => {
    const [local, domain] = ann.split('@');
    const tagged = `${local}+b@${domain}`;
    await name(client, ann).expect(200);
    await service()
      .anonymous()
      .send('post', await linkTo(ann));

    await name(client, `${ann.toUpperCase()},${tagged}`).expect(200);
    expect((await recipientsOf()).map(({ confirmed }) => confirmed)).toEqual([true, false]);
    const other = await service().openAccount('Other');
    const maker = await other.makeClientCaller({ can_create_forms: true });
    const theirs = await maker.makeForm();
    await name(maker, ann, theirs).expect(200);
    expect(await recipientsOf(theirs, other)).toMatchObject([{ confirmed: false }]);
  });

  it('takes no mails from what the account itself entered', async () => {
    const own = await owner.makeForm({ name: 'Contact', notify_owner_emails: ann });
    await name(client, ann).expect(200);
    await service().submit(own);
    await service().submit(form);

    expect(await mailsTo(ann)).toEqual([TOLD, TOLD]);
  });

  it('works at once when the account enters it too', async () => {
    await name(client, ann).expect(200);
    const own = await owner.makeForm({ name: 'Contact', notify_owner_emails: ann });
    await service().submit(own);

    expect(await mailsTo(ann)).toEqual([TOLD]);
  });

  it('is asked once a day, whatever is done', async () => {
    for (let i = 0; i < 3; i++) {
      await name(client, ann).expect(200);
      await name(client, null).expect(200);
    }
    await name(client, ann).expect(200);
    await client.post(`${path(form)}/recipients/ask`).expect(200);
    expect(await mailsTo(ann)).toEqual([ASKS]);
    clock.forward(DAY_MS - HOUR_MS);
    await client.post(`${path(form)}/recipients/ask`).expect(200);
    expect(await mailsTo(ann)).toEqual([ASKS]);

    clock.forward(HOUR_MS);
    const { body } = await client.post(`${path(form)}/recipients/ask`).expect(200);
    expect(await mailsTo(ann)).toEqual([ASKS, ASKS]);
    expect(body).toEqual({ recipients: await recipientsOf() });
  });

  it('is asked under the cap on mails to strangers, tags counted together', async () => {
    const tags = Array.from({ length: 8 }, (_, index) => ann.replace('@', `+${index}@`));
    await name(client, tags.join(',')).expect(200);
    await service().sendDue();

    expect(server.mails).toHaveLength(5);
  });

  it('is named by the warnings with what to do', async () => {
    await name(client, ann).expect(200);
    const { warnings } = await client.read(`${path(form)}/warnings`);
    expect(warnings).toMatchObject([{ code: 'recipients_unconfirmed' }]);
    expect(warnings[0]?.message).toContain(ann);
    expect(warnings[0]?.message).toContain(`POST ${path(form)}/recipients/ask`);
  });
});

describe('The link of a confirmation', () => {
  it('expires after a week, and cannot be altered', async () => {
    await name(client, ann).expect(200);
    const link = await linkTo(ann);
    const anyone = service().anonymous();
    clock.forward(7 * DAY_MS - HOUR_MS);
    await anyone.get(link).expect(200);
    await anyone.get(link.slice(0, -3)).expect(refusal(404, 'recipient_link_expired'));
    clock.forward(2 * HOUR_MS);

    for (const method of ['get', 'post'] as const) {
      await anyone.send(method, link).expect(refusal(404, 'recipient_link_expired'));
    }
    expect(await recipientsOf()).toMatchObject([{ confirmed: false }]);
  });

  it('shows hostile names as text', async () => {
    await owner.patch('/api/v1/account', { account: { name: '<b>"Evil"</b>' } }).expect(200);
    await name(client, ann).expect(200);
    const { text } = await service()
      .anonymous()
      .get(await linkTo(ann));

    expect(text).toContain('&lt;b>');
    expect(text).not.toContain('<b>');
  });
});

describe('What the account itself enters', () => {
  it('works at once', async () => {
    await name(owner, ann).expect(200);
    await service().submit(form);

    expect(await mailsTo(ann)).toEqual([TOLD]);
    expect(await recipientsOf()).toEqual([{ email: ann, confirmed: true, asked_at: null }]);
  });

  it('is listed with the address of the account when no recipient is named', async () => {
    expect(await recipientsOf()).toEqual([{ email: 'shop@example.com', confirmed: true, asked_at: null }]);
  });
});

describe('A form', () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@example.com`).join(',');

  it('names at most ten recipients', async () => {
    await name(owner, list(10)).expect(200);

    await name(owner, list(11)).expect(refusal(422, 'too_many_recipients', 'form.notify_owner_emails'));
    const body = { form: { name: 'x', notify_owner_emails: list(11) } };
    await owner.post('/api/v1/forms', body).expect(refusal(422, 'too_many_recipients'));
  });

  it('keeps a longer list that is stored', async () => {
    const query = 'UPDATE forms SET notify_owner_emails = ? WHERE id = ?';
    await service().query(query, [list(11), form.id]);

    const { body } = await owner.get(path(form)).expect(200);
    await owner.put(path(form), { form: { ...body, name: 'y' } }).expect(200);
    await name(owner, list(12)).expect(refusal(422, 'too_many_recipients'));
    await name(owner, list(9)).expect(200);
  });
});
