import { COMMAND_LINE } from '../../src/access/actor.js';
import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { OperatorAlarms } from '../../src/operations/alarms/operator-alarms.js';
import { PeopleService } from '../../src/people/members/people.service.js';
import { SubmissionCount } from '../../src/statistics/counts/submission-count.entity.js';
import { HOUR_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { makeForm, type FormBody } from '../support/make.js';
import { makePerson } from '../support/people.js';
import { Service, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { submit } from '../support/submissions.js';

const LOOK_MS = 10 * MINUTE_MS;
const mailbox = useMailServer();
const clock = useClock();
let database: TestDatabase;
let service: Service;
let sibling: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  database = await createTables();
  const settings = { ...database.settings, WORKERS: 'off', SMTP_URL: mailbox.url };
  service = await Service.start(settings);
  sibling = await Service.start(settings);
  owner = await service.openAccount();
  const { email } = await makePerson(service, owner);
  await service.app.get(PeopleService).makeOperator(COMMAND_LINE, email, true);
  form = await makeForm(owner, { notify_owner_emails: 'ada@example.com' });
});
afterEach(async () => {
  await service.app.close();
  await sibling.app.close();
  await database.drop();
});

const look = (at = service) => at.app.get(OperatorAlarms).look({ now: clock.now() });
const lookLater = async (at?: Service) => {
  clock.forward(LOOK_MS);
  await look(at);
};
const subjects = () => mailbox.mails.map(({ mail }) => mail.subject);
/** Makes a delivery that nobody attempts: no worker runs. */
async function fail(): Promise<void> {
  await submit(service, form, { a: '1' });
  clock.forward(LOOK_MS + MINUTE_MS);
}
const mend = () => service.repository(Delivery).createQueryBuilder().delete().execute();

describe('A check that fails', () => {
  it('is told once, at the second look in a row, and once more when it is well again', async () => {
    await look();
    await fail();
    await look();
    expect(subjects()).toEqual([]);
    await lookLater();
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries']);
    expect(mailbox.mails[0]?.mail.text).toContain('deliveries are more than ten minutes late');
    await mend();
    await lookLater();
    await lookLater();
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries', 'Well again: deliveries']);
    expect(mailbox.mails[1]?.mail.text).toContain('No delivery is late.');
  });

  it('is told by one of several processes', async () => {
    await fail();
    for (let n = 0; n < 3; n++) {
      await Promise.all([look(), look(sibling)]);
      clock.forward(LOOK_MS);
    }
    expect(subjects()).toEqual(['Check failed: deliveries']);
    await mend();
    for (let n = 0; n < 3; n++) {
      await Promise.all([look(), look(sibling)]);
      clock.forward(LOOK_MS);
    }
    expect(subjects()).toEqual(['Check failed: deliveries', 'Well again: deliveries']);
  });

  it('is not told when a look in between finds it well', async () => {
    await fail();
    await look();
    await mend();
    await lookLater();
    await fail();
    await look();
    expect(subjects()).toEqual([]);
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries']);
  });

  it('is told later when nobody can be told now', async () => {
    await fail();
    await look();
    mailbox.answer = () => ({ at: 'recipient', code: 450, text: 'later' });
    await lookLater();
    mailbox.answer = () => 'accept';
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries']);
  });

  it('is told as well again later when nobody can be told now', async () => {
    await fail();
    await look();
    await lookLater();
    await mend();
    await lookLater();
    mailbox.answer = () => ({ at: 'recipient', code: 450, text: 'later' });
    await lookLater();
    mailbox.answer = () => 'accept';
    await lookLater();
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries', 'Well again: deliveries']);
  });

  it('has no mail to people who are no operators', async () => {
    await makePerson(service, owner);
    await fail();
    await look();
    await lookLater();
    expect(mailbox.mails).toHaveLength(1);
  });
});

it('The flow of mails has failed once nothing is accepted where there was something before', async () => {
  const hour = Math.floor(clock.now().getTime() / HOUR_MS);
  const rows = service.repository(SubmissionCount);
  const accountId = (await owner.read('/api/v1/me')).account.id;
  const day = hour - (hour % 24) - 48;
  const count = { accountId, formId: 0, submissions: 5, spam: 0 };
  await rows.insert({ ...count, length: 24, begins: day, mailsDelivered: 5 });
  await rows.insert({ ...count, length: 1, begins: hour, mailsFailed: 3 });
  await look();
  await lookLater();
  expect(subjects()).toEqual(['Check failed: mail flow']);
  expect(mailbox.mails[0]?.mail.text).toContain('No email of the last 24 hours was accepted');
});
