import { DAY_MS, useClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useSignedIn } from '../support/service.js';
import { useMailServer, type ReceivedMail } from '../support/smtp.js';

const PATH = '/api/v1/weekly-mail';
const clock = useClock();
const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
let made = 0;
const owner = useOwner(service);
const jane = useSignedIn(service, owner);

/** Begins on no Monday, on which a mail may be due already. */
beforeEach(() => {
  if (clock.now().getUTCDay() === 1) clock.forward(DAY_MS);
});

const somebody = () => `somebody-${++made}-${Date.now()}@example.com`;
const wantedBy = (...recipients: string[]) => owner.put(PATH, { weekly_mail: { recipients } }).expect(200);
const wanted = async (): Promise<unknown> => (await owner.get(PATH).expect(200)).body;
/** Returns the first Monday after now at 6:00 UTC, or a later one. */
function monday(weeks = 1): Date {
  const day = new Date(clock.now().toISOString().slice(0, 10)).getTime();
  const after = ((8 - new Date(day).getUTCDay()) % 7 || 7) + 7 * (weeks - 1);
  return new Date(day + after * DAY_MS + 6 * 3_600_000);
}
const mailAt = (now: Date) => service().work('week', now);
const subjectsTo = (email: string) => server.to(email).map(({ mail }) => mail.subject);
function lastTo(email: string): ReceivedMail {
  const mail = server.to(email).at(-1);
  if (!mail) throw new Error(`Nothing went to ${email}.`);
  return mail;
}

describe('The weekly email', () => {
  it('goes on Mondays at six to those who want it, and says that all is well', async () => {
    const anna = somebody();
    await owner.makeForm({ notify_owner_emails: anna });
    await owner.makeForm({ notify_owner_emails: anna });
    await wantedBy(anna);
    await mailAt(new Date(monday().getTime() - 1));
    expect(subjectsTo(anna)).toEqual([]);
    await mailAt(monday());
    await mailAt(new Date(monday().getTime() + DAY_MS));
    expect(subjectsTo(anna)).toEqual(['All 2 forms are working']);
    await mailAt(monday(5));
    await mailAt(monday(5));
    expect(subjectsTo(anna)).toHaveLength(2);
  });

  it('names the forms that need a look, with the reason, and compares the weeks', async () => {
    const anna = somebody();
    await owner.makeForm({ notify_owner_emails: anna });
    const silent = await owner.makeForm({ name: 'Jobs', notify_owner_on_submission: false });
    await service().submit(silent, { text: 'Hello' });
    await service().upkeep();
    await wantedBy(anna);
    clock.forward(2 * DAY_MS);
    const { body } = await owner.post(`${PATH}/send`, {}).expect(200);
    expect(body).toMatchObject({ sent: [{ to: anna, result: 'delivered' }] });
    expect(subjectsTo(anna)).toEqual(['1 of 2 forms needs attention: Jobs']);
    const { text, html } = lastTo(anna).mail;
    expect(text).toContain('Nobody is notified of submissions');
    expect(html).toContain(`/forms/${silent.identifier}"`);
    expect(text).toContain('Submissions last week: 1 (0 the week before)');
  });

  it('says of one form that it is well, and names no more than three', async () => {
    const anna = somebody();
    await owner.makeForm({ notify_owner_emails: anna });
    await wantedBy(anna);
    await owner.post(`${PATH}/send`, {}).expect(200);
    for (const name of ['A', 'B', 'C', 'D', 'E']) await owner.makeForm({ name, notify_owner_on_submission: false });
    await owner.post(`${PATH}/send`, {}).expect(200);
    expect(subjectsTo(anna)).toEqual(['Your form is working', '5 of 6 forms need attention: A, B, C, and 2 more']);
  });

  it('is set, shown and turned off, for one account alone', async () => {
    expect(await wanted()).toEqual({ weekly_mail: { recipients: [], unconfirmed: [] } });
    const [anna, ben] = [somebody(), somebody()];
    await wantedBy(anna, ben, anna.toUpperCase());
    expect(await wanted()).toMatchObject({ weekly_mail: { recipients: [anna, ben] } });
    const stranger = await service().openAccount();
    await stranger.get(PATH).expect(200, { weekly_mail: { recipients: [], unconfirmed: [] } });
    await stranger.post(`${PATH}/send`, {}).expect(refusal(409, 'nobody_gets_report'));
    await wantedBy();
    await owner.post(`${PATH}/send`, {}).expect(refusal(409, 'nobody_gets_report'));
    for (const recipients of [null, 'a@example.com', ['x'], Array.from({ length: 11 }, somebody)]) {
      await owner
        .put(PATH, { weekly_mail: { recipients } })
        .expect(refusal(422, 'invalid_fields', 'weekly_mail.recipients'));
    }
  });

  it('ends by its link, and leaves the others', async () => {
    const [anna, ben] = [somebody(), somebody()];
    await owner.makeForm({ notify_owner_emails: anna });
    await wantedBy(anna, ben);
    await owner.post(`${PATH}/send`, {}).expect(200);
    const link = /List-Unsubscribe: *<([^<>]+)>/i.exec(lastTo(anna).raw.replace(/\r\n /g, ' '))?.[1] ?? '';
    const { pathname } = new URL(link);
    await fetch(service().url + pathname);
    expect(await wanted()).toMatchObject({ weekly_mail: { recipients: [anna, ben] } });
    expect((await fetch(service().url + pathname, { method: 'POST' })).status).toBe(200);
    expect(await wanted()).toMatchObject({ weekly_mail: { recipients: [ben] } });
  });

  it('ends for people who are removed', async () => {
    const member = await service().makePerson(owner);
    const anna = somebody();
    await wantedBy(anna, member.email);
    await owner.delete(`/api/v1/people/${member.id}`).expect(200);
    expect(await wanted()).toMatchObject({ weekly_mail: { recipients: [anna] } });
  });

  it('is left to who may change clients', async () => {
    const none = { weekly_mail: { recipients: [] } };
    const client = await owner.makeClientCaller();
    for (const answer of [client.get(PATH), client.put(PATH, none), client.post(`${PATH}/send`, {})])
      await answer.expect(refusal(403, 'account_change_forbidden'));
  });

  it('is set and sent on the page of the status', async () => {
    const anna = somebody();
    await owner.makeForm({ notify_owner_emails: anna });
    await jane.post('/status/weekly-mail', { 'weekly_mail.recipients': anna });
    expect(await wanted()).toMatchObject({ weekly_mail: { recipients: [anna] } });
    expect((await jane.get('/status')).text).toContain(anna);
    const sent = await jane.post('/status/weekly-mail/send', {});
    expect(sent.text).toContain(`Email sent to ${anna}`);
    const wrong = await jane.post('/status/weekly-mail', { 'weekly_mail.recipients': 'anna' });
    expect(wrong.status).toBe(422);
  });
});
