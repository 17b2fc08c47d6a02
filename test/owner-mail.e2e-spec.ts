import { beforeEach, describe, expect, it } from '@jest/globals';
import { SigningService } from '../src/platform/signed-links/signing.service.js';
import { DAY, MINUTE, payDue, submit } from './support/deliveries.js';
import { makeForm, type FormBody } from './support/make.js';
import { MAIL_PAYLOADS, PAYLOADS } from './support/markup.js';
import { elementsOf, textOf } from './support/page.js';
import { useService, type Caller } from './support/service.js';
import { useMailServer, type ReceivedMail } from './support/smtp.js';

const HOSTILE = [...PAYLOADS, ...MAIL_PAYLOADS];

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_FROM: 'forms@ours.example.net',
  MAX_FILES: '100',
}));
let owner: Caller;
let address: string;
let form: FormBody;
let made = 0;
beforeEach(async () => {
  owner = await service().openAccount();
  address = `owner${++made}@example.com`;
  form = await makeForm(owner, { name: 'Contact', notify_owner_emails: address });
});

/** The mail that the owner gets for these values. */
async function mailFor(values: object, headers = {}): Promise<ReceivedMail> {
  await submit(service(), form, values, headers);
  return payAndRead();
}

async function payAndRead(): Promise<ReceivedMail> {
  await payDue(service());
  const [received, ...others] = server.mails;
  if (!received || others.length > 0) throw new Error('There is not exactly one mail.');
  return received;
}

const header = ({ mail }: ReceivedMail, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value);

