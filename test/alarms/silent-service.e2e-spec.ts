import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, useStoppedClock } from '../support/clock.js';
import { makeForm, type FormBody } from '../support/make.js';
import { Rhythms, watchOf } from '../support/rhythm.js';
import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

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

const told = () => server.to(email).map(({ mail }) => mail.subject);
describe('The owner of forms', () => {
  it('hears nothing while the whole service is silent, but a day later', async () => {
    const others = [
      await makeForm(owner, { name: 'Jobs' }),
      await makeForm(owner, { name: 'Orders' }),
    ];
    for (const one of [form, ...others]) await rhythms.liveEvery(one, 5);
    await rhythms.tell();
    await rhythms.fallSilent(owner, form);
    await rhythms.tell();
    expect((await watchOf(owner, form)).state).toBe('silent');
    expect(told()).toEqual([]);
    clock.forward(2 * DAY_MS);
    await rhythms.tell();
    expect(told()).toEqual(['3 forms need a look']);
  });
});
