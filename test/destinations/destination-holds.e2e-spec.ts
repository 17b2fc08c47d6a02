import { MINUTE_MS, useClock } from '../support/clock.js';
import { deliveriesPath } from '../support/deliveries.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type Caller } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { useReceiver, answers } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();
const EVERYWHERE = '/api/v1/destinations';
let path: string;
const receiver = useReceiver(answers(200, 'ok'));
const owner = useOwner(service);
const form = useForm(owner, { notify_owner_on_submission: false });
beforeEach(() => {
  path = `/api/v1/forms/${form.identifier}`;
});
/** Adds a destination. Returns its path. */
async function add(more: object = {}, where = `${path}/destinations`): Promise<string> {
  const destination = { name: 'Sales', kind: 'slack', settings: { url: receiver.url }, ...more };
  const { id } = (await owner.create(where, { destination })).destination;
  return `${where.split('?')[0]}/${id}`;
}

const markAs = (id: string, spam: boolean) =>
  owner.patch(`${pathOf(form)}/${id}`, { submission: { spam } }).expect(200);

/** Says of how many points a blocked word is, and which word that is: 6 hold, 10 are spam. */
async function block(word: string, points = 6): Promise<void> {
  const signals = { lists: { points }, repetition: { enabled: false } };
  await owner.put(`${path}/spam`, { spam: { signals } }).expect(200);
  await owner.put(`${path}/spam/lists`, { lists: { block: word } }).expect(200);
}

/** Judges all submissions of the form again. */
async function rejudge(): Promise<void> {
  await owner.post(`${path}/submissions/rejudge`, { q: '' }).expect(202);
  await service().upkeep(clock.now());
}

/** Sends what is due soon. Returns how many calls that made. */
async function calls(): Promise<number> {
  const before = receiver.calls.length;
  clock.forward(MINUTE_MS);
  await service().sendDue();
  return receiver.calls.length - before;
}

it('What went to destinations of the account and of its clients is nothing that a client sees, counts, sends again or discards', async () => {
  const failedOf = (caller: Caller) => caller.list(form, 'q=is:failed');

  const countOf = async (caller: Caller) => (await caller.read(`${path}/redeliveries`)).count;

  const client = await owner.makeClient({ form_ids: [form.id] });
  const theirs = service().as(await owner.makeClientToken(client));
  receiver.behaviour = answers(410);
  await add({ name: 'Account' }, EVERYWHERE);
  await add({ name: 'Client' }, `${EVERYWHERE}?client_id=${client}`);
  await add({ name: 'Own' });
  const id = await service().deliver(form);

  const all = await owner.deliveriesOf(form, id);
  const own = await theirs.deliveriesOf(form, id);
  expect(all.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  expect(own).toHaveLength(1);
  const hidden = all.filter((each) => each.id !== own[0]?.id);
  const attemptsOf = (each: { id: string }) => `${deliveriesPath(form, id)}/${each.id}/attempts`;
  for (const each of hidden) {
    await theirs.post(attemptsOf(each)).expect(refusal(404, 'delivery_not_found'));
    await owner.post(attemptsOf(each)).expect(200);
  }

  expect([await countOf(owner), await countOf(theirs)]).toEqual([3, 1]);
  await theirs.post(`${path}/redeliveries`, {}).expect(200, { redelivered: 1 });
  await service().sendDue();
  expect((await failedOf(theirs)).submissions).toHaveLength(1);

  await theirs.delete(`${path}/deliveries?state=failed`).expect(200, { discarded: 1 });
  expect([await countOf(owner), await countOf(theirs)]).toEqual([2, 0]);
  expect((await failedOf(owner)).submissions).toHaveLength(1);
  expect((await failedOf(theirs)).submissions).toEqual([]);
  expect(await theirs.deliveriesOf(form, id)).toEqual([]);
});

it('A client hears that a destination of its own fails, and nothing of one of the account', async () => {
  const client = await owner.makeClient({ can_create_forms: true });
  const theirs = service().as(await owner.makeClientToken(client));
  const own = await theirs.makeForm({ webhook_url: 'https://hooks.example.com/' });
  const isTold = async (caller: Caller) => {
    const { warnings } = await caller.read(`/api/v1/forms/${own.identifier}/warnings`);
    return warnings.some(({ code }) => code === 'destination_failing');
  };
  receiver.behaviour = answers(410);
  await add({ name: 'Account' }, EVERYWHERE);
  await service().deliver(own);
  expect([await isTold(owner), await isTold(theirs)]).toEqual([true, false]);

  await add({ name: 'Own' }, `/api/v1/forms/${own.identifier}/destinations`);
  await service().deliver(own);
  expect([await isTold(owner), await isTold(theirs)]).toEqual([true, true]);
});

describe('What a destination asks for', () => {
  const watch = (value: string) => add({ conditions: [{ fact: 'verdict', op: 'is', value }], match: 'any' });

  it('goes out at the next try, whatever else is said of spam', async () => {
    await watch('spam');
    receiver.behaviour = answers(500);
    const id = await service().submitSpam(form, { message: 'Buy' });
    expect(await calls()).toBe(1);
    await markAs(id, false);
    await markAs(id, true);
    receiver.behaviour = answers(200);
    expect(await calls()).toBe(1);
  });

  it('goes out at the next try when it is held again', async () => {
    await watch('held');
    await block('casino');
    receiver.behaviour = answers(500);
    await service().submit(form, { message: 'Our casino' });
    expect(await calls()).toBe(1);
    await block('');
    await rejudge();
    await block('casino');
    await rejudge();
    receiver.behaviour = answers(200);
    expect(await calls()).toBe(1);
  });
});

describe('What failed and is sent again', () => {
  const pause = (destination: string, paused: boolean) =>
    owner.patch(destination, { destination: { paused } }).expect(200);
  const retry = (destination: string) => owner.post(`${destination}/retry`).expect(200);

  it('waits while its submission is spam or held', async () => {
    const destination = await add({ paused: true });
    const id = await service().submit(form);
    const held = await service().submit(form, { message: 'Our casino' });
    const other = await service().submit(form);
    expect(await calls()).toBe(0);
    await markAs(id, true);
    await block('casino');
    await rejudge();
    await pause(destination, false);
    await retry(destination);
    expect(await calls()).toBe(1);
    expect(await owner.deliveriesOf(form, other)).toMatchObject([{ state: 'delivered' }]);

    for (const each of [id, held]) {
      await markAs(each, false);
      expect(await calls()).toBe(1);
    }
  });

  it('goes out although its submission is spam, if its destination asks for spam', async () => {
    const conditions = [{ fact: 'verdict', op: 'is', value: 'spam' }];
    const destination = await add({ conditions, paused: true });
    await service().submitSpam(form, { message: 'Buy' });
    expect(await calls()).toBe(0);
    await pause(destination, false);
    await retry(destination);
    expect(await calls()).toBe(1);
  });

  it('waits too when it is a call of the webhook', async () => {
    await owner.patch(path, { form: { webhook_url: receiver.url } }).expect(200);
    const enable = (enabled: boolean) =>
      owner.patch(`${path}/webhook`, { webhook: { enabled, resend: enabled } }).expect(200);
    await enable(false);
    const id = await service().submit(form);
    expect(await calls()).toBe(0);
    await markAs(id, true);
    await enable(true);
    expect(await calls()).toBe(0);

    await markAs(id, false);
    expect(await calls()).toBe(1);
  });
});
