import { BouncesService } from '../../src/deliveries/bounces/bounces.service.js';
import { Config } from '../../src/platform/config/config.js';
import { Job } from '../../src/platform/database/jobs.js';
import { MINUTE_MS } from '../../src/platform/kernel/time.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { ReportsService } from '../../src/reports/reports.service.js';
import { HOUR_MS, useClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';

const clock = useClock();
const server = useMailServer();

/** Returns the newest mail to somebody. */
function lastTo(email: string): ReceivedMail {
  const mail = server.to(email).at(-1);
  if (!mail) throw new Error(`Nothing went to ${email}.`);
  return mail;
}
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
/** This month and the one before, as the service counts them. */
const NOW = new Date();
const THIS = NOW.toISOString().slice(0, 7);
const next = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + 1, 15));
const NEXT = next.toISOString().slice(0, 7);
let bakery: FormBody;
let clientId: number;

const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  bakery = await owner.makeForm({ name: 'Bakery' });
  const joiner = await owner.makeForm({ name: 'Joiner' });
  clientId = await owner.makeClient({ name: 'Miller', form_ids: [bakery.id] });
  await service().submit(bakery, { text: 'Hello' });
  await service().submit(bakery, { text: 'Hello', _gotcha: 'x' });
  await service().submit(joiner, { text: 'Hello' });
  await service().upkeep();
});

const path = (month: string) => `/api/v1/clients/${clientId}/report?month=${month}` as const;

describe('The monthly report of a client', () => {
  it('sums up its forms alone, and the month before', async () => {
    expect(await owner.read(path(THIS))).toMatchObject({
      ...{ client: { id: clientId, name: 'Miller' }, month: THIS },
      forms: [
        {
          ...{ name: 'Bakery', identifier: bakery.identifier },
          totals: { submissions: 1, spam: 1 },
          before: { submissions: 0, spam: 0 },
        },
      ],
      totals: { submissions: 1, spam: 1, mails: { failed: 0 }, calls: { failed: 0 } },
      before: { submissions: 0 },
    });
    expect((await owner.get(path(NEXT)).expect(200)).body).toMatchObject({
      ...{ totals: { submissions: 0 }, before: { submissions: 1, spam: 1 } },
    });
    await owner.get(path('2030-13')).expect(422);
  });

  it('counts what of the month was answered, finished and starred', async () => {
    const [one, two] = [await service().submit(bakery), await service().submit(bakery)];
    const mark = (id: string, changes: object) =>
      owner.post('/api/v1/submissions/bulk', { ids: [id], changes }).expect(200);
    await mark(one, { answered: true, done: true });
    await mark(two, { starred: true, done: true });
    for (const away of [{ spam: true }, { trash: true }]) {
      const id = await service().submit(bakery);
      await mark(id, { answered: true, starred: true, done: true });
      await mark(id, away);
    }
    const work = { answered: 1, starred: 1, done: 2 };
    expect(await owner.read(path(THIS))).toMatchObject({ work, forms: [{ work }] });
    const none = { answered: 0, starred: 0, done: 0 };
    expect((await owner.get(path(NEXT)).expect(200)).body).toMatchObject({ work: none });
    const { text } = await jane.get(`/clients/${clientId}/report?month=${THIS}`);
    expect(text).toMatch(/data-label="Done">2</);
    const anna = somebody();
    await wantedBy(anna);
    await mailAt(firstIn(1));
    const mail = textOf(lastTo(anna));
    expect(mail).toMatch(/Answered: 1\nDone: 2\nStarred: 1\n[^]*Bakery: .*1 answered, 2 done, 1 starred/);
  });

  it('is of the last month that is over by default', async () => {
    clock.forwardTo(next.toISOString());
    expect(await owner.read(`/api/v1/clients/${clientId}/report`)).toMatchObject({ month: THIS });
  });

  it('is shown to the client, and to no other', async () => {
    const own = service().as(await owner.makeClientToken(clientId));
    expect((await own.get(path(THIS)).expect(200)).body).toMatchObject({ totals: { submissions: 1 } });
    const other = await owner.makeClientCaller();
    await other.get(path(THIS)).expect(404);
    await (await service().openAccount('Other')).get(path(THIS)).expect(404);
    const { token } = await owner.makeToken({ rights: ['submissions:read'] });
    await service().as(token).get(path(THIS)).expect(403);
  });

  it('is a page for the account and for people of the client', async () => {
    const page = `/clients/${clientId}/report?month=${THIS}`;
    const { text } = await jane.get(page);
    expect(text).toContain('Report for Miller');
    expect(text).toContain('Bakery');
    expect(text).not.toContain('Joiner');
    expect((await jane.get(`/clients/${clientId}`)).text).toContain(`/clients/${clientId}/report`);
    const browser = await service().makeBrowser(owner, { clientId, actions: ['see'] });
    expect((await browser.get('/statistics')).text).toContain(`/clients/${clientId}/report`);
    expect((await browser.get(page)).text).toContain('Report for Miller');
    const other = await owner.makeClient();
    expect((await browser.get(`/clients/${other}/report`)).status).toBe(404);
  });
});

