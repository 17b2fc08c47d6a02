import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { DAY_MS, HOUR_MS } from '../support/clock.js';
import { deliveriesPath } from '../support/deliveries.js';
import { textOf } from '../support/page.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_FROM: 'Our Forms <forms@ours.example.net>',
  MAIL_FROM_DOMAINS: 'shop.example.com, other.example.com',
  MAIL_CAP_PER_RECIPIENT_DAY: '4',
  MAIL_CAP_PER_FORM_HOUR: '30',
}));
let visitor: string;
let made = 0;
const owner = useOwner(service);
beforeEach(() => {
  visitor = `visitor${++made}@example.org`;
});

/** A form that answers visitors and nobody else. */
const makeAnsweringForm = (settings: object = {}): Promise<FormBody> =>
  owner.makeForm({ notify_owner_on_submission: false, notify_submitter: true, ...settings });

/** The mail that a visitor gets for these values. */
async function answerTo(settings: object, values: object = {}): Promise<ReceivedMail> {
  const form = await makeAnsweringForm(settings);
  await service().deliver(form, { email: visitor, ...values });
  const [received, ...others] = server.to(visitor);
  if (!received || others.length > 0) throw new Error('The visitor did not get exactly one mail.');
  return received;
}

const header = ({ mail }: ReceivedMail, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value);

it('A mail to visitors goes to no address that the form offers as a choice', async () => {
  const form = await makeAnsweringForm();
  const field = { name: 'email', kind: 'choice', choices: [visitor] };
  await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields: [field] }).expect(200);

  await service().deliver(form, { email: visitor, message: 'Hello' });

  expect(server.mails).toEqual([]);
});

describe('The words of the mail', () => {
  it("are the form's name and its submission_text by default", async () => {
    const { mail } = await answerTo({ name: 'Contact', submission_text: 'Thanks!\nSee you.' });

    expect(mail.subject).toBe('We have received your submission: Contact');
    expect(mail.text?.trim()).toBe('Thanks!\nSee you.');
    expect(textOf(mail.html ?? '', 'p')).toEqual(['Thanks!<br/>See you.']);
  });

  it("are the owner's, with what was submitted in the places of the placeholders", async () => {
    const form = await makeAnsweringForm({
      name: 'Contact',
      notify_submitter_subject: '{{form.name}}: thank you, {{ name }}',
      notify_submitter_body:
        'Dear {{name}},\n{{Your message}}\n{{missing}}{{color}}.\n{{submission.id}} {{submission.created_at}}',
    });
    const id = await service().deliver(form, {
      name: 'Ann',
      email: visitor,
      'Your message': 'Hello\nthere',
      color: ['red', 'blue'],
    });

    const [received] = server.to(visitor);
    expect(received?.mail.subject).toBe('Contact: thank you, Ann');
    expect(received?.mail.text?.trim()).toMatch(
      new RegExp(`^Dear Ann,\nHello\nthere\nred, blue\\.\n${id} \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`),
    );
  });

  it('are escaped in the HTML part, and as they are in the text part', async () => {
    const evil = `<img src=x onerror=alert(1)>"'&amp;`;
    const { mail } = await answerTo(
      { notify_submitter_body: '<b>{{name}}</b>', notify_submitter_subject: '{{name}}' },
      { name: evil },
    );

    expect(mail.text?.trim()).toBe(`<b>${evil}</b>`);
    expect(mail.subject).toBe(evil);
    expect(textOf(mail.html ?? '', 'p')).toEqual([`<b>${evil}</b>`]);
    expect(mail.html).not.toContain('<img');
    expect(mail.html).not.toContain('<b>');
  });

  it.each([
    ['{{constructor}}', ''],
    ['{{__proto__}}', ''],
    ['{{toString}}', ''],
    ['{{email.length}}', ''],
    ['{{form}}', ''],
    ['{{form.accountId}}', ''],
    ['{{}}', '{{}}'],
    ['{{#each name}}x{{/each}}', 'x'],
    ['{{{name}}}', '{{{email}} ${1+1} $& $1}'],
    ['{% if first == "{{ema" %}x{% else %}y{% endif %}', 'x'],
    ['{% include "/etc/passwd" %}', '{% include "/etc/passwd" %}'],
    ['{{tags}}', '{% if 1 %}x{% endif %}'],
    ['<%= 1 + 1 %>', '<%= 1 + 1 %>'],
    ['${1 + 1} #{1 + 1}', '${1 + 1} #{1 + 1}'],
    ['{{name}}', '{{email}} ${1+1} $& $1'],
    ['{{na{{name}}me}}', '{{na{{email}} ${1+1} $& $1me}}'],
    ['{{first}}{{second}}', '{{email}}'],
  ])('%s becomes %s: no code, and no second pass (O-06)', async (body, text) => {
    const { mail } = await answerTo(
      { notify_submitter_body: `>${body}<` },
      { name: '{{email}} ${1+1} $& $1', first: '{{ema', second: 'il}}', tags: '{% if 1 %}x{% endif %}' },
    );

    expect(mail.text?.trim()).toBe(`>${text}<`);
  });

  it('are named by their path where they are nested', async () => {
    const { mail } = await answerTo(
      { notify_submitter_body: 'Dear {{data.name}} of {{data.address.town}}{{data.length}},' },
      { data: { name: 'Ann', address: { town: 'Bath' } } },
    );

    expect(mail.text?.trim()).toBe('Dear Ann of Bath,');
  });

  it('take what a JSON body holds for text, never for a place to read from (O-04)', async () => {
    const { mail } = await answerTo(
      { notify_submitter_body: '{{order}}', notify_submitter_subject: '{{order}}' },
      { order: { path: '/etc/hostname', href: 'http://127.0.0.1/' } },
    );

    const text = '{"path":"/etc/hostname","href":"http://127.0.0.1/"}';
    expect(mail.text?.trim()).toBe(text);
    expect(mail.subject).toBe(text);
    expect(mail.attachments).toEqual([]);
  });
});

