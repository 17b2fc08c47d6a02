import { DataSource } from 'typeorm';
import { DeliveryLog } from '../../src/deliveries/delivery-log.js';
import { SubmissionPurger } from '../../src/submissions/erasure/erasure.service.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, useStoppedClock } from '../support/clock.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, MAIL_CAP_PER_RECIPIENT_HOUR: '3' }));
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

/** Returns what the page of a submission says of its deliveries. */
async function statesShown(form: FormBody, id: string): Promise<string[]> {
  const browser = await service().makeBrowser(owner);
  const { text } = await browser.get(`/inbox/${form.identifier}/${id}`);
  return text.match(/Email to your team: [a-z ]+/g) ?? [];
}

const pass = async (ms: number) => {
  clock.forward(ms);
  await service().sendDue();
};

describe('More owner mails in an hour than a recipient gets', () => {
  it('come in one digest after the hour, whatever the form, the tag and the case of letters', async () => {
    const addresses = ['ann@example.com', 'Ann+a@example.com', 'ANN+b+c@EXAMPLE.com'];
    const ids = [];
    for (const [index, address] of addresses.entries()) {
      const form = await owner.makeForm({ name: `F${index}`, notify_owner_emails: address });
      for (let i = 0; i < 2; i++) {
        ids.push([form, await service().submit(form, { message: `Hello ${index} ${i}` })] as const);
      }
    }
    await service().sendDue();
    expect(server.mails).toHaveLength(3);
    await pass(2 * HOUR_MS);
    await pass(5 * MINUTE_MS);

    expect(server.mails).toHaveLength(4);
    const digest = server.mails.at(-1)?.mail;
    expect(digest?.subject).toMatch(/^3 more submissions in the hour from /);
    for (const text of ['Hello 1 1', 'Hello 2 0', 'Hello 2 1']) expect(digest?.text).toContain(text);
    expect(digest?.text).not.toContain('Hello 0');
    const [form, last] = ids.at(-1) ?? [];
    if (!form || last === undefined) throw new Error('Nothing was sent.');
    expect(await statesShown(form, last)).toEqual(['Email to your team: in a summary']);
    expect(await owner.deliveryOf(form, last)).toMatchObject({
      state: 'summarised',
      attempts: [{ outcome: 'summarised', code: null }],
    });
  });

  it('are of one account each', async () => {
    const other = await service().openAccount();
    for (const caller of [owner, other]) {
      const form = await caller.makeForm({ notify_owner_emails: 'both@example.com' });
      for (let i = 0; i < 4; i++) await service().submit(form);
    }
    await service().sendDue();
    await pass(2 * HOUR_MS);

    const subjects = server.to('both@example.com').map(({ mail }) => mail.subject ?? '');
    const digests = subjects.filter((subject) => subject.includes('more submissions'));
    expect(digests.map((subject) => subject[0]).sort()).toEqual(['1', '4']);
  });
});

