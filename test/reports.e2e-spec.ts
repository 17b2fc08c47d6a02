import { beforeEach, describe, expect, it } from '@jest/globals';
import { TaskRunner } from '../src/platform/background/task-runner.js';
import { useClock } from './support/clock.js';
import { makeClient, makeClientToken, makeForm, makeToken, type FormBody } from './support/make.js';
import { Browser, makePerson, openWithOwner } from './support/people.js';
import { useService, type Caller } from './support/service.js';
import { submit } from './support/submissions.js';

const clock = useClock();
const service = useService({ WORKERS: 'off' });
/** This month and the one before, as the service counts them. */
const NOW = new Date();
const THIS = NOW.toISOString().slice(0, 7);
const next = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + 1, 15));
const NEXT = next.toISOString().slice(0, 7);

let owner: Caller;
let jane: Browser;
let bakery: FormBody;
let clientId: number;

beforeEach(async () => {
  ({ owner, browser: jane } = await openWithOwner(service()));
  bakery = await makeForm(owner, { name: 'Bakery' });
  const joiner = await makeForm(owner, { name: 'Joiner' });
  clientId = await makeClient(owner, { name: 'Miller', form_ids: [bakery.id] });
  await submit(service(), bakery, { text: 'Hello' });
  await submit(service(), bakery, { text: 'Hello', _gotcha: 'x' });
  await submit(service(), joiner, { text: 'Hello' });
  await service().app.get(TaskRunner).runAll(new Date());
});

const path = (month: string) => `/api/v1/clients/${clientId}/report?month=${month}`;

describe('The monthly report of a client', () => {
  it('sums up its forms alone, and the month before', async () => {
    const { body } = await owner.get(path(THIS)).expect(200);
    expect(body).toMatchObject({
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

  it('is of the last month that is over by default', async () => {
    clock.forwardTo(next.toISOString());
    const { body } = await owner.get(`/api/v1/clients/${clientId}/report`).expect(200);
    expect(body).toMatchObject({ month: THIS });
  });

  it('is shown to the client, and to no other', async () => {
    const own = service().as(await makeClientToken(owner, clientId));
    expect((await own.get(path(THIS)).expect(200)).body).toMatchObject({
      totals: { submissions: 1 },
    });
    const other = service().as(await makeClientToken(owner, await makeClient(owner)));
    await other.get(path(THIS)).expect(404);
    await (await service().openAccount('Other')).get(path(THIS)).expect(404);
    const { token } = await makeToken(owner, { rights: ['submissions:read'] });
    await service().as(token).get(path(THIS)).expect(403);
  });

  it('is a page for the account and for people of the client', async () => {
    const page = `/clients/${clientId}/report?month=${THIS}`;
    const { text } = await jane.get(page);
    expect(text).toContain('Report for Miller');
    expect(text).toContain('Bakery');
    expect(text).not.toContain('Joiner');
    expect((await jane.get(`/clients/${clientId}`)).text).toContain(`/clients/${clientId}/report`);
    const kim = await makePerson(service(), owner, { clientId, actions: ['see'] });
    const browser = new Browser(service());
    await browser.signIn(kim.email);
    expect((await browser.get('/statistics')).text).toContain(`/clients/${clientId}/report`);
    expect((await browser.get(page)).text).toContain('Report for Miller');
    const other = await makeClient(owner);
    expect((await browser.get(`/clients/${other}/report`)).status).toBe(404);
  });
});
