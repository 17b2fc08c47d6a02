import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deliveriesOf, deliveriesPath, sendDue } from './support/deliveries.js';
import { makeClient, makeClientToken, makeForm, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';
import { listed, submit } from './support/submissions.js';
import { answers, WebhookReceiver } from './support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const EVERYWHERE = '/api/v1/destinations';

let receiver: WebhookReceiver;
let owner: Caller;
let form: FormBody;
let path: string;
beforeEach(async () => {
  receiver = await WebhookReceiver.start(answers(200, 'ok'));
  owner = await service().openAccount();
  form = await makeForm(owner, { notify_owner_on_submission: false });
  path = `/api/v1/forms/${form.identifier}`;
});
afterEach(async () => {
  await receiver.close();
});

/** Adds a destination. Returns its path. */
async function add(more: object = {}, where = `${path}/destinations`): Promise<string> {
  const destination = { name: 'Sales', kind: 'slack', settings: { url: receiver.url }, ...more };
  const { body } = await owner.post(where, { destination }).expect(201);
  const { id } = (body as { destination: { id: string } }).destination;
  return where.replace(/(\?.*)?$/, `/${id}$1`);
}

describe('What went to destinations of the account and of its clients', () => {
  const codesOf = async (caller: Caller) => {
    const { body } = await caller.get(`${path}/warnings`).expect(200);
    return (body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
  };
  const failedOf = (caller: Caller) => listed(caller, form, 'q=is:failed');
  const countOf = async (caller: Caller) => {
    const { body } = await caller.get(`${path}/redeliveries`).expect(200);
    return (body as { count: number }).count;
  };

  it('is nothing that a client sees, counts, sends again or discards', async () => {
    const client = await makeClient(owner, { form_ids: [form.id] });
    const theirs = service().as(await makeClientToken(owner, client));
    await add({ name: 'Account', paused: true }, EVERYWHERE);
    await add({ name: 'Client', paused: true }, `${EVERYWHERE}?client_id=${client}`);
    await add({ name: 'Own', paused: true });
    const id = await submit(service(), form);
    await sendDue(service());

    const all = await deliveriesOf(owner, form, id);
    const own = await deliveriesOf(theirs, form, id);
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
    await sendDue(service());
    expect(await codesOf(theirs)).toContain('destination_failing');
    expect((await failedOf(theirs)).submissions).toHaveLength(1);

    await theirs.delete(`${path}/deliveries?state=failed`).expect(200, { discarded: 1 });
    expect([await countOf(owner), await countOf(theirs)]).toEqual([2, 0]);
    expect(await codesOf(owner)).toContain('destination_failing');
    expect(await codesOf(theirs)).not.toContain('destination_failing');
    expect((await failedOf(owner)).submissions).toHaveLength(1);
    expect((await failedOf(theirs)).submissions).toEqual([]);
    expect(await deliveriesOf(theirs, form, id)).toEqual([]);
  });
});
