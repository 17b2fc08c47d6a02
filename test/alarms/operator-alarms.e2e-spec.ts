import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { OperatorAlarms } from '../../src/operations/doctor/doctor.service.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { Counter } from '../../src/statistics/counter.entity.js';
import { allFormsOf, RECEIVED } from '../../src/statistics/sums.js';
import { HOUR_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { useOwnDatabases } from '../support/own-database.js';
import type { FormBody, Caller, Service } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const LOOK_MS = 10 * MINUTE_MS;
const mailbox = useMailServer();
const clock = useClock();
const { start } = useOwnDatabases();
let service: Service;
let sibling: Service;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  const settings = { WORKERS: 'off', SMTP_URL: mailbox.url };
  service = await start(settings);
  sibling = await start(settings);
  owner = await service.openAccount();
  const { email } = await service.makePerson(owner);
  await service.app.get(PeopleService).makeOperator(COMMAND_LINE, email, true);
  await service.makePerson(owner); // no operator, and told nothing
  form = await owner.makeForm({ notify_owner_emails: 'ada@example.com' });
});
const look = (at = service) => at.app.get(OperatorAlarms).look({ now: clock.now() });
const lookLater = async (at?: Service) => {
  clock.forward(LOOK_MS);
  await look(at);
};
const subjects = () => mailbox.mails.map(({ mail }) => mail.subject);
/** Makes a delivery that nobody attempts: no worker runs. */
async function fail(): Promise<void> {
  await service.submit(form, { a: '1' });
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
    const lookThrice = async () => {
      for (let n = 0; n < 3; n++) {
        await Promise.all([look(), look(sibling)]);
        clock.forward(LOOK_MS);
      }
    };
    await fail();
    await lookThrice();
    expect(subjects()).toEqual(['Check failed: deliveries']);
    await mend();
    await lookThrice();
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

  it('is told later when nobody can be told now, and as well again too', async () => {
    const lookUnheard = async () => {
      mailbox.answer = () => ({ at: 'recipient', code: 450, text: 'later' });
      await lookLater();
      mailbox.answer = () => 'accept';
      await lookLater();
    };
    await fail();
    await look();
    await lookUnheard();
    expect(subjects()).toEqual(['Check failed: deliveries']);
    await mend();
    await lookLater();
    await lookUnheard();
    await lookLater();
    expect(subjects()).toEqual(['Check failed: deliveries', 'Well again: deliveries']);
  });
});

it('The flow of mails has failed once nothing is accepted where there was something before', async () => {
  const hour = Math.floor(clock.now().getTime() / HOUR_MS);
  const rows = service.repository(Counter);
  const formId = allFormsOf((await owner.read('/api/v1/me')).account.id);
  const day = hour - (hour % 24) - 48;
  const count = { formId, name: RECEIVED, text: null };
  await rows.insert({ ...count, length: 24, begins: day, item: 'mailsDelivered', amount: 5 });
  await rows.insert({ ...count, length: 1, begins: hour, item: 'mailsFailed', amount: 3 });
  await look();
  await lookLater();
  expect(subjects()).toEqual(['Check failed: mail flow']);
  expect(mailbox.mails[0]?.mail.text).toContain('No email of the last 24 hours was accepted');
});
