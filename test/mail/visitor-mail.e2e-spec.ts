import { DAY_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { deliveriesPath } from '../support/deliveries.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }));
const clock = useClock();
const BOSS = 'boss@example.com';
const HTML = { Accept: 'text/html' };

let made = 0;
/** An address that nobody has used yet. */
let ann: string;
let owner: Caller;
let form: FormBody;
let path: string;
beforeEach(async () => {
  ann = `ann${++made}@example.org`;
  owner = await service().openAccount('Shop', BOSS);
  form = await owner.makeForm({ name: 'Contact', notify_submitter: true });
  path = `/api/v1/forms/${form.identifier}`;
  server.answer = () => 'accept';
});

/** Changes the email to visitors. */
async function set(settings: object) {
  const at = await owner.firstPath(form, 'visitor');
  return owner.patch(`/api/v1${at}`, { destination: { settings } });
}
/** Asks visitors to confirm, or no more. */
async function ask(confirm: 'yes' | null = 'yes') {
  expect((await set({ confirm })).status).toBe(200);
}
const send = (more: object = {}) => service().submit(form, { email: ann, ...more });
const markAs = (id: string, submission: object) => owner.patch(`${pathOf(form)}/${id}`, { submission }).expect(200);

/** Sends what is due soon. Returns what went out, by its first letter: asked, the owner's mail, the visitor's. */
async function sent(): Promise<string> {
  clock.forward(MINUTE_MS);
  server.mails.length = 0;
  await service().sendDue();
  return server.mails
    .map(({ to, mail }) => (to.includes(BOSS) ? 'O' : mail.subject?.startsWith('Please confirm') ? 'A' : 'V'))
    .sort()
    .join('');
}

/** The path that the last mail to the visitor leads to. */
function link(): string {
  const text = server.to(ann).at(-1)?.mail.text ?? '';
  return new URL(/https?:\/\/\S*\/opt-in\/\S+/.exec(text)?.[0] ?? '').pathname;
}

const open = (at: string) => service().anonymous().get(at).set(HTML);
const press = (at: string) => service().anonymous().post(at).set(HTML);

const stateOf = async (id: string): Promise<Record<string, unknown>> =>
  (await owner.read(`${pathOf(form)}/${id}/confirmation`)).confirmation;

const idsWith = async (query: string): Promise<string[]> =>
  (await owner.list(form, query)).submissions.map(({ id }) => id);

const done = async (id: string): Promise<unknown[]> => (await owner.read(`${pathOf(form)}/${id}/timeline`)).timeline;

async function block(word: string, points: number): Promise<void> {
  const signals = { lists: { points }, repetition: { enabled: false } };
  await owner.put(`${path}/spam`, { spam: { signals } }).expect(200);
  await owner.put(`${path}/spam/lists`, { lists: { block: word } }).expect(200);
}

describe('A form whose visitors confirm', () => {
  beforeEach(() => ask());

  it('asks, and sends all once when the button is pressed, not when the link is opened', async () => {
    const id = await send();
    expect(await sent()).toBe('A');
    expect(server.to(ann).at(-1)?.mail.text).toMatch(/“Contact” of Shop/);
    const confirmed_by = null;
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', email: ann, confirmed_by });
    expect(await idsWith('confirmation=waiting')).toEqual([id]);
    expect(await idsWith('q=is:waiting')).toEqual([id]);
    const at = link();
    await open(at).expect(200, /Yes, that was me/);
    expect(await sent()).toBe('');

    await press(at).expect(200, /Thank you/);
    expect(await sent()).toBe('OV');
    await press(at).expect(200, /Already confirmed/);
    await open(at).expect(200, /Already confirmed/);
    expect(await sent()).toBe('');
    expect(await stateOf(id)).toMatchObject({ state: 'confirmed', confirmed_by: 'visitor' });
    expect(await idsWith('confirmation=waiting')).toEqual([]);
    expect(await idsWith('confirmation=confirmed&done=all')).toEqual([id]);
    expect(await done(id)).toContainEqual(expect.objectContaining({ what: 'confirmed', by: null }));
  });

  it('asks once more where the visitor wants it, after a minute and three times at most', async () => {
    const answer = await service()
      .anonymous()
      .post(`/f/${form.identifier}`)
      .type('form')
      .send({ email: ann, text: 'Hello' })
      .set(HTML)
      .expect(303);
    const { pathname, search } = new URL(String(answer.headers.location));
    const again = async () => (await press(pathname + search).expect(200)).text;
    expect((await open(pathname + search).expect(200)).text).toContain('Send the email again');
    expect(await sent()).toBe('A');
    const at = link();
    const results: string[] = [];
    for (const minutes of [0, 1, 0.5, 0.6, 1, 1]) {
      clock.forward(minutes * MINUTE_MS);
      server.mails.length = 0;
      const said = /We sent the email again|We do not send this email again now/.exec(await again())?.[0];
      results.push(`${server.mails.length} ${said?.slice(0, 7)}`);
    }
    expect(results).toEqual(['0 We do n', '1 We sent', '0 We do n', '1 We sent', '1 We sent', '0 We do n']);
    await press(at).expect(200, /Thank you/);
    expect(await again()).toContain('<h1>Thank you</h1>');
    expect(await sent()).toBe('OV');
  });

  it('asks the sender of spam no more than before, who does not learn it', async () => {
    await block('casino', 10);
    const { headers } = await press(`/f/${form.identifier}`).type('form').send({ email: ann, text: 'casino' });
    const { pathname, search } = new URL(String(headers.location));
    await press(pathname + search).expect(200, /We sent the email again/);
    expect(await sent()).toBe('');
  });

  it('tells the visitor to look into the mailbox, until it is confirmed', async () => {
    const to = `/f/${form.identifier}`;
    const step = `We sent a link to ${ann}. Open it to send your message.`;
    const { body } = await service()
      .anonymous()
      .post(to, { email: ann, text: 'Hello' })
      .set('Accept', 'application/json')
      .expect(200);
    const { message, submission_text, next, id } = body;
    expect(message).toContain(step);
    expect(submission_text).toBe('Thank you! We have received your submission.');
    const page = async () => {
      const { pathname, search } = new URL(next ?? '');
      return (await open(pathname + search).expect(200)).text;
    };
    const waiting = await page();
    expect(waiting).toContain('<h1>One more step</h1>');
    expect(waiting).toContain(step);
    await owner.post(`${pathOf(form)}/${id ?? ''}/confirm`).expect(200);
    expect(await page()).toContain('<h1>Thank you</h1>');
    await sent();
  });

  it('sends at once what has no address that could answer', async () => {
    const [none, machine] = [await send({ email: 'none' }), await send({ email: 'noreply@x.org' })];
    expect(await sent()).toBe('OO');
    expect(await stateOf(none)).toMatchObject({ state: 'none', email: null });
    expect(await stateOf(machine)).toMatchObject({ state: 'none' });
    await owner.post(`${pathOf(form)}/${none}/confirm`).expect(409, /nobody was asked/);
  });

  it('asks about what is held once it is released, and about spam once it is none', async () => {
    await block('casino', 6);
    const held = await send({ message: 'casino' });
    const spam = await service().submitSpam(form, { email: ann });
    expect(await sent()).toBe('');
    expect(await stateOf(spam)).toMatchObject({ state: 'none' });
    await markAs(held, { spam: false });
    expect(await sent()).toBe('A');
    await press(link()).expect(200);
    expect(await sent()).toBe('OV');
    await markAs(spam, { spam: false });
    expect(await sent()).toBe('A');
    const at = link();
    await markAs(spam, { spam: true });
    await markAs(spam, { spam: false });
    expect(await sent()).toBe('');
    await press(at).expect(200);
    expect(await sent()).toBe('OV');
  });

  it('sends what is confirmed as spam or in the trash once that is over', async () => {
    const spam = await send();
    await sent();
    await markAs(spam, { spam: true });
    await press(link()).expect(200, /Thank you/);
    expect(await sent()).toBe('');
    await markAs(spam, { spam: false });
    expect(await sent()).toBe('OV');
    const trash = await send();
    await sent();
    await markAs(trash, { trash: true });
    await press(link()).expect(200, /Thank you/);
    expect(await sent()).toBe('');
    await markAs(trash, { trash: false });
    expect(await sent()).toBe('OV');
  });

  it('goes on waiting when the option is turned off, until the owner sends it, whom the timeline names', async () => {
    const id = await send();
    await ask(null);
    expect(await sent()).toBe('A');
    const at = link();
    const { body } = await owner.post(`${pathOf(form)}/${id}/confirm`).expect(200);
    expect(body).toMatchObject({ confirmation: { state: 'confirmed', confirmed_by: 'owner' } });
    await owner.post(`${pathOf(form)}/${id}/confirm`).expect(200);
    expect(await sent()).toBe('OV');
    const acts = (await done(id)) as { what: string; by: { kind: string } | null }[];
    expect(acts.filter(({ what }) => what === 'sent_anyway')).toMatchObject([{ by: { kind: 'token' } }]);
    expect(acts.map(({ what }) => what)).not.toContain('confirmed');
    await press(at).expect(200, /Already confirmed/);
  });

  it('lets nothing out by a retry, and says why a visitor cannot answer', async () => {
    server.answer = () => ({ at: 'recipient', code: 550, text: 'No such user' });
    const id = await send();
    expect(await sent()).toBe('');
    expect((await stateOf(id)).problem).toMatch(/No such user/);
    const all = await owner.deliveriesOf(form, id);
    const visitors = all.find(({ kind }) => kind === 'submitter_email')?.id ?? '';
    await owner.post(`${deliveriesPath(form, id)}/${visitors}/attempts`).expect(409, /has not confirmed/);
    server.answer = () => 'accept';
    await owner.post(`${path}/redeliveries`, {}).expect(200);
    expect(await sent()).toBe('A');
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', problem: null });
  });

  it('lets nothing out to a destination that wants what is held', async () => {
    const receiver = await WebhookReceiver.start(answers(200, 'ok'));
    const calls = async () => {
      await sent();
      return receiver.calls.length;
    };
    await owner
      .post(`${path}/destinations`, {
        destination: {
          ...{ name: 'Sales', kind: 'slack', settings: { url: receiver.url } },
          conditions: [{ fact: 'verdict', op: 'is', value: 'held' }],
        },
      })
      .expect(201);
    await block('casino', 6);
    const id = await send({ message: 'casino' });
    expect(await calls()).toBe(0);
    await owner.post(`${pathOf(form)}/${id}/confirm`).expect(200);
    expect(await calls()).toBe(1);
    await receiver.close();
  });

  it('says plainly that a link does not work', async () => {
    const id = await send();
    await sent();
    const at = link();
    for (const wrong of ['/opt-in/x', at.replace(/.{4}$/, 'AAAA')]) {
      await open(wrong).expect(404, /does not work/);
      await press(wrong).expect(404, /does not work/);
    }
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    await press(at).expect(404, /does not work/);
  });

  it('says whose a link is that has expired', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    await owner.put(`/api/v1/clients/${client}/brand`, { brand: { name: 'Acme Bakery' } });
    await send();
    await sent();
    const at = link();
    clock.forward(31 * DAY_MS);
    for (const answer of [open(at), press(at)]) {
      expect((await answer.expect(404, /does not work/)).text).toContain('Acme Bakery');
    }
    expect((await open(at.replace(/.{4}$/, 'AAAA')).expect(404)).text).not.toContain('Acme Bakery');
  });

  it('has a column in exports, which others have when they ask', async () => {
    await send();
    const [used = ''] = (await owner.get(`${path}/submissions.csv`).expect(200)).text.split('\n');
    expect(used).toMatch(/confirmation_state/);
    const other = await owner.makeForm();
    await service().submit(other);
    const csv = `/api/v1/forms/${other.identifier}/submissions.csv` as const;
    expect((await owner.get(csv).expect(200)).text).not.toMatch(/confirmation/);
    const { text } = await owner.get(`${csv}?columns=id&columns=confirmation_state`).expect(200);
    expect(text).toMatch(/id,confirmation_state/);
  });
});

