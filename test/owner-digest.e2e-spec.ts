import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HOUR_MS, MINUTE_MS, useStoppedClock } from './support/clock.js';
import { deliveryOf, sendDue } from './support/deliveries.js';
import { makeForm } from './support/make.js';
import { useService, type Caller } from './support/service.js';
import { useMailServer } from './support/smtp.js';
import { submit } from './support/submissions.js';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_CAP_PER_RECIPIENT_HOUR: '3',
}));
/** Ids of deliveries have the time of the process: no hour ends while a test submits. */
beforeEach(() => {
  const now = Date.now.bind(Date);
  const ahead = HOUR_MS - (now() % HOUR_MS);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});
const clock = useStoppedClock();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

const pass = async (ms: number) => {
  clock.forward(ms);
  await sendDue(service());
};

describe('More owner mails in an hour than a recipient gets', () => {
  it('come in one digest after the hour, whatever the form, the tag and the case of letters', async () => {
    const addresses = ['ann@example.com', 'Ann+a@example.com', 'ANN+b+c@EXAMPLE.com'];
    const ids = [];
    for (const [index, address] of addresses.entries()) {
      const form = await makeForm(owner, { name: `F${index}`, notify_owner_emails: address });
      for (let i = 0; i < 2; i++) {
        ids.push([
          form,
          await submit(service(), form, { message: `Hello ${index} ${i}` }),
        ] as const);
      }
    }
    await sendDue(service());
    expect(server.mails).toHaveLength(3);
    await pass(2 * HOUR_MS);
    await pass(5 * MINUTE_MS);

    expect(server.mails).toHaveLength(4);
    const digest = server.mails.at(-1)?.mail;
    expect(digest?.subject).toMatch(/^3 more submissions in the hour from /);
    for (const text of ['Hello 1 1', 'Hello 2 0', 'Hello 2 1'])
      expect(digest?.text).toContain(text);
    expect(digest?.text).not.toContain('Hello 0');
    const [form, last] = ids.at(-1) ?? [];
    if (!form || last === undefined) throw new Error('Nothing was sent.');
    expect(await deliveryOf(owner, form, last)).toMatchObject({
      state: 'delivered',
      attempts: [{ outcome: 'summarised', code: null }],
    });
  });

  it('are of one account each', async () => {
    const other = await service().openAccount();
    for (const caller of [owner, other]) {
      const form = await makeForm(caller, { notify_owner_emails: 'both@example.com' });
      for (let i = 0; i < 4; i++) await submit(service(), form);
    }
    await sendDue(service());
    await pass(2 * HOUR_MS);

    const subjects = server.to('both@example.com').map(({ mail }) => mail.subject ?? '');
    const digests = subjects.filter((subject) => subject.includes('more submissions'));
    expect(digests.map((subject) => subject[0]).sort()).toEqual(['1', '4']);
  });
});

describe('The subject of an owner mail', () => {
  it.each([
    [{ name: 'Ann Smith', email: 'ann@example.org' }, 'Contact: Ann Smith'],
    [{ Full_Name: ' Ann ' }, 'Contact: Ann'],
    [{ email: 'ann@example.org', message: 'x' }, 'Contact: ann@example.org'],
    [{ name: ' ', message: 'x' }, 'New submission: Contact'],
    [{ name: '{{form.name}}\r\nBcc: x' }, 'Contact: {{form.name}} Bcc: x'],
  ])('tells who wrote: of %j it is %s', async (values, subject) => {
    const to = `owner${Math.random()}@example.com`;
    const form = await makeForm(owner, { name: 'Contact', notify_owner_emails: to });
    await submit(service(), form, values);
    await sendDue(service());

    expect(server.to(to).map(({ mail }) => mail.subject)).toEqual([subject]);
  });
});
