import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type Caller } from '../support/service.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_FROM: 'forms@ours.example.net',
  MAX_FIELD_VALUE_BYTES: '1000000',
}));
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });

let made = 0;
/** Returns an address that got no mail yet, so that no limit counts. */
const fresh = (name: string) => `${name}${++made}@example.com`;

async function add(settings: object, where = `/api/v1/forms/${form.identifier}/destinations`) {
  const destination = { name: 'People', kind: 'email', settings };
  await owner.post(where, { destination }).expect(201);
}

/** Sends values and delivers the mails. */
async function sent(values: object = { message: 'Hello' }): Promise<ReceivedMail[]> {
  await service().deliver(form, values);
  return server.mails;
}

/** Sends values about which one mail is sent. */
async function mailAbout(values?: object): Promise<ReceivedMail> {
  const [first, ...others] = await sent(values);
  if (!first || others.length > 0) throw new Error('There is not exactly one mail.');
  return first;
}

const namesIn = (list: { address?: string }[] | undefined) => list?.map(({ address }) => address);
const headersOf = ({ raw }: ReceivedMail) => raw.slice(0, raw.indexOf('\r\n\r\n'));

describe('A mail of a destination', () => {
  it.each([
    [552, '5.7.0 Blocked: its content presents a potential security issue'],
    [552, '5.3.4 Message size exceeds fixed limit'],
    [550, '5.7.1 Attachment not allowed'],
    [554, '5.3.4 Message too big'],
  ])('that is refused for its files with %d %s comes again with links', async (code, text) => {
    await add({ to: fresh('to'), files: 'attached' });
    const when = (raw: string) => raw.includes('Content-Disposition: attachment');
    server.answer = () => ({ at: 'data', code, text, when });
    const id = await service().submitFile(form, 'MZ');
    await service().sendDue();
    const [first, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(first?.mail.attachments).toEqual([]);
    expect(first?.mail.text).toContain('/files/');
    const { state, attempts } = await owner.deliveryOf(form, id);
    expect({ state, attempts }).toMatchObject({
      state: 'delivered',
      attempts: [{ outcome: 'accepted', answer: expect.stringContaining(text) }],
    });
  });

  it('that is refused for anything else, or without files too, is refused', async () => {
    await add({ to: fresh('to'), files: 'attached' });
    for (const [code, text] of [
      [550, '5.1.1 No such user'],
      [552, '5.7.0 Blocked'],
    ] as const) {
      server.answer = () => ({ at: 'data', code, text });
      const id = await service().submitFile(form, `MZ ${code}`);
      await service().sendDue();
      expect(await owner.deliveryOf(form, id)).toMatchObject({
        state: 'failed',
        attempts: [{ outcome: 'refused', code }],
      });
    }
    expect(server.mails).toEqual([]);
  });

  it('goes to everybody in a copy of their own, which names all but those in bcc', async () => {
    const [to, two, cc, bcc] = ['to', 'two', 'cc', 'bcc'].map(fresh) as [string, string, string, string];
    await add({ to: `${to}, ${two}`, cc, bcc });
    const mails = await sent();

    expect(mails.map((mail) => mail.to).sort()).toEqual([[to], [two], [cc], [bcc]].sort());
    for (const mail of mails) {
      expect(namesIn(mail.mail.to)).toEqual([to, two]);
      expect(namesIn(mail.mail.cc)).toEqual([cc]);
      expect(headersOf(mail)).not.toContain(bcc);
    }
  });

  it('has its subject and text, filled with answers in one pass', async () => {
    await add({
      to: fresh('to'),
      subject: '{{name}} about {{ topic }} on {{form.name}}',
      body: 'Dear team,\n\n{{name}} wrote:\n\n{{answers}}\n\nRegards {{nobody}}',
    });
    const { mail } = await mailAbout({ name: 'Jane {{topic}}', topic: 'Sales', message: 'Two' });

    expect(mail.subject).toBe('Jane {{topic}} about Sales on Contact');
    expect(mail.text).toMatch(/Dear team,[^]*Jane \{\{topic\}\} wrote:[^]*Two[^]*Regards/);
    expect(mail.html).toContain('Dear team,');
  });

  it('leaves the list of answers out where its text has none', async () => {
    await add({ to: fresh('to'), body: 'Someone wrote.' });
    const { mail } = await mailAbout({ message: 'Two, please' });
    expect(mail.text).toContain('Someone wrote.');
    expect(mail.text?.split('Open submission')[0]).not.toContain('Two, please');
  });

  it('brings no header of a visitor or of a form', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name: '"A"\r\nBcc: x@evil.example' } }).expect(200);
    await add({ to: fresh('to'), subject: '{{form.name}}: {{n\\n}}{{name}}', reply_to: 'from' });
    const mail = await mailAbout({
      name: 'Jane\r\nX-Evil: 1\r\n\r\n<b>body</b>',
      from: 'a@example.com\r\nBcc: y@evil.example',
    });
    expect(headersOf(mail)).not.toMatch(/^(?:x-evil|bcc):/im);
    expect(mail.to).toHaveLength(1);
    expect(mail.mail.subject).toBe('"A" Bcc: x@evil.example: Jane X-Evil: 1 <b>body</b>');
  });

  it('is answered to the field that it names, or the one that we find', async () => {
    await add({ to: fresh('to'), reply_to: 'agent' });
    const values = { email: 'visitor@example.com', agent: 'agent@example.com' };
    expect(namesIn((await mailAbout(values)).mail.replyTo)).toEqual(['agent@example.com']);
    server.mails = [];
    const other = { email: 'visitor@example.com', agent: 'nobody' };
    expect(namesIn((await mailAbout(other)).mail.replyTo)).toEqual(['visitor@example.com']);
  });

  it.each([
    ['300 fields', Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, `V${i}`]))],
    ['900 kB', { message: 'Many words '.repeat(81_000) }],
    ['emoji at limits', { name: `a${'😀'.repeat(200)}`, message: '😀'.repeat(50_000) }],
    ['control characters', { 'a\u0001\n': '\u0001\u0002' }],
    ['empty values', { a: '', b: ' ', ' ': 'x' }],
    ['Arabic', { name: 'مرحبا بالعالم', message: 'مرحبا '.repeat(5_000) }],
  ])('is sent with %s', async (_, values) => {
    await add({ to: fresh('to'), subject: 'From {{name}}', body: '{{message}} {{answers}}' });
    const { mail, raw } = await mailAbout(values);
    expect(mail.subject).toMatch(/^From/);
    expect(`${mail.subject}${mail.text}`).not.toContain('\ufffd');
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThan(999);
  });
});