describe('The mail to the owner', () => {
  it("goes to the owner alone, from us, under the form's name", async () => {
    const received = await mailFor({ message: 'Hello' });

    expect(received.to).toEqual([address]);
    expect(received.from).toBe('forms@ours.example.net');
    expect(received.mail.to).toEqual([{ name: '', address }]);
    expect(received.mail.from).toMatchObject({ address: 'forms@ours.example.net' });
    expect(received.mail.subject).toBe('New submission: Contact');
  });

  it('is one mail for each owner, none of whom sees the others', async () => {
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const shared = await makeForm(owner, { notify_owner_emails: emails.join(',') });
    await submit(service(), shared, { message: 'Hello' });
    await payDue(service());

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
      .send(
        'zebra=1&2=two&apple=Gr%C3%BC%C3%9Fe+%F0%9F%98%80&2=again&empty=&text=line+1%0D%0Aline+2',
      )
      .expect(200);
    const { mail } = await payAndRead();

    const expected = ['zebra', '1', '2', 'two', 'apple', 'Grüße 😀', '2', 'again', 'empty', 'text'];
    const text = (mail.text ?? '').split('\n').map((line) => line.replace(/:$/, ''));
    expect(text.filter((line) => expected.includes(line))).toEqual(expected);
    const cells = [...(mail.html ?? '').matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, it]) => it);
    expect(cells.slice(0, 11)).toEqual([
      ...['zebra', '1', '2', 'two', 'apple', 'Grüße 😀', '2', 'again', 'empty', '', 'text'],
    ]);
    expect(cells[11]).toMatch(/^line 1\r?\nline 2$/);
    expect(cells).toHaveLength(12);
  });

  it('says when and from which page it came', async () => {
    const page = 'https://shop.example.com/contact?from=ad&x=1';
    const { mail } = await mailFor({ message: 'Hello' }, { Referer: page });

    const day = new Date().toISOString().slice(0, 8);
    expect(mail.text).toMatch(new RegExp(`Received ${day}\\d\\d \\d\\d:\\d\\d UTC from `));
    expect(mail.text).toContain(page);
    expect(mail.html).toContain(page.replaceAll('&', '&amp;'));
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
    expect(mail.text).toContain('cv:\nrésumé <b>.txt\nhttp');
    expect(mail.html).toContain('>résumé &lt;b&gt;.txt</a>');
    const links = [...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    expect(links).toHaveLength(2);
    const signing = service().app.get(SigningService);
    const contents = [];
    for (const link of links) {
      expect(mail.text).toContain(link);
      const after = (ms: number) =>
        signing.verify('file', link?.replace(/^.*\//, '') ?? '', new Date(Date.now() + ms));
      expect(await after(7 * DAY - MINUTE)).not.toBeNull();
      expect(await after(7 * DAY)).toBeNull();
      const answer = await fetch(service().url + new URL(link ?? '').pathname);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      contents.push(await answer.text());
    }
    expect(contents).toEqual(['my life', 'pixels']);
  });

  it('and that to the visitor show a hundred hostile names and values as text (O-01, O-03, O-06)', async () => {
    const wanted = HOSTILE.map((_, index) => `{{v${index}}}`);
    /** Both mails, with these names and values, in a form whose owner writes this. */
    async function mailsFor(texts: string[], words: string): Promise<ReceivedMail[]> {
      server.mails = [];
      const { identifier } = await makeForm(owner, {
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
      await payDue(service());
      return [...server.to(address), ...server.to(visitor)];
    }
    const visitor = 'visitor@example.org';
    const plain = await mailsFor(
      HOSTILE.map(() => 'a'),
      'b',
    );

    const mails = await mailsFor(HOSTILE, `c${HOSTILE.slice(-40).join('')}`.slice(0, 250));

    expect(mails.map(({ to }) => to)).toEqual([[address], [visitor]]);
    expect(server.mails).toHaveLength(2);
    for (const [index, received] of mails.entries()) {
      const { mail } = received;
      expect(elementsOf(mail.html ?? '')).toEqual(elementsOf(plain[index]?.mail.html ?? ''));
      expect(mail.headers.map(({ key }) => key)).toEqual(
        plain[index]?.mail.headers.map(({ key }) => key),
      );
      expect(mail.to).toEqual([{ name: '', address: received.to[0] }]);
      expect(mail.attachments).toEqual([]);
    }
    const lines = (text: string) => text.replace(/\r\n?/g, '\n');
    const cells = textOf(mails[0]?.mail.html ?? '', 'td').map(lines);
    expect(cells.slice(2)).toEqual(
      HOSTILE.flatMap((text, index) => [text, text, `v${index}`, text]).map(lines),
    );
    for (const { mail } of mails) {
      for (const text of HOSTILE) expect(lines(mail.text ?? '')).toContain(lines(text));
    }
  });

  it('shows the names of fields and files of a form with uploads as text', async () => {
    const evil = `"'><img src=x onerror=alert(1)>&lt;</td></tr></table><h1>Pay here`;
    await service()
      .anonymous()
      .post(`/f/${form.identifier}`)
      .field(`name${evil}`, `value${evil}`)
      .attach(`file${evil}`, Buffer.from('x'), `name${evil.replaceAll('/', '')}.txt`)
      .expect(200);
    const { mail } = await payAndRead();

    const names = elementsOf(mail.html ?? '').map(({ name }) => name);
    expect(names.filter((name) => ['h1', 'a', 'img', 'table'].includes(name))).toEqual([
      ...['h1', 'table', 'a'],
    ]);
    expect(mail.text).toContain(`value${evil}`);
  });
});

describe('Files with hostile names', () => {
  it.each([
    ['', HOSTILE.slice(0, 100)],
    [', the rest', HOSTILE.slice(100)],
  ])('are links with their names as text%s (O-01, O-03)', async (_, hostile) => {
    /** The mail about files of these names. */
    async function mailFor(names: string[]): Promise<ReceivedMail> {
      server.mails = [];
      const body = new FormData();
      for (const name of names) body.append(name, new File(['x'], name));
      const url = `${service().url}/f/${form.identifier}`;
      const { status } = await fetch(url, { method: 'POST', body });
      expect(status).toBe(200);
      return payAndRead();
    }
    const plain = await mailFor(hostile.map(() => 'a'));

    const received = await mailFor(hostile);

    const { mail } = received;
    const names = (page: ReceivedMail) => elementsOf(page.mail.html ?? '').map(({ name }) => name);
    expect(names(received)).toEqual(names(plain));
    for (const { name, attributes } of elementsOf(mail.html ?? '')) {
      if (name !== 'a') continue;
      expect(Object.keys(attributes)).toEqual(['href']);
      expect(attributes.href).toMatch(/^http:\/\/[^"'<>\s]*\/files\/[\w.-]+$/);
    }
    expect(mail.headers.map(({ key }) => key)).toEqual(plain.mail.headers.map(({ key }) => key));
    expect(received.to).toEqual([address]);
    expect(mail.attachments).toEqual([]);
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}/submissions`).expect(200);
    const [{ files }] = (body as { submissions: [{ files: { field: string; name: string }[] }] })
      .submissions;
    const lines = (text: string) => text.replace(/\r\n?/g, '\n');
    const cells = textOf(mail.html ?? '', 'td').map(lines);
    expect(cells.filter((_, index) => index % 2 === 0)).toEqual(
      files.map(({ field }) => lines(field)),
    );
    expect(textOf(mail.html ?? '', 'a').map(lines)).toEqual(
      files.map(({ name }) => lines(name || 'File')),
    );
    for (const { name } of files) expect(lines(mail.text ?? '')).toContain(lines(name));
  });
});

describe('An answer to the mail (O-03)', () => {
  it.each([
    [{ email: 'ann@example.org' }, 'ann@example.org'],
    [{ EMAIL: 'ann@example.org' }, 'ann@example.org'],
    [{ _replyto: 'ann@example.org' }, 'ann@example.org'],
    [{ Contact: 'ann@example.org', message: 'Hello' }, 'ann@example.org'],
    [{ email: 'ann@example.org', friend: 'bob@example.org' }, 'ann@example.org'],
    [{ mine: 'ann@example.org', yours: 'bob@example.org' }, null],
    [{ message: 'Hello' }, null],
    [{ email: 'ann@example.org, bob@example.org' }, null],
    [{ email: 'Ann <ann@example.org>' }, null],
    [{ email: 'group:ann@example.org,bob@example.org;' }, null],
    [{ email: 'ann@example.org\r\nBcc: bob@example.org' }, null],
  ])('to %j goes to %s', async (values, replyTo) => {
    const received = await mailFor(values);

    expect(received.mail.replyTo).toEqual(replyTo ? [{ name: '', address: replyTo }] : undefined);
    expect(received.to).toEqual([address]);
    expect(header(received, 'bcc')).toEqual([]);
  });
});
