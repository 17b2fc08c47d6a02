import { beforeEach, describe, expect, it } from '@jest/globals';
import { AlarmsService } from '../src/alarms/alarms.service.js';
import { DAY_MS, MINUTE_MS, useStoppedClock } from './support/clock.js';
import { sendDue } from './support/deliveries.js';
import { makeForm, type FormBody } from './support/make.js';
import { Rhythms } from './support/rhythm.js';
import { useService, type Caller } from './support/service.js';
import { useMailServer } from './support/smtp.js';

const clock = useStoppedClock();
const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const rhythms = new Rhythms(service, clock);

let count = 0;
let email: string;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  email = `owner${++count}@example.com`;
  owner = await service().openAccount('Bakery', email);
  form = await makeForm(owner, { name: 'Contact', notify_owner_on_submission: false });
});

/** Has all forms looked at, and owners told, as the tasks do it. */
async function tell(): Promise<void> {
  await rhythms.look();
  await service().app.get(AlarmsService).tell({ now: clock.now() });
  await sendDue(service());
}

const told = () => server.to(email).map(({ mail }) => mail.subject);
const watchOf = async ({ identifier }: FormBody) => {
  const { body } = await owner.get(`/api/v1/forms/${identifier}/watch`).expect(200);
  return (body as { watch: { silent_from: string; state: string } }).watch;
};

describe('The owner of forms', () => {
  it('hears nothing while the whole service is silent, but a day later', async () => {
    const others = [
      await makeForm(owner, { name: 'Jobs' }),
      await makeForm(owner, { name: 'Orders' }),
    ];
    for (const one of [form, ...others]) await rhythms.liveEvery(one, 5);
    await tell();
    clock.forward(
      Date.parse((await watchOf(form)).silent_from) - clock.now().getTime() + MINUTE_MS,
    );
    await tell();
    expect((await watchOf(form)).state).toBe('silent');
    expect(told()).toEqual([]);
    clock.forward(2 * DAY_MS);
    await tell();
    expect(told()).toEqual(['3 forms need a look']);
  });
});
