import {
  behavesAs,
  DISCORD,
  GOOGLE_CHAT,
  NTFY,
  SLACK,
  TEAMS,
  TELEGRAM,
  titleOf,
  type ChatService,
} from '../support/chat-services.js';
import { addDestination, lastAttempt, sendAndDeliver, TAKEN } from '../support/destinations.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { useReceiver } from '../support/webhook-receiver.js';

const service = useService({
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  MAX_FIELD_VALUE_BYTES: '1000000',
  MAX_FIELD_NAME_BYTES: '1000',
});
const receiver = useReceiver();
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });
const SERVICES: Record<string, ChatService> = {
  ...{ slack: SLACK, discord: DISCORD, teams: TEAMS, telegram: TELEGRAM },
  ...{ google_chat: GOOGLE_CHAT, plain: NTFY },
};

const add = (kind: string, more?: object) => addDestination(owner, form, kind, receiver, more);
const sent = (values?: object) => sendAndDeliver(service(), owner, form, values);
const many = (count: number, of: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));
const MENTIONS = '<!channel> <@U1> @everyone @here &lt;!here&gt; *a* [a](https://a.example) <b>';

/** Values of visitors that could break limits and markup. */
const NASTY: [string, object][] = [
  ['300 fields', many(300, (i) => [`field_${i}`, `Value ${i}`])],
  ['an answer of 900 kB', { message: 'Many words '.repeat(81_000) }],
  ['what is escaped', many(25, (i) => [`${'&'.repeat(200)}${i}`, '&<>*_'.repeat(2_000)])],
  ['ampersands', many(25, (i) => [`${'&'.repeat(200)}${i}`, '&'.repeat(9_000)])],
  ['stars', many(25, (i) => [`${'*'.repeat(200)}${i}`, '*'.repeat(9_000)])],
  ['control characters', many(25, (i) => [`\u0001\n\t${i}`, '\u0001'.repeat(5_000)])],
  ['long names', many(300, (i) => [`${'\u0001'.repeat(200)}${i}`, `\u0001${i}`])],
  ['emoji at even limits', many(9, (i) => [`${'😀'.repeat(100)}${i}`, '😀'.repeat(9_000)])],
  ['emoji at odd limits', many(9, (i) => [`a${'😀'.repeat(100)}${i}`, `a${'😀'.repeat(9_000)}`])],
  ['empty values', { a: '', b: ' ', c: '\u200b', ' ': 'x', '\u200b': 'y', d: [], e: null }],
  ['mentions', { message: MENTIONS, [MENTIONS]: 'x' }],
  ['Arabic', many(25, (i) => [`${'اسم '.repeat(30)}${i}`, 'مرحبا بالعالم '.repeat(900)])],
];
/** Values of which as many as possible are shown, each as long as it can be once it is JSON. */
const FULL = many(30, (i) => [`${'\u0001'.repeat(78)}${i}`, '\u0001'.repeat(80)]);
const NAMES = [
  'He said "hi" & <left>',
  'Ünïcödé اتصل بنا 😀',
  '😀'.repeat(100),
  'a'.repeat(255),
  '&'.repeat(255),
  '\u0001'.repeat(255),
];

describe.each(Object.entries(SERVICES))('A call of the kind %s', (kind, stands) => {
  beforeEach(async () => {
    behavesAs(receiver, stands);
    await add(kind);
  });

  it.each(NASTY)('keeps the contract with %s', async (_, values) => {
    expect(await sent(values)).toMatchObject(TAKEN);
  });

  it('keeps the contract with blank values alone, once they are released', async () => {
    const id = await service().submit(form, { a: '', b: ' \n ' });
    await owner.patch(`${pathOf(form)}/${id}`, { submission: { spam: false } }).expect(200);
    await service().sendDue();
    expect(await lastAttempt(owner, form, id)).toMatchObject(TAKEN);
  });

  it('keeps the contract with any name of a form', async () => {
    for (const name of NAMES) {
      await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } }).expect(200);
      expect([name, await sent(FULL)]).toMatchObject([name, TAKEN]);
    }
  });

  it('keeps the contract with files, and links to them', async () => {
    const body = new FormData();
    for (let i = 0; i < 10; i++) {
      const name = `${'&|<]*'.repeat(30)}"\r\n${i}.txt`;
      body.append(`${'&'.repeat(200)}${i}`, new Blob(['x'], { type: 'text/plain' }), name);
    }
    const response = await fetch(`${service().url}/f/${form.identifier}`, {
      ...{ method: 'POST', body, headers: { accept: 'application/json' } },
    });
    const { id } = (await response.json()) as { id: string };
    await service().sendDue();
    expect(await lastAttempt(owner, form, id)).toMatchObject(TAKEN);
    expect(receiver.last.body).toContain('/files/');
  });

  it('says what was sent, and where its page is', async () => {
    await sent({ message: 'Two, please', full_name: 'Jane' });
    expect(receiver.last.body).toContain('Two, please');
    expect(receiver.last.body).toContain('Full name');
    expect(receiver.last.body).toContain(`/inbox/${form.identifier}/`);
  });
});

describe('A name of a form', () => {
  it('is the title of a notification, in any letters', async () => {
    await add('plain', { token: 'tk_1' });
    for (const name of NAMES.filter(({ length }) => length < 100)) {
      await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } }).expect(200);
      await sent();
      expect(titleOf(receiver.last)).toBe(`New submission: ${name}`);
      expect(receiver.last.headers.authorization).toBe('Bearer tk_1');
    }
  });

  it('brings no header of its own', async () => {
    await add('plain');
    const name = 'A\r\nX-Evil: 1\r\n\r\nB';
    const { status } = await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } });
    expect(status).toBe(200);
    behavesAs(receiver, NTFY);
    expect(await sent()).toMatchObject(TAKEN);
    expect(receiver.last.headers).not.toHaveProperty('x-evil');
  });
});