describe('A destination with a digest', () => {
  let form: FormBody;
  let path: string;
  let to: string;
  let made = 0;
  beforeEach(async () => {
    to = `digest${++made}@example.com`;
    form = await owner.makeForm({ name: 'Contact', notify_owner_on_submission: false });
    path = `/api/v1/forms/${form.identifier}/destinations`;
    server.mails = [];
  });

  async function add(settings: object, where = path): Promise<string> {
    const destination = { name: 'Digest', kind: 'email', settings };
    return (await owner.create(where, { destination })).destination.id;
  }
  const change = (id: string, destination: object, where = path) =>
    owner.patch(`${where}/${id}`, { destination }).expect(200);
  const mark = (id: string, spam: boolean) =>
    owner.patch(`${pathOf(form)}/${id}`, { submission: { spam } }).expect(200);
  /** Sends what is due, lets an hour and the wait after it pass, and returns the mails. */
  async function afterAnHour(ms = HOUR_MS + 5 * MINUTE_MS) {
    await service().sendDue();
    await pass(ms);
    return server.to(to).map(({ mail }) => mail);
  }

  it('tells once an hour of all that came, and of nothing not at all', async () => {
    await add({ to, digest: 'hourly' });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await service().submit(form, { message: `Hello ${i}` }));
    await service().sendDue();
    expect(server.mails).toEqual([]);
    const [digest, ...others] = await afterAnHour();

    expect(others).toEqual([]);
    expect(digest?.subject).toBe('Contact: 5 new submissions');
    for (let i = 0; i < 5; i++) expect(digest?.text).toContain(`Hello ${i}`);
    expect(await owner.deliveryOf(form, ids[0] ?? '')).toMatchObject({
      state: 'summarised',
      attempts: [{ outcome: 'summarised', code: null }],
    });
    expect(await afterAnHour()).toHaveLength(1);
    await service().submit(form, { message: 'Later' });
    const [, second] = await afterAnHour();
    expect(second?.subject).toBe('Contact: 1 new submission');
    expect(second?.text).not.toContain('Hello');
  });

  it('tells of nothing that is in the trash', async () => {
    await add({ to, digest: 'hourly' });
    const gone = await service().submit(form, { message: 'Gone' });
    await service().deliver(form, { message: 'Kept' });
    await owner.patch(`${pathOf(form)}/${gone}`, { submission: { trash: true } }).expect(200);
    const [digest] = await afterAnHour();

    expect(digest?.subject).toBe('Contact: 1 new submission');
    expect(digest?.text).not.toContain('Gone');
  });

  it('tells once a day of all forms, also when one of them is deleted', async () => {
    // 9:00 UTC, an hour after the last digest of a day.
    clock.forward(DAY_MS + 9 * HOUR_MS - (clock.now().getTime() % DAY_MS));
    await add({ to, digest: 'daily' }, '/api/v1/destinations');
    const other = await owner.makeForm({ name: 'Jobs', notify_owner_on_submission: false });
    await service().submit(form, { message: 'Hello' });
    await afterAnHour();
    await service().submit(other, { message: 'A job' });
    expect(await afterAnHour(MINUTE_MS)).toEqual([]);
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await service().app.get(SubmissionPurger).purgeDeletedForms({ now: new Date() });
    const [digest, ...others] = await afterAnHour(22 * HOUR_MS);

    expect(others).toEqual([]);
    expect(digest?.subject).toBe('Jobs: 1 new submission');
    expect(digest?.text).not.toContain('Hello');
  });

  it('tells of no spam and of nothing that is erased, but of what is released later', async () => {
    await add({ to, digest: 'hourly' });
    const ids: string[] = [];
    for (const message of ['Spam', 'Erased', 'Kept']) {
      ids.push(await service().submit(form, { message }));
    }
    await service().sendDue();
    const [spam = '', erased = ''] = ids;
    await mark(spam, true);
    await owner.delete(`${pathOf(form)}/${erased}`).expect(200);
    const [digest] = await afterAnHour();
    expect(digest?.subject).toBe('Contact: 1 new submission');
    expect(digest?.text).not.toMatch(/Spam|Erased/);

    await mark(spam, false);
    const [, second, ...others] = await afterAnHour();
    expect(second?.text).toContain('Spam');
    expect(second?.text).not.toContain('Kept');
    expect(others).toEqual([]);
  });

  it('tells nobody again who is told at once', async () => {
    const two = `two${to}`;
    await add({ to: `${to}, ${two}`, digest: 'hourly' });
    await add({ to: to.toUpperCase() });
    await service().submit(form, { message: 'Hello' });
    await afterAnHour();
    expect(server.mails.map(({ mail }) => mail.subject)).toEqual([
      'New submission: Contact',
      'Contact: 1 new submission',
    ]);
    expect(server.to(two)).toHaveLength(1);
  });

  it('sends nothing while it is paused, and nothing once it is gone', async () => {
    const id = await add({ to, digest: 'hourly' });
    await service().deliver(form, { message: 'Paused' });
    await change(id, { paused: true });
    expect(await afterAnHour()).toEqual([]);
    await change(id, { paused: false });
    await owner.post(`${path}/${id}/retry`).expect(200);
    expect(await afterAnHour()).toHaveLength(1);

    await service().deliver(form, { message: 'Gone' });
    await owner.delete(`${path}/${id}`).expect(200);
    expect(await afterAnHour()).toHaveLength(1);
  });

  it('keeps what it has yet to tell: of another form, for longer than the log, to a name spelled anew', async () => {
    const everywhere = '/api/v1/destinations';
    const id = await add({ to, digest: 'hourly' }, everywhere);
    const other = await owner.makeForm({ name: 'Jobs', notify_owner_on_submission: false });
    await service().submit(form, { message: 'Hello' });
    await service().deliver(other, { message: 'A job' });
    await change(id, { paused: true }, everywhere);
    expect(await afterAnHour()).toEqual([]);

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await service().app.get(SubmissionPurger).purgeDeletedForms({ now: new Date() });
    const signal = new AbortController().signal;
    const later = new Date(clock.now().getTime() + 100 * DAY_MS);
    await service().app.get(DeliveryLog).forgetOld({ now: later, signal });
    await change(id, { paused: false, settings: { to: `D${to.slice(1)}` } }, everywhere);
    await owner.post(`${everywhere}/${id}/retry`).expect(200);
    const [digest, ...others] = await afterAnHour();

    expect(others).toEqual([]);
    expect(digest?.text).toContain('A job');
  });

  it('fails not when nothing is left to tell', async () => {
    const id = await add({ to, digest: 'hourly' });
    const spam = await service().deliver(form, { message: 'Spam' });
    await mark(spam, true);
    expect(await afterAnHour()).toEqual([]);

    const { body } = await owner.get(`${path}/${id}/deliveries?state=failed`).expect(200);
    expect(body).toMatchObject({ deliveries: [] });
  });

  it('tells no more of a mail that was sent by itself', async () => {
    const id = await add({ to, digest: 'hourly' });
    const submission = await service().deliver(form, { message: 'Hello' });
    await change(id, { paused: true });
    await afterAnHour();
    await change(id, { paused: false, settings: { digest: 'each' } });
    const { id: delivery } = await owner.deliveryOf(form, submission);
    await owner.post(`${pathOf(form)}/${submission}/deliveries/${delivery}/attempts`).expect(200);
    expect(server.to(to)).toHaveLength(1);

    await owner.post(`${path}/${id}/retry`).expect(200);
    expect(await afterAnHour()).toHaveLength(1);
  });

  it('does not use up what a recipient gets in an hour', async () => {
    await add({ to, digest: 'hourly' });
    for (let i = 0; i < 4; i++) await service().submit(form, { message: `Hello ${i}` });
    await service().sendDue();
    const other = await owner.makeForm({ name: 'Other', notify_owner_emails: to });
    await service().deliver(other, { message: 'At once' });
    expect(server.to(to).map(({ mail }) => mail.subject)).toEqual(['New submission: Other']);
  });

  it('tells of each submission once, wherever its process is killed', async () => {
    await add({ to, digest: 'hourly' });
    await service().deliver(form, { message: 'Hello' });
    // The mail was put into its digest, and that this was its end was not stored any more.
    const database = service().app.get(DataSource);
    await database.query(
      "UPDATE deliveries SET state = 'pending', next_attempt_at = '2020-01-01' WHERE recipient = ? AND kind = 'owner_email'",
      [to],
    );
    const mails = await afterAnHour();
    expect(mails.map(({ subject }) => subject)).toEqual(['Contact: 1 new submission']);
  });
});

it.each([
  [{ name: 'Ann Smith', email: 'ann@example.org' }, 'Contact: Ann Smith'],
  [{ Full_Name: ' Ann ' }, 'Contact: Ann'],
  [{ email: 'ann@example.org', message: 'x' }, 'Contact: ann@example.org'],
  [{ name: ' ', message: 'x' }, 'New submission: Contact'],
  [{ name: '{{form.name}}\r\nBcc: x' }, 'Contact: {{form.name}} Bcc: x'],
])('The subject of an owner mail tells who wrote: of %j it is %s', async (values, subject) => {
  const to = `owner${Math.random()}@example.com`;
  const form = await owner.makeForm({ name: 'Contact', notify_owner_emails: to });
  await service().deliver(form, values);

  expect(server.to(to).map(({ mail }) => mail.subject)).toEqual([subject]);
});