describe('Files of a mail of a destination', () => {
  async function mailWith(...files: [string, number][]): Promise<ReceivedMail> {
    const body = new FormData();
    body.set('message', 'Here');
    for (const [name, size] of files) {
      body.append('cv', new Blob([Buffer.alloc(size, 'x')], { type: 'text/plain' }), name);
    }
    const headers = { accept: 'application/json' };
    const url = `${service().url}/f/${form.identifier}`;
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
    await service().sendDue();
    const [mail] = server.mails;
    if (!mail) throw new Error('There is no mail.');
    return mail;
  }
  const MEBIBYTE = 1024 * 1024;
  const attached = ({ mail }: ReceivedMail) =>
    mail.attachments.map(({ filename, content }) => [filename, (content as ArrayBuffer).byteLength]);

  it('are attached up to 5 MB, and all of them linked', async () => {
    await add({ to: fresh('to'), files: 'attached' });
    const mail = await mailWith(['a.txt', 4 * MEBIBYTE], ['"ü"\r\n.txt', MEBIBYTE], ['c.txt', 1]);
    expect(attached(mail).map(([, size]) => size)).toEqual([4 * MEBIBYTE, MEBIBYTE]);
    expect(mail.mail.html?.match(/\/files\//g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('are links where nobody asked for more', async () => {
    await add({ to: fresh('to') });
    const mail = await mailWith(['a.txt', 10]);
    expect(attached(mail)).toEqual([]);
    expect(mail.mail.html).toContain('/files/');
  });
});

describe('Recipients by the value of a field', () => {
  const path = () => `/api/v1/forms/${form.identifier}/destinations` as const;
  const toldOf = async (values: object) => {
    server.mails = [];
    return (await sent(values)).map(({ to }) => String(to)).sort();
  };

  it('are those of the first line that fits, whom the mail names', async () => {
    const [sales, boss, help, rest, cc] = ['sales', 'boss', 'help', 'rest', 'cc'].map(fresh);
    const routes = `Sales = ${sales}, ${boss}\n\nSUPPORT=${help}\r\nSales = ${help}`;
    await add({ to: rest, cc, route_field: 'topic', routes });

    expect(await toldOf({ topic: ' sales ', email: 'visitor@example.com' })).toEqual([sales, boss, cc].sort());
    expect(namesIn(server.mails[0]?.mail.to)).toEqual([sales, boss]);
    expect(await toldOf({ topic: ['Other', 'Support'] })).toEqual([help, cc].sort());
    expect(await toldOf({ topic: 'Sales team' })).toEqual([rest, cc].sort());
    expect(namesIn(server.mails[0]?.mail.to)).toEqual([rest]);
    expect(await toldOf({ message: 'No topic' })).toEqual([rest, cc].sort());
  });

  it('are nobody where no line fits and nobody else is named', async () => {
    const settings = { cc: fresh('cc'), route_field: 'topic', routes: `Sales = ${fresh('s')}` };
    await add(settings);
    expect(await toldOf({ topic: 'Support' })).toEqual([]);
    expect(await toldOf({ topic: 'Sales' })).toHaveLength(2);
    const { body } = await owner.post(`${path()}/try`, { destination: { settings } }).expect(200);
    expect(body).toMatchObject({ tried: 2, would_have_gone: 1 });
  });

  it('still get what was planned while a line names them', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map(fresh) as [string, string, string];
    const body = { name: 'A', kind: 'email', settings: { route_field: 'topic' } };
    Object.assign(body.settings, { routes: `Sales = ${one}, ${two}` });
    const { id } = (await owner.post(path(), { destination: body }).expect(201)).body.destination;
    await service().submit(form, { topic: 'Sales' });
    const settings = { routes: `Sales = ${three}\nOther = ${one}` };
    await owner.patch(`${path()}/${id}`, { destination: { settings } }).expect(200);
    await service().sendDue();
    expect(server.mails.map(({ to }) => to)).toEqual([[one]]);
  });

  it.each([
    [{ route_field: 'topic', routes: 'A = a@example.com\nB: b@example.com' }, 'routes', 'line 2'],
    [{ route_field: 'topic', routes: 'A = {{email}}' }, 'routes', 'line 1'],
    [{ route_field: 'topic', routes: ' = a@example.com' }, 'routes', 'line 1'],
    [{ route_field: 'topic', routes: 'A = a@example.com\n'.repeat(101) }, 'routes', '101'],
    [{ routes: 'A = a@example.com' }, 'route_field', 'is required'],
    [{ route_field: 'topic', to: 'a@example.com' }, 'routes', 'is required'],
    [{ subject: 'Hello' }, 'to', 'is required'],
  ])('are refused in %j', async (settings, field, why) => {
    const destination = { name: 'A', kind: 'email', settings };
    expect((await owner.post(path(), { destination }).expect(422)).body).toMatchObject({
      errors: [{ field: `destination.settings.${field}`, message: expect.stringContaining(why) as unknown }],
    });
  });
});

describe('The preview of a mail', () => {
  const path = () => `/api/v1/forms/${form.identifier}/destinations/preview` as const;
  const settings = {
    ...{ to: 'to@example.com', cc: 'cc@example.com', bcc: 'bcc@example.com' },
    ...{ route_field: 'topic', routes: 'Sales = sales@example.com' },
    ...{ subject: 'About {{topic}}', body: 'Dear team: {{message}}' },
  };
  const preview = async (given: object = settings, by: Caller = owner) => {
    return (await by.post(path(), { destination: { settings: given } }).expect(200)).body;
  };

  it('is about the newest submission, and stores and sends nothing', async () => {
    await service().submit(form, { topic: 'Sales', message: 'Hello there' });
    expect(await preview()).toMatchObject({
      ...{ subject: 'About Sales', enabled: true, submission_id: expect.any(String) as unknown },
      text: expect.stringContaining('Dear team: Hello there') as unknown,
      ...{ to: ['sales@example.com'], cc: ['cc@example.com'], bcc: ['bcc@example.com'] },
    });
    expect((await preview({ ...settings, digest: 'daily' })).subject).toBe('Contact: 1 new submission');
    await service().sendDue();
    expect(server.mails).toEqual([]);
    const list = await owner.get(path().replace('/preview', '')).expect(200);
    expect(list.body.destinations).toHaveLength(3);
  });

  it('is about a sample for who may not see submissions, and where there are none', async () => {
    expect(await preview()).toMatchObject({ submission_id: null, to: ['to@example.com'] });
    await service().submit(form, { topic: 'Sales', message: 'Hello there' });
    const { token } = await owner.makeToken({ rights: ['forms:write'] });
    const shown = await preview(settings, service().as(token));
    expect(shown).toMatchObject({ submission_id: null });
    expect(JSON.stringify(shown)).not.toContain('Hello there');
  });

  it('says what is wrong with its settings', async () => {
    const destination = { settings: { to: 'nobody' } };
    await owner.post(path(), { destination }).expect(refusal(422, 'invalid_fields', 'destination.settings.to'));
  });
});

describe('One person', () => {
  it('gets one mail, however many destinations and settings name them', async () => {
    const address = fresh('ann');
    const shouted = address.toUpperCase();
    await owner.patch(`/api/v1/forms/${form.identifier}`, {
      form: { notify_owner_on_submission: true, notify_owner_emails: address },
    });
    await add({ to: shouted, cc: address, bcc: fresh('bob') });
    await add({ to: address });
    await add({ to: shouted }, '/api/v1/destinations');
    const told = (await sent()).map(({ to }) => String(to).toLowerCase());

    expect(told.filter((to) => to === address)).toHaveLength(1);
    expect(told).toHaveLength(2);
  });
});