describe('The sender of the mail', () => {
  it('is ours by default', async () => {
    const received = await answerTo({});

    expect(received.from).toBe('forms@ours.example.net');
    expect(received.mail.from).toEqual({ name: 'Our Forms', address: 'forms@ours.example.net' });
    expect(received.mail.replyTo).toBeUndefined();
  });

  it('stays ours when the form wants another, which gets the answers', async () => {
    const received = await answerTo({
      notify_submitter_from: 'hello@elsewhere.example.com',
      notify_submitter_from_name: 'The Shop',
    });

    expect(received.from).toBe('forms@ours.example.net');
    expect(received.mail.from).toEqual({ name: 'The Shop', address: 'forms@ours.example.net' });
    expect(received.mail.replyTo).toEqual([{ name: 'The Shop', address: 'hello@elsewhere.example.com' }]);
  });

  it.each(['hello@shop.example.com', 'hello@OTHER.example.com'])(
    'is %s, whose domain is listed; the envelope stays ours',
    async (wanted) => {
      const received = await answerTo({ notify_submitter_from: wanted });

      expect(received.from).toBe('forms@ours.example.net');
      expect(received.mail.from).toMatchObject({ address: wanted.toLowerCase() });
      expect(received.mail.sender).toMatchObject({ address: 'forms@ours.example.net' });
      expect(received.mail.replyTo).toBeUndefined();
    },
  );

  it('is not taken from a domain below a listed one', async () => {
    const { mail } = await answerTo({ notify_submitter_from: 'x@evil.shop.example.com' });

    expect(mail.from).toMatchObject({ address: 'forms@ours.example.net' });
  });
});

describe('The headers of the mail', () => {
  it('say that a machine answered, so that no machine answers back', async () => {
    const received = await answerTo({});

    expect(header(received, 'auto-submitted')).toEqual(['auto-replied']);
    expect(header(received, 'message-id')).toHaveLength(1);
    expect(header(received, 'date')).toHaveLength(1);
  });

  it.each([
    ['\r\nBcc: victim@example.com'],
    ['\nBcc: victim@example.com'],
    ['\rBcc: victim@example.com'],
    ['\u2028Bcc: victim@example.com'],
    ['\r\n\r\n<p>Another body'],
    ['\u0000\u001b[31m'],
    ['=?utf-8?q?=0D=0ABcc:_victim@example.com?='],
  ])('cannot be added to by %j in what visitors and owners write (O-03)', async (evil) => {
    const received = await answerTo(
      {
        name: `Contact${evil}`,
        notify_submitter_subject: `{{name}} {{form.name}}${evil}`,
        notify_submitter_from_name: `Shop${evil}`,
        notify_submitter_from: 'hello@elsewhere.example.com',
      },
      { name: `Ann${evil}`, [`field${evil}`]: evil },
    );

    expect(received.to).toEqual([visitor]);
    expect(server.mails).toHaveLength(1);
    expect(received.mail.to).toEqual([{ name: '', address: visitor }]);
    for (const name of ['bcc', 'cc']) expect(header(received, name)).toEqual([]);
    expect(received.raw.split(/\r?\n\r?\n/, 1)[0]).not.toMatch(/^Bcc:/im);
    expect(received.mail.from).toMatchObject({ address: 'forms@ours.example.net' });
  });
});

describe('One recipient (O-03)', () => {
  it.each([
    'group:a@example.org,b@example.org;',
    '"a@example.org b"@example.org',
    'a@example.org\r\nRCPT TO:<b@example.org>',
  ])('is all there can be: %j gets no mail at all', async (email) => {
    const form = await makeAnsweringForm();
    await service().deliver(form, { email });

    expect(server.mails).toEqual([]);
  });

  it.each(['%,b@example.org', '%;b@example.org', 'Ann <%>', '<%> <b@example.org>'])(
    'is the first of %s',
    async (typed) => {
      await answerTo({}, { email: typed.replace('%', visitor) });
      expect(server.mails.map(({ to }) => to)).toEqual([[visitor]]);
    },
  );

  it('it is, when there are two fields for it', async () => {
    const form = await makeAnsweringForm();
    await service().deliver(form, { email: visitor, _replyto: 'b@example.org' });

    expect(server.mails.map(({ to }) => to)).toEqual([[visitor]]);
  });
});

