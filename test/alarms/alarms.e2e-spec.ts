import { AlarmsService } from '../../src/health/alarms.service.js';
import { FindingsRepository } from '../../src/health/findings.repository.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, useStoppedClock } from '../support/clock.js';
import { Rhythms, watchOf } from '../support/rhythm.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const clock = useStoppedClock();
const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const rhythms = new Rhythms(service, clock);

let count = 0;
let email: string;
let owner: Caller;
let form: FormBody;
/** A form of somebody else that always lives, so that the whole service is not silent. */
let bystander: FormBody;
beforeEach(async () => {
  email = `owner${++count}@example.com`;
  owner = await service().openAccount('Bakery', email);
  form = await owner.makeForm({ name: 'Contact', notify_owner_on_submission: false });
  bystander = await (await service().openAccount()).makeForm({ name: 'Bystander' });
});

/** Has all forms looked at, and owners told, as the tasks do it. */
async function tell(): Promise<void> {
  await rhythms.receive(bystander, [0]);
  await rhythms.tell();
}

/** Lets two more forms of the owner live as the first does. */
async function liveThrice(): Promise<void> {
  const others = ['Jobs', 'Orders'].map((name) => owner.makeForm({ name }));
  for (const one of [form, ...(await Promise.all(others))]) await rhythms.liveEvery(one, 5);
}

const told = () => server.to(email).map(({ mail }) => mail.subject);

// The first of all: what others receive is heard of, too.
it('The owner of forms hears nothing while the whole service is silent, but a day later', async () => {
  await liveThrice();
  await rhythms.tell();
  await rhythms.fallSilent(owner, form);
  await rhythms.tell();
  expect((await watchOf(owner, form)).state).toBe('silent');
  expect(told()).toEqual([]);
  clock.forward(2 * DAY_MS);
  await rhythms.tell();
  expect(told()).toEqual(['3 forms need attention']);
});

describe('An owner whose form falls silent', () => {
  it('is told once, with the last submission and what to check, and once more when it lives again', async () => {
    await service().submit(form, { name: 'Ada' });
    await rhythms.liveEvery(form, 5);
    await tell();
    expect(told()).toEqual([]);
    await rhythms.fallSilent(owner, form);
    await tell();
    expect(told()).toEqual(['No submissions from "Contact"']);
    const mail = server.to(email)[0]?.mail;
    expect(mail?.text).toContain('Last submission');
    expect(mail?.text).toContain('Submit the form once to check.');
    expect(mail?.text).toContain(`/forms/${form.identifier}/activity`);
    clock.forward(2 * HOUR_MS);
    await tell();
    await tell();
    expect(told()).toHaveLength(1);
    await rhythms.receive(form, [0]);
    clock.forward(HOUR_MS);
    await tell();
    clock.forward(HOUR_MS);
    await tell();
    expect(told()).toEqual(['No submissions from "Contact"', '"Contact" is receiving again']);
    clock.forward(HOUR_MS);
    await tell();
    expect(told()).toHaveLength(2);
  });

  it('is told once by two instances that find it at the same time', async () => {
    await rhythms.liveEvery(form, 5);
    await tell();
    await rhythms.fallSilent(owner, form);
    await rhythms.receive(bystander, [0]);
    await rhythms.look();
    const run = { now: clock.now() };
    const { app } = service();
    // Each looks before the other has told.
    const findings = app.get(FindingsRepository);
    const untold = findings.untold.bind(findings);
    const reads: (() => void)[] = [];
    const spy = jest.spyOn(findings, 'untold').mockImplementation(async (kind) => {
      const rows = await untold(kind);
      await new Promise<void>((resolve) => {
        if (reads.push(resolve) === 2) for (const goOn of reads) goOn();
      });
      return rows;
    });
    jest.spyOn(findings, 'lastToldAt').mockResolvedValueOnce(null).mockResolvedValueOnce(null);
    const alarms = app.get(AlarmsService);
    await Promise.all([alarms.tell(run), alarms.tell(run)]);
    spy.mockRestore();
    await service().sendDue();
    expect(told()).toEqual(['No submissions from "Contact"']);
  });

  it('is told nothing where the level is off', async () => {
    await rhythms.liveEvery(form, 5);
    await owner.put(`/api/v1/forms/${form.identifier}/watch`, { watch: { level: 'off' } });
    await tell();
    clock.forward(20 * DAY_MS);
    await tell();
    expect(told()).toEqual([]);
  });

  it('is told nothing of a form that was dead long before it was watched', async () => {
    await rhythms.liveEvery(form, 5);
    clock.forward(60 * DAY_MS);
    await tell();
    expect((await watchOf(owner, form)).state).toBe('silent');
    expect(told()).toEqual([]);
  });

  it('gets one mail about all forms that are found together', async () => {
    await liveThrice();
    await tell();
    await rhythms.fallSilent(owner, form);
    await tell();
    expect(told()).toEqual(['3 forms need attention']);
    expect(server.to(email)[0]?.mail.text).toContain('No submissions from "Orders"');
  });
});

it('An owner whose form nobody has connected is told after three days', async () => {
  await tell();
  clock.forward(3.1 * DAY_MS);
  await tell();
  expect(told()).toEqual(['No submissions to "Contact" yet']);
  await service().submit(form, { name: 'Ada' });
  await rhythms.receive(form, [0]);
  clock.forward(HOUR_MS);
  await tell();
  clock.forward(HOUR_MS);
  await tell();
  expect(told().at(-1)).toBe('"Contact" has received its first submission');
});

describe('An owner whose emails fail', () => {
  let [desk, boss] = ['', ''];
  /** Has one of two owners refuse the emails of a submission. */
  beforeEach(async () => {
    [desk, boss] = [`desk${count}@example.com`, `boss${count}@example.com`];
    await owner.patch(`/api/v1/forms/${form.identifier}`, {
      form: { notify_owner_emails: `${desk}, ${boss}`, notify_owner_on_submission: true },
    });
    server.answer = (to) => (to === desk ? { at: 'recipient', code: 451, text: 'Later' } : 'accept');
    await service().submit(form, { name: 'Ada' });
    await goOn(MINUTE_MS);
  });
  afterEach(() => {
    server.answer = () => 'accept';
  });

  async function goOn(ms: number): Promise<void> {
    await service().sendDue();
    clock.forward(ms);
    await service().sendDue();
    await tell();
  }
  const subjectsTo = (to: string) => server.to(to).map(({ mail }) => mail.subject);
  const ALARM = 'Emails about "Contact" are not delivered';
  const told = async () => {
    await goOn(HOUR_MS);
    return subjectsTo(boss).filter((subject) => subject === ALARM);
  };

  it('is told after an hour of failures, once', async () => {
    expect(subjectsTo(boss)).toHaveLength(1);
    expect(await told()).toEqual([ALARM]);
    expect(await told()).toEqual([ALARM]);
  });

  it('is told nothing of what has passed by then', async () => {
    server.answer = () => 'accept';
    expect(await told()).toEqual([]);
    expect(subjectsTo(desk)).toHaveLength(1);
  });

  it('is told nothing where the level is off', async () => {
    await owner.put(`/api/v1/forms/${form.identifier}/watch`, { watch: { level: 'off' } });
    expect(await told()).toEqual([]);
  });
});
