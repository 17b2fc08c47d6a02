import { SigningService } from '../../src/platform/signed-links/signing.service.js';
import { fieldLabel } from '../../src/forms/model/field.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';
import { deliveriesPath } from '../support/deliveries.js';
import { MAIL_PAYLOADS, PAYLOADS } from '../support/markup.js';
import { elementsOf, factsOf, textOf } from '../support/page.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';

const HOSTILE = [...PAYLOADS, ...MAIL_PAYLOADS];

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_FROM: 'forms@ours.example.net',
  MAX_FILES: '100',
}));
let address: string;
let form: FormBody;
let made = 0;
const owner = useOwner(service);
beforeEach(async () => {
  address = `owner${++made}@example.com`;
  form = await owner.makeForm({ name: 'Contact', notify_owner_emails: address });
});

/** The mail that the owner gets for these values. */
async function mailFor(values: object, headers = {}): Promise<ReceivedMail> {
  await service().submit(form, values, headers);
  return payAndRead();
}

async function payAndRead(): Promise<ReceivedMail> {
  await service().sendDue();
  const [received, ...others] = server.mails;
  if (!received || others.length > 0) throw new Error('There is not exactly one mail.');
  return received;
}

const lines = (text: string) => text.replace(/\r\n?/g, '\n');

/** Names of so many fields, with a value each. */
const manyFields = (count: number) =>
  Array.from({ length: count }, (_, index): [string, string] => [`question_${index}`, 'Yes.']);

/** Returns the HTML parts of an email, without the line breaks inside values. */
const partsOf = (received: ReceivedMail | undefined) =>
  elementsOf(received?.mail.html ?? '')
    .map(({ name }) => name)
    .filter((name) => name !== 'br');

const header = ({ mail }: ReceivedMail, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value);