const mailPath = () => `/api/v1/clients/${clientId}/report/mail` as const;
const wantedBy = (...recipients: string[]) => owner.put(mailPath(), { report_mail: { recipients } });
/** The first of the month that is so many months later, so many hours after its begin in UTC. */
const firstIn = (months: number, hours = 6) =>
  new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + months) + hours * HOUR_MS);
const nameOf = (now: Date) => now.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const mailAt = (now: Date) => service().work('report', now);
const textOf = ({ mail }: ReceivedMail) => mail.text ?? '';
const subjectsTo = (email: string) =>
  server
    .to(email)
    .map(({ mail }) => mail.subject ?? '')
    .filter((subject) => subject.startsWith('Report'));
/** An address that no other test uses. */
let count = 0;
const somebody = () => `reader${++count}@example.com`;

describe('The mail of a report', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    server.answer = () => 'accept';
  });

  it('goes out once, on the first of the next month from six on', async () => {
    const [anna, ben] = [somebody(), somebody()];
    await wantedBy(anna, ben, anna.toUpperCase().replace('EXAMPLE.COM', 'example.com')).expect(200);
    await mailAt(NOW);
    await mailAt(firstIn(1, 5.99));
    expect(subjectsTo(anna)).toEqual([]);

    await Promise.all([1, 2, 3].map(() => mailAt(firstIn(1))));
    await mailAt(firstIn(1, 30));
    for (const email of [anna, ben]) expect(subjectsTo(email)).toEqual([`Report for Miller: ${nameOf(NOW)}`]);
    const [mail] = server.to(anna).slice(-1);
    expect(mail && textOf(mail)).toMatch(/Submissions: 1 \(0 the month before\)[^]*Bakery: 1 \(0/);
    expect(mail && textOf(mail)).toContain(`/clients/${clientId}/report?month=${THIS}`);
    expect(mail && textOf(mail)).not.toContain('Joiner');
  });

  it('is made up for when the service was away, and not for who was added since', async () => {
    const [anna, ben] = [somebody(), somebody()];
    await wantedBy(anna);
    clock.forwardTo(firstIn(2).toISOString());
    await wantedBy(anna, ben);
    await mailAt(firstIn(2));
    expect(subjectsTo(anna).sort()).toEqual([NOW, firstIn(1)].map((at) => `Report for Miller: ${nameOf(at)}`).sort());
    expect(subjectsTo(ben)).toEqual([]);
  });

  it('is tried again when the mail server cannot take it', async () => {
    const anna = somebody();
    await wantedBy(anna);
    server.answer = (to) => (to === anna ? { at: 'data', code: 451, text: 'Later' } : 'accept');
    await mailAt(firstIn(1));
    server.answer = () => 'accept';
    await mailAt(firstIn(1));
    expect(subjectsTo(anna)).toEqual([]);
    // Ten minutes pass by the clock of the database.
    const rows = service().repository(Job);
    await rows.update({ recipient: anna }, { leaseUntil: new Date(0) });
    await mailAt(firstIn(1));
    expect(subjectsTo(anna)).toHaveLength(1);
  });

  it('gives a month up after ten tries', async () => {
    const anna = somebody();
    await wantedBy(anna);
    server.answer = (to) => (to === anna ? { at: 'data', code: 451, text: 'Later' } : 'accept');
    const rows = service().repository(Job);
    const minutes: number[] = [];
    for (let n = 0; n < 10; n++) {
      await mailAt(firstIn(1));
      const { leaseUntil } = await rows.findOneByOrFail({ recipient: anna });
      minutes.push(Math.round((leaseUntil.getTime() - Date.now()) / MINUTE_MS));
      // The time until the next try passes by the clock of the database.
      await rows.update({ recipient: anna }, { leaseUntil: new Date(0) });
    }
    expect(minutes.slice(0, -1)).toEqual([10, 20, 40, 80, 160, 320, 640, 720, 720]);
    server.answer = () => 'accept';
    await mailAt(firstIn(1));
    expect(subjectsTo(anna)).toEqual([]);
    await mailAt(firstIn(2));
    expect(subjectsTo(anna)).toEqual([`Report for Miller: ${nameOf(firstIn(1))}`]);
  });

  it('goes to no address whose emails come back', async () => {
    const [anna, ben] = [somebody(), somebody()];
    const form = await owner.makeForm({ notify_owner_emails: anna });
    const id = await service().deliver(form);
    const [delivery] = await owner.deliveriesOf(form, id);
    const deliveryId = parseUuid(delivery?.id ?? '');
    const kind = 'permanent' as const;
    const bounce = { recipients: [anna], kind, code: 550, reason: 'Unknown' };
    const bounces = deliveryId ? [{ ...bounce, deliveryId }] : [];
    expect(await service().app.get(BouncesService, { strict: false }).take(bounces)).toBe(1);

    await wantedBy(anna, ben);
    const { body } = await owner.post(`${mailPath()}/send`, { month: THIS }).expect(200);
    expect(body).toMatchObject({
      sent: [
        { to: anna, result: 'refused', outcome: 'bounced_before' },
        { to: ben, result: 'delivered' },
      ],
    });
    await mailAt(firstIn(1));
    expect([subjectsTo(anna).length, subjectsTo(ben).length]).toEqual([0, 2]);
  });

  it('ends for who is removed, but not where they still belong', async () => {
    const [anna, member] = [somebody(), await service().makePerson(owner)];
    const kim = await service().makePerson(owner, { clientId, actions: ['see'] });
    const lena = await service().makePerson(owner);
    await service().actFor(owner, lena, { clientId, actions: ['see'] });
    await wantedBy(anna, member.email.toUpperCase(), kim.email, lena.email);
    const left = async (): Promise<unknown> => (await owner.get(mailPath()).expect(200)).body;
    for (const { id } of [member, lena]) await owner.delete(`/api/v1/people/${id}`).expect(200);
    const still = { recipients: [anna, kim.email, lena.email] };
    expect(await left()).toMatchObject({ report_mail: still });
    await owner.delete(`/api/v1/clients/${clientId}/people/${kim.id}`).expect(200);
    expect(await left()).toMatchObject({ report_mail: { recipients: [anna, lena.email] } });
  });

  it('goes nowhere before an address has confirmed', async () => {
    const mailSettings = service().app.get(Config).mail;
    jest.replaceProperty(mailSettings, 'confirmRecipients', 'all');
    const anna = somebody();
    const { body } = await wantedBy(anna).expect(200);
    expect(body).toEqual({ report_mail: { recipients: [anna], unconfirmed: [anna] } });
    await owner.post(`${mailPath()}/send`, {}).expect(refusal(409, 'nobody_gets_report'));
    await mailAt(firstIn(1));
    expect(subjectsTo(anna)).toEqual([]);
    const page = await jane.get(`/clients/${clientId}/report`);
    expect(page.text).toContain(`Not confirmed yet: ${anna}`);

    await service().sendDue();
    const [asked] = server.to(anna);
    const [, link = ''] = /(\/recipients\/[\w-]+)/.exec(asked ? textOf(asked) : '') ?? [];
    await fetch(service().url + link, { method: 'POST' });
    await mailAt(firstIn(2));
    expect(subjectsTo(anna)).toEqual([`Report for Miller: ${nameOf(firstIn(1))}`]);
  });

  it('is not sent to who was asked to confirm while it was made', async () => {
    const [anna, ben] = [somebody(), somebody()];
    await wantedBy(ben);
    const reports = service().app.get(ReportsService, { strict: false });
    const ofClient = reports.ofClient.bind(reports);
    jest.spyOn(reports, 'ofClient').mockImplementation(async (...of) => {
      jest.replaceProperty(service().app.get(Config).mail, 'confirmRecipients', 'all');
      await wantedBy(ben, anna).expect(200);
      return ofClient(...of);
    });
    await owner.post(`${mailPath()}/send`, { month: THIS }).expect(200);
    expect(subjectsTo(anna)).toEqual([]);
  });

  it('comes from the client, but from the account to its own people', async () => {
    const [anna, member] = [somebody(), await service().makePerson(owner)];
    await owner.put(`/api/v1/clients/${clientId}/brand`, { brand: { name: 'Acme Bakery' } });
    await wantedBy(anna, member.email);
    await mailAt(firstIn(1));
    const from = (email: string) => lastTo(email).mail.from?.name;
    expect(from(anna)).toBe('Acme Bakery');
    expect(from(member.email)).not.toBe('Acme Bakery');
    expect(textOf(lastTo(anna))).toMatch(/^Acme Bakery\n/);
  });

  it('is stopped by one click in the mail program, and not by a program that opens links', async () => {
    const anna = somebody();
    await wantedBy(anna);
    await mailAt(firstIn(1));
    const raw =
      server
        .to(anna)
        .at(-1)
        ?.raw.replace(/\r\n[ \t]+/g, ' ') ?? '';
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const [, path = ''] = /^List-Unsubscribe: ?<[^>]+?(\/recipients\/[^>]+)>/m.exec(raw) ?? [];
    const address = service().url + path;
    expect(await (await fetch(address)).text()).toContain('Stop these emails?');
    expect((await fetch(address.replace(/.{4}$/, 'AAAA'), { method: 'POST' })).status).toBe(404);
    expect((await owner.get(mailPath())).body).toMatchObject({ report_mail: { recipients: [anna] } });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    expect((await owner.get(mailPath())).body).toMatchObject({ report_mail: { recipients: [] } });
  });

  it('is sent when asked for, up to five times an hour', async () => {
    const anna = somebody();
    await owner.post(`${mailPath()}/send`, {}).expect(refusal(409, 'nobody_gets_report'));
    await wantedBy(anna);
    const { body } = await owner.post(`${mailPath()}/send`, { month: THIS }).expect(200);
    expect(body).toMatchObject({ sent: [{ to: anna, result: 'delivered' }] });
    const { text } = await jane.post(`/clients/${clientId}/report/mail/send`, { month: THIS });
    expect(text).toContain(`Email sent to ${anna}`);
    expect(subjectsTo(anna)).toEqual(Array(2).fill(`Report for Miller: ${nameOf(NOW)}`));
    for (let n = 0; n < 3; n++) await owner.post(`${mailPath()}/send`, {}).expect(200);
    await owner.post(`${mailPath()}/send`, {}).expect(429);
    // What was sent by hand is sent after the month all the same.
    await mailAt(firstIn(1));
    expect(subjectsTo(anna)).toHaveLength(6);
  });

  it('has recipients that the account alone sets, on the page too', async () => {
    const anna = somebody();
    const page = `/clients/${clientId}/report`;
    const typed = { 'report_mail.recipients': `${anna}, `, month: THIS };
    expect((await jane.post(`${page}/mail`, typed)).headers.location).toContain(THIS);
    expect((await jane.get(page)).text).toContain(`value="${anna}"`);
    const wrong = await jane.post(`${page}/mail`, { 'report_mail.recipients': 'anna' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('value="anna"');
    await wantedBy(...Array.from({ length: 11 }, somebody)).expect(422);

    const own = service().as(await owner.makeClientToken(clientId));
    await own.get(mailPath()).expect(404);
    await own.put(mailPath(), { report_mail: { recipients: [] } }).expect(404);
    await own.post(`${mailPath()}/send`, {}).expect(404);
    const browser = await service().makeBrowser(owner, { clientId, actions: ['see'] });
    expect((await browser.get(page)).text).not.toContain('Email this report');
    expect((await browser.post(`${page}/mail`, typed)).status).toBe(403);
    const { token } = await owner.makeToken({ rights: ['clients:read'] });
    await service().as(token).get(mailPath()).expect(200);
    await service()
      .as(token)
      .put(mailPath(), { report_mail: { recipients: [] } })
      .expect(403);
  });

  it('ends with the client', async () => {
    await wantedBy(somebody());
    await owner.delete(`/api/v1/clients/${clientId}`).expect(200);
    const rows = service().repository(Job);
    expect(await rows.countBy({ clientId })).toBe(0);
  });
});