/** Makes all deliveries older by this much. Their ids hold when they were created. */
async function letPass(ms: number): Promise<void> {
  const deliveries = service().repository(Delivery);
  for (const { id } of await deliveries.find({ select: { id: true }, order: { id: 'ASC' } })) {
    const older = Buffer.from(id);
    older.writeUIntBE(id.readUIntBE(0, 6) - ms, 0, 6);
    await deliveries.update({ id }, { id: older });
  }
}

describe('A form is no way to flood a stranger (O-05)', () => {
  it('who gets so many mails a day as are set, over all forms, of 200 that were asked for', async () => {
    const forms = [await makeAnsweringForm(), await makeAnsweringForm()];
    const spellings = [visitor, visitor.toUpperCase(), ` ${visitor}`];
    const ids: [FormBody, string][] = [];
    for (let count = 0; count < 200; count += 20) {
      const some = Array.from({ length: 20 }, async (_, index): Promise<[FormBody, string]> => {
        const form = forms[index % 2] ?? never();
        const email = spellings[index % 3];
        return [form, await service().submit(form, { email })];
      });
      ids.push(...(await Promise.all(some)));
    }
    await service().sendDue();

    expect(server.mails).toHaveLength(4);
    const all = await Promise.all(ids.map(([form, id]) => owner.deliveryOf(form, id)));
    const suppressed = all.filter(({ state }) => state === 'failed');
    expect(suppressed).toHaveLength(196);
    for (const { attempts, next_attempt_at } of suppressed) {
      expect(next_attempt_at).toBeNull();
      expect(attempts).toEqual([
        expect.objectContaining({ outcome: 'suppressed', code: null, answer: expect.any(String) }),
      ]);
    }
    for (const [days, count] of [
      [0.99, 4],
      [0.02, 5],
    ] as const) {
      await letPass(days * DAY_MS);
      await service().deliver(forms[0] ?? never(), { email: visitor });
      expect(server.mails).toHaveLength(count);
    }
  });

  it('and not even when those that were kept back are sent again', async () => {
    const form = await makeAnsweringForm();
    for (let count = 0; count < 8; count++) await service().submit(form, { email: visitor });
    await service().sendDue();

    await owner.post(`/api/v1/forms/${form.identifier}/redeliveries`, {}).expect(200, { redelivered: 4 });
    await service().sendDue();

    expect(server.to(visitor)).toHaveLength(4);
  });

  it('while the account may send again by hand what was sent, and that alone', async () => {
    const form = await makeAnsweringForm();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await service().submit(form, { email: visitor }));
    }
    await service().sendDue();

    for (const id of ids) {
      const delivery = await owner.deliveryOf(form, id);
      await owner.post(`${deliveriesPath(form, id)}/${delivery.id}/attempts`).expect(200);
    }

    expect(server.to(visitor)).toHaveLength(4 + 4);
  });

  it('and a form sends so many in an hour as are set', async () => {
    const form = await makeAnsweringForm();
    for (let count = 0; count < 40; count += 20) {
      const some = Array.from({ length: 20 }, (_, index) =>
        service().submit(form, { email: `many${count + index}@example.org` }),
      );
      await Promise.all(some);
    }
    await service().sendDue();

    expect(server.mails).toHaveLength(30);
    await letPass(HOUR_MS);
    await service().deliver(form, { email: visitor });
    expect(server.to(visitor)).toHaveLength(1);
  });

  it('while what owners get is not counted', async () => {
    const form = await owner.makeForm({ notify_owner_emails: visitor });
    for (let count = 0; count < 8; count++) await service().submit(form);
    await service().sendDue();

    expect(server.to(visitor)).toHaveLength(8);
  });
});

describe('Machines', () => {
  it.each([
    ['our sender', 'forms@ours.example.net', {}],
    ['a tag of it', 'Forms+reply@OURS.example.net', {}],
  ])('is not sent to %s, which would lead in a circle', async (_, email, settings) => {
    const form = await makeAnsweringForm(settings);
    const id = await service().deliver(form, { email });
    expect(server.mails).toEqual([]);
    expect(await owner.deliveryOf(form, id)).toMatchObject({ state: 'failed', attempts: [{ outcome: 'own_sender' }] });
  });

  it('asks Exchange for no note of absence, and still for reports of failed mails', async () => {
    const received = await answerTo({});
    expect(header(received, 'x-auto-response-suppress')).toEqual(['OOF, AutoReply']);
    expect(header(received, 'auto-submitted')).toEqual(['auto-replied']);
  });

  it('are never answered', async () => {
    const form = await makeAnsweringForm();
    for (const name of ['mailer-daemon', 'postmaster', 'noreply', 'no-reply']) {
      const id = await service().submit(form, { email: `${name}@example.org` });
      expect(await owner.deliveriesOf(form, id)).toEqual([]);
    }
    await service().sendDue();

    expect(server.mails).toEqual([]);
  });
});

function never(): never {
  throw new Error('This cannot be.');
}