describe('The mail to the owner', () => {
  it('of a held submission says why it is held', async () => {
    const rules = { spam: { signals: { honeypot: { points: 6 } } } };
    await owner.put(`/api/v1/forms/${form.identifier}/spam`, rules).expect(200);
    const { mail } = await mailFor({ message: 'Hello', _gotcha: 'x' });
    const sentence = 'This may be spam. The honeypot field "_gotcha" was filled in.';
    expect(mail.text).toContain(sentence);
  });

  it('has the subject that its page gives, cut and on one line, and no answer of that name', async () => {
    const { mail } = await mailFor({ _subject: 'Price of\r\nBcc: a cake', name: 'Ann' });
    expect(mail.subject).toBe('Price of Bcc: a cake');
    expect(mail.text).not.toContain('_subject');
    server.mails.length = 0;
    const long = await mailFor({ _subject: 'x'.repeat(300), name: 'Bob' });
    expect(long.mail.subject).toBe(`${'x'.repeat(59)}…`);
    server.mails.length = 0;
    expect((await mailFor({ _subject: '  ', name: 'Cid' })).mail.subject).toBe('Contact: Cid');
  });

  it('has an address in another script in its text, and in no header', async () => {
    const { raw, mail } = await mailFor({ email: '用户@例子.广告', message: 'Hello' });
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).toMatch(/^[\x00-\x7f]*$/);
    expect(mail.replyTo).toBeUndefined();
    expect(mail.text).toContain('Write to 用户@例子.广告 to answer the visitor');
  });

  it.each([
    ['Jane Doe <jane@example.com>', 'jane@example.com'],
    ['jane@example.com,', 'jane@example.com'],
    ['jane@example.com, bob@example.com', 'jane@example.com'],
    ['jane＠example.com', 'jane@example.com'],
    ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
    ['jane..doe@docomo.ne.jp', '<"jane..doe"@docomo.ne.jp>'],
  ])('is answered to an address that was typed as %s', async (email, address) => {
    const { raw } = await mailFor({ email, message: 'Hello' });
    expect(/^Reply-To: (.*)$/m.exec(raw)?.[1]?.trim()).toBe(address);
  });

  it("goes to the owner alone, from us, under the form's name", async () => {
    const received = await mailFor({ message: 'Hello' });

    expect(received.to).toEqual([address]);
    expect(received.from).toBe('forms@ours.example.net');
    expect(received.mail.to).toEqual([{ name: '', address }]);
    expect(received.mail.from).toMatchObject({ address: 'forms@ours.example.net' });
    expect(received.mail.subject).toBe('New submission: Contact');
  });

  it.each([
    [{ data: { name: 'Ann', email: 'ann@example.com', address: { town: 'Bath' } } }],
    [{ form: [{ fields: { 'Your e-mail': 'ann@example.com' } }], friend: 'bob@example.com' }],
    [{ 'Your e-mail': 'ann@example.com', friend: 'bob@example.com' }],
  ])('is answered to the visitor whose address %j holds', async (values) => {
    const { mail } = await mailFor(values);

    expect(mail.replyTo).toEqual([{ name: '', address: 'ann@example.com' }]);
  });

  it.each([
    [
      { data: { name: 'Ann', email: 'ann@example.com', address: { town: 'Bath' } } },
      ['Data, name: Ann', 'Data, email: ann@example.com', 'Data, address, town: Bath'],
    ],
    [
      { order: { days: ['Mon', 'Tue'], items: [{ name: 'Cake' }, { name: 'Tea' }] } },
      ['Order, days: Mon, Tue', 'Order, items 1, name: Cake', 'Order, items 2, name: Tea'],
    ],
    [{ tags: ['a', 'b'], count: 2 }, ['Tags: a, b', 'Count: 2']],
  ])('has a line for each value of %j', async (values, expected) => {
    const { mail } = await mailFor(values);

    expect(lines(mail.text ?? '')).toContain(expected.join('\n'));
  });

  it('names the sender of a nested answer in its subject', async () => {
    const { mail } = await mailFor({ data: { pet: { name: 'Rex' }, name: 'Ann' } });

    expect(mail.subject).toBe('Contact: Ann');
  });

  it.each([
    ['data:image/png;base64,', 'image, 2.9 KiB'],
    ['data:application/pdf;base64,', 'file (application/pdf), 2.9 KiB'],
    ['data:image/svg+xml;base64,', 'file (image/svg+xml), 2.9 KiB'],
  ])('has a link in place of a file that is sent as %s', async (head, text) => {
    const source = `${head}${'QUJD'.repeat(1_000)}`;
    const id = await service().submit(form, { name: 'Ann', signature: source });
    const { mail } = await payAndRead();

    const page = `/inbox/${form.identifier}/${id}`;
    expect(lines(mail.text ?? '')).toMatch(
      new RegExp(`Signature: ${text.replace(/[()+]/g, '\\$&')}\nhttps?://\\S+${page}\n`),
    );
    expect(mail.text).not.toContain('QUJDQUJD');
    expect(mail.html).not.toContain('QUJDQUJD');
  });

  it('is one mail for each owner, none of whom sees the others', async () => {
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const shared = await owner.makeForm({ notify_owner_emails: emails.join(',') });
    await service().deliver(shared, { message: 'Hello' });

    expect(server.mails.map(({ to }) => to).sort()).toEqual(emails.map((email) => [email]));
    for (const { to, raw } of server.mails) {
      for (const email of emails) expect(raw.includes(email)).toBe(to[0] === email);
    }
  });

  it('says that a machine made it, and is no mailing list', async () => {
    const received = await mailFor({ message: 'Hello' });

    expect(header(received, 'auto-submitted')).toEqual(['auto-generated']);
    expect(header(received, 'list-unsubscribe')).toEqual([]);
    expect(header(received, 'precedence')).toEqual([]);
  });

  it('holds all values in order under their names, in both parts', async () => {
    await service()
      .anonymous()
      .post(`/f/${form.identifier}`)
      .type('form')
      .send('zebra=1&2=two&apple=Gr%C3%BC%C3%9Fe+%F0%9F%98%80&2=again&empty=&text=line+1%0D%0Aline+2')
      .expect(200);
    const { mail } = await payAndRead();

    const expected = [
      ['Zebra', '1'],
      ['2', 'two'],
      ['Apple', 'Grüße 😀'],
      ['2', 'again'],
      ['Empty', '–'],
      ['Text', 'line 1\nline 2'],
    ];
    expect(factsOf(mail.html ?? '')).toEqual(expected);
    const text = (mail.text ?? '').replaceAll('\r\n', '\n');
    expect(text).toContain('Zebra: 1\n2: two\nApple: Grüße 😀\n2: again\nEmpty: –\n\nText:\nline 1\nline 2\n');
  });

  it('names fields in words, as pages do', async () => {
    const { mail } = await mailFor({ first_name: 'Ann', lastName: 'Smith', 'Your wish?': 'x' });

    expect(factsOf(mail.html ?? '')).toEqual([
      ['First name', 'Ann'],
      ['Last name', 'Smith'],
      ['Your wish?', 'x'],
    ]);
    expect(mail.text).toContain('First name: Ann');
  });

  it('leads to the page of the submission by one button, in both parts', async () => {
    const id = await service().submit(form, { name: 'Ann' });
    const { mail } = await payAndRead();

    const page = `/inbox/${form.identifier}/${id}`;
    const links = elementsOf(mail.html ?? '').filter(({ name }) => name === 'a');
    const paths = links.map(({ attributes }) => new URL(attributes.href ?? '').pathname);
    expect(paths).toEqual([page, `/forms/${form.identifier}/settings`]);
    expect(mail.text).toContain(page);
  });

  it('says from which page it came', async () => {
    const site = 'https://shop.example';
    for (const page of ['/contact?utm_source=mail', '/']) {
      form = await owner.makeForm({ notify_owner_emails: address });
      const headers = { Origin: site, Referer: `${site}/` };
      await service().deliver(form, { name: 'Ann', _page: site + page }, headers);

      const { text, html } = server.mails.at(-1)?.mail ?? {};
      for (const part of [text ?? '', textOf(html ?? '', 'p').join('\n')]) {
        expect(part).toContain(`UTC from ${site}${page}.`);
      }
    }
  });

  it('says whose form it is, and why it came', async () => {
    const named = await service().openAccount('Bakery');
    form = await named.makeForm({ name: 'Contact', notify_owner_emails: address });
    const { mail } = await mailFor({ message: 'Hello' });

    for (const part of [mail.text ?? '', textOf(mail.html ?? '', 'p').join('\n')]) {
      expect(part).toContain('Bakery');
      expect(part).toContain(`${address} gets notifications for the form "Contact"`);
    }
  });

  it('is one conversation with what else is sent of the same submission, and with no other', async () => {
    const id = await service().submit(form, { name: 'Ann' });
    await service().deliver(form, { name: 'Ann' });
    const [delivery] = await owner.deliveriesOf(form, id);
    await owner.post(`${deliveriesPath(form, id)}/${delivery?.id ?? ''}/attempts`).expect(200);

    const threads = server.mails.map((received) => header(received, 'references').join());
    expect(threads).toHaveLength(3);
    expect(new Set(threads).size).toBe(2);
    expect(threads).toContain(`<${id}@ours.example.net>`);
    expect(server.mails.map(({ mail }) => mail.messageId)).not.toContain(threads[0]);
  });

  it.each([
    ['a value of 50 kB', () => ({ name: 'Ann', text: 'word '.repeat(10_000), last: 'end' }), 3],
    ['values that are long in HTML', () => ({ a: '"'.repeat(50_000), b: '\n'.repeat(50_000) }), 1],
    ['200 fields', () => Object.fromEntries(manyFields(200)), 100],
  ])('stays so short that Gmail shows all of it: %s', async (_, values, least) => {
    const { mail } = await mailFor(values());

    expect(Buffer.byteLength(mail.html ?? '')).toBeLessThan(90_000);
    const shown = factsOf(mail.html ?? '');
    expect(shown.length).toBeGreaterThanOrEqual(least);
    const isCut = /Read all 50,000 characters|The page of this submission has \d+ more fields?/;
    expect(mail.text).toMatch(isCut);
    expect(mail.html).toMatch(isCut);
  });

  it('carries files as links that download without a token', async () => {
    await service()
      .anonymous()
      .post(`/f/${form.identifier}`)
      .field('name', 'Ann')
      .attach('cv', Buffer.from('my life'), 'résumé <b>.txt')
      .attach('photo', Buffer.from('pixels'), 'me.png')
      .expect(200);
    const { mail } = await payAndRead();

    expect(mail.attachments).toEqual([]);
    expect(mail.text).toContain('Cv: résumé <b>.txt (7 bytes)\nhttp');
    expect(factsOf(mail.html ?? '').slice(1)).toEqual([
      ['Cv', 'résumé <b>.txt 7 bytes'],
      ['Photo', 'me.png 6 bytes'],
    ]);
    const links = [...(mail.html ?? '').matchAll(/href="([^"]*\/files\/[^"]*)"/g)].map(([, link]) => link);
    expect(links).toHaveLength(2);
    const signing = service().app.get(SigningService);
    const contents = [];
    for (const link of links) {
      expect(mail.text).toContain(link);
      const after = (ms: number) => signing.verify('file', link?.replace(/^.*\//, '') ?? '', new Date(Date.now() + ms));
      expect(await after(7 * DAY_MS - MINUTE_MS)).not.toBeNull();
      expect(await after(7 * DAY_MS)).toBeNull();
      const answer = await fetch(service().url + new URL(link ?? '').pathname);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      contents.push(await answer.text());
    }
    expect(contents).toEqual(['my life', 'pixels']);
  });

  it.each([
    ['', HOSTILE.slice(0, 60)],
    [', the rest', HOSTILE.slice(60)],
  ])('and that to the visitor show hostile names and values as text%s (O-01, O-03, O-06)', async (_, hostile) => {
    const wanted = hostile.map((__, index) => `{{v${index}}}`);
    /** Both mails, with these names and values, in a form whose owner writes this. */
    async function mailsFor(texts: string[], words: string): Promise<ReceivedMail[]> {
      server.mails = [];
      const { identifier } = await owner.makeForm({
        name: words,
        notify_owner_emails: address,
        notify_submitter: true,
        notify_submitter_subject: `${words.slice(0, 100)}${wanted.slice(-15).join('')}`,
        notify_submitter_body: `${words}\n${wanted.join('\n')}`,
      });
      const pairs = texts.flatMap((text, index): [string, string][] => [
        [text, text],
        [`v${index}`, text],
      ]);
      await service()
        .anonymous()
        .post(`/f/${identifier}`)
        .type('form')
        .set('Referer', `https://x.example.com/?${encodeURI(words)}`)
        .send(new URLSearchParams([['email', visitor], ...pairs]).toString())
        .expect(200);
      await service().sendDue();
      return [...server.to(address), ...server.to(visitor)];
    }
    const visitor = 'visitor@example.org';
    const plain = await mailsFor(
      hostile.map(() => 'a'),
      'b',
    );

    const mails = await mailsFor(hostile, `c${HOSTILE.slice(-40).join('')}`.slice(0, 250));

    expect(mails.map(({ to }) => to)).toEqual([[address], [visitor]]);
    expect(server.mails).toHaveLength(2);
    for (const [index, received] of mails.entries()) {
      const { mail } = received;
      expect(partsOf(received)).toEqual(partsOf(plain[index]));
      expect(mail.headers.map(({ key }) => key)).toEqual(plain[index]?.mail.headers.map(({ key }) => key));
      expect(mail.to).toEqual([{ name: '', address: received.to[0] }]);
      expect(mail.attachments).toEqual([]);
    }
    expect(factsOf(mails[0]?.mail.html ?? '').slice(1)).toEqual(
      hostile.flatMap((text, index) => [
        [fieldLabel(lines(text)), lines(text)],
        [`V${index}`, lines(text)],
      ]),
    );
    for (const { mail } of mails) {
      for (const text of hostile) expect(lines(mail.text ?? '')).toContain(lines(text));
    }
  });
});

describe('Files with hostile names', () => {
  const portions = [0, 1, 2].map((index) => HOSTILE.slice(index * 30, (index + 1) * 30));
  it.each(portions)('are links with their names as text, from %j on (O-01, O-03)', async (...hostile) => {
    /** The mail about files of these names. */
    async function mailFor(names: string[]): Promise<ReceivedMail> {
      server.mails = [];
      const body = new FormData();
      for (const name of names) body.append(name, new File(['x'], name));
      const url = `${service().url}/f/${form.identifier}`;
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
      return payAndRead();
    }
    const plain = await mailFor(hostile.map(() => 'a'));

    const received = await mailFor(hostile);

    const { mail } = received;
    expect(partsOf(received)).toEqual(partsOf(plain));
    const linked = elementsOf(mail.html ?? '').filter(({ name }) => name === 'a');
    for (const { attributes } of linked.slice(0, hostile.length)) {
      expect(Object.keys(attributes).sort()).toEqual(['class', 'href', 'style']);
      expect(attributes.href).toMatch(/^http:\/\/[^"'<>\s]*\/files\/[\w.-]+$/);
    }
    expect(mail.headers.map(({ key }) => key)).toEqual(plain.mail.headers.map(({ key }) => key));
    expect(received.to).toEqual([address]);
    expect(mail.attachments).toEqual([]);
    const { submissions } = await owner.read(`/api/v1/forms/${form.identifier}/submissions`);
    const [{ files } = { files: [] }] = submissions;
    expect(factsOf(mail.html ?? '')).toEqual(
      files.map(({ field, name }) => [fieldLabel(lines(field)), `${lines(name || 'File')} 1 bytes`]),
    );
    for (const { name } of files) expect(lines(mail.text ?? '')).toContain(lines(name));
  });
});

it.each([
  [{ email: 'ann@example.org' }, 'ann@example.org'],
  [{ EMAIL: 'ann@example.org' }, 'ann@example.org'],
  [{ _replyto: 'ann@example.org' }, 'ann@example.org'],
  [{ Contact: 'ann@example.org', message: 'Hello' }, 'ann@example.org'],
  [{ email: 'ann@example.org', friend: 'bob@example.org' }, 'ann@example.org'],
  [{ mine: 'ann@example.org', yours: 'bob@example.org' }, null],
  [{ message: 'Hello' }, null],
  [{ email: 'ann@example.org, bob@example.org' }, 'ann@example.org'],
  [{ email: 'Ann <ann@example.org>' }, 'ann@example.org'],
  [{ email: 'group:ann@example.org,bob@example.org;' }, null],
  [{ email: 'ann@example.org\r\nBcc: bob@example.org' }, null],
])('An answer to the mail (O-03) to %j goes to %s', async (values, replyTo) => {
  const received = await mailFor(values);

  expect(received.mail.replyTo).toEqual(replyTo ? [{ name: '', address: replyTo }] : undefined);
  expect(received.to).toEqual([address]);
  expect(header(received, 'bcc')).toEqual([]);
});

it('An answer to the mail goes to no address that the form offers as a choice', async () => {
  const fields = [{ name: 'email', kind: 'choice', choices: ['chosen@example.com'] }];
  await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);

  expect((await mailFor({ email: 'chosen@example.com' })).mail.replyTo).toBeUndefined();
});