describe('The mail to a visitor', () => {
  const mail = async () => {
    await sent();
    const [found] = server.to(ann).slice(-1);
    return found?.mail;
  };

  it('has the owner’s HTML with values as text, and a plain text made from it', async () => {
    const html =
      '<h2>Hi {{name}}</h2><p>See <a href="https://example.com/o?n={{name}}">your order</a>.</p><ul><li>{{nothing}}one</li></ul>';
    await set({ html });
    await send({ name: '<b>A&B</b>' });
    const got = await mail();
    expect(got?.html).toContain('<h2>Hi &lt;b>A&amp;B&lt;/b></h2>');
    expect(got?.html).toContain('href="https://example.com/o?n=%3Cb%3EA%26B%3C%2Fb%3E"');
    expect(got?.text).toContain('Hi <b>A&B</b>\n\nSee your order (https://example.com/o?n=');
    expect(got?.text).toContain('- one');
    const id = (await owner.firstPath(form, 'visitor')).slice(-36);
    const destination = { id, settings: { html: null } };
    const { body } = await owner.post(`${path}/destinations/preview`, { destination }).expect(200);
    expect(body.html).not.toContain('<h2>');
  });

  it.each([
    ['<p>a<img src="https://x.org/a.png"></p>', '<img>'],
    ['<p style="color:red">a</p>', 'attribute style'],
    ['<a href="javascript:alert(1)">a</a>', '<a href>'],
    ['<a href="https://{{host}}/">a</a>', '<a href>'],
    ['<script>a</script>', '<script>'],
    ['<!-- a -->', 'comments'],
    ['<tr><td onclick="a">a</td></tr>', 'attribute onclick'],
    ['<ul>'.repeat(31), '30 others'],
    ['<p>a</p>'.repeat(2_001), '2000 elements'],
    ['<strong><em><strong><em><p>'.repeat(1_200), '2000 elements'],
    [`<a ${Array.from({ length: 12 }, (_, n) => `a${n}`).join(' ')}>`, 'attribute'],
  ])('refuses case %#, and says why', async (html, named) => {
    const { status, body } = await set({ html });
    expect(status).toBe(422);
    const [{ field, message }] = body.errors;
    expect(field).toBe('destination.settings.html');
    expect(message).toContain(named);
  });

  it('is in plain text where its HTML is over the limits, as it could once be saved', async () => {
    await set({ html: '<p>Hi</p>' });
    const html = '<ul>'.repeat(12_000) + 'x';
    await service().query('UPDATE forms SET visitor_mail = REPLACE(visitor_mail, ?, ?)', ['<p>Hi</p>', html]);
    await send();
    const got = await mail();
    expect(got?.text).toContain('Thank you');
    expect(got?.html).not.toContain('<ul>');
  });

  it('carries the owner’s file, which the request to confirm does not', async () => {
    const content = Buffer.from('%PDF-1.7 terms').toString('base64');
    const at = `${path}/visitor-mail/attachment` as const;
    await owner.put(at, { attachment: { name: 'terms.pdf', content } }).expect(200);
    await ask();
    const id = await send();
    expect((await mail())?.attachments).toEqual([]);
    await owner.post(`${pathOf(form)}/${id}/confirm`).expect(200);
    expect((await mail())?.attachments).toMatchObject([{ filename: 'terms.pdf', mimeType: 'application/pdf' }]);
    const { body } = await owner.get(at).expect(200);
    expect(body).toMatchObject({ attachment: { name: 'terms.pdf', size: 14, content } });
    const large = Buffer.alloc(2 * 1024 * 1024 + 1).toString('base64');
    await owner.put(at, { attachment: { name: 'a', content: large } }).expect(422, /2 MB/);
    await owner.delete(at).expect(200);
    expect((await owner.get(at).expect(200)).body).toEqual({ attachment: null });
  });
});
