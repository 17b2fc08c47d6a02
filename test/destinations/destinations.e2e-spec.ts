import type { Schemas } from '../../build/api.js';
import { SECOND_MS, useClock } from '../support/clock.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { useReceiver, answers } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();

type Shown = Schemas['DestinationDto'];
let path: string;
const receiver = useReceiver(answers(200, 'ok'));
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });
beforeEach(() => {
  path = `/api/v1/forms/${form.identifier}/destinations`;
});
const shown = (body: unknown) => (body as { destination: Shown }).destination;

async function add(more: object = {}, where = path): Promise<Shown> {
  const destination = { name: 'Sales', kind: 'slack', settings: { url: receiver.url }, ...more };
  return shown(await owner.create(where, { destination }));
}

const list = async (where = path, caller = owner): Promise<Shown[]> => (await caller.read(where)).destinations;

/** Sends values and delivers what is due. Returns the texts that were received. */
async function receives(values: object, headers: Record<string, string> = {}): Promise<string[]> {
  const before = receiver.calls.length;
  await service().deliver(form, values, headers);
  return receiver.calls.slice(before).map(({ body }) => body);
}

describe('A destination', () => {
  it('is added with its conditions, and gets what they choose', async () => {
    const conditions = [{ field: 'topic', op: 'is', value: 'Sales' }];
    expect(await add({ match: 'all', conditions, paused: false })).toMatchObject({
      ...{ of: 'form', name: 'Sales', kind: 'slack', match: 'all', conditions, position: 1 },
      ...{ paused: false, given_up: false, failing_since: null },
    });
    expect(await receives({ topic: ' sales ', message: 'Two, please' })).toEqual([
      expect.stringContaining('Two, please'),
    ]);
    expect(await receives({ topic: 'Support', message: 'Help' })).toEqual([]);
  });

  it('is listed behind those that every form has, in its place', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, {
      form: { webhook_url: receiver.url, notify_owner_emails: 'a@example.com' },
    });
    await add({ name: 'One' });
    const two = await add({ name: 'Two' });
    await add({ name: 'Three', position: 1 });
    await owner.patch(`${path}/${two.id}`, { destination: { position: 1 } }).expect(200);

    expect((await list()).map(({ of, name }) => [of, name])).toEqual([
      ['form', 'Team'],
      ['form', 'Visitor'],
      ['form', 'Webhook'],
      ['form', 'Two'],
      ['form', 'Three'],
      ['form', 'One'],
    ]);
    expect((await list()).slice(0, 3)).toMatchObject([
      { role: 'team', settings: { to: 'a@example.com' }, paused: true },
      { role: 'visitor', settings: {}, paused: true },
      { role: 'webhook', settings: { url: receiver.url }, paused: false },
    ]);
  });

  it('never shows its secrets again, nor has them in the database in clear', async () => {
    const made = await add();
    const shows = `http://127.0.0.1:${receiver.port}/…`;
    expect(made.settings).toEqual({ url: shows });

    const sentBack = { name: 'Renamed', settings: { url: shows } };
    const { body } = await owner.patch(`${path}/${made.id}`, { destination: sentBack }).expect(200);
    expect(shown(body)).toMatchObject({ name: 'Renamed', settings: { url: shows } });
    expect(await receives({ message: 'Hi' })).toHaveLength(1);

    const rows: object[] = await service().query('SELECT * FROM destinations');
    expect(JSON.stringify(rows)).not.toContain('/hook');
    const sent: object[] = await service().query('SELECT * FROM deliveries');
    expect(JSON.stringify(sent)).not.toContain('/hook');
  });

  it('shows a signing secret that we made once', async () => {
    const made = await add({ kind: 'webhook' });
    expect(made.settings.secret).toMatch(/^whsec_/);
    const { body } = await owner.get(`${path}/${made.id}`).expect(200);
    expect(shown(body).settings).toEqual({ url: receiver.url, secret: '…' });
  });

  it('is led elsewhere only with its secrets sent again', async () => {
    const token = '123456789:AAE_abcdefghijklmnopqrstuvwxyz0123';
    const settings = { token, chat: '-1', server: receiver.url };
    const { id } = await add({ kind: 'telegram', settings });
    const elsewhere = { server: 'http://127.0.0.1:1/' };
    await owner
      .patch(`${path}/${id}`, { destination: { settings: elsewhere } })
      .expect(refusal(422, 'invalid_fields', 'destination.settings.token'));
    await owner
      .patch(`${path}/${id}`, { destination: { settings: { ...elsewhere, token: '…' } } })
      .expect(refusal(422, 'invalid_fields', 'destination.settings.token'));
    await owner.patch(`${path}/${id}`, { destination: { settings: { ...elsewhere, token } } }).expect(200);
  });

  it('keeps no secret of which a receiver tells', async () => {
    const token = '123456789:AAE_abcdefghijklmnopqrstuvwxyz0123';
    receiver.behaviour = (response, { url = '' }) => {
      answers(404, `{"ok":false,"description":"Cannot POST ${url}"}`)(response, undefined as never);
    };
    const settings = { token, chat: '-1', server: new URL(receiver.url).origin };
    const { id } = await add({ kind: 'telegram', settings });
    expect((await owner.post(`${path}/${id}/test`).expect(200)).body).toMatchObject({
      result: 'refused',
      answer: '{"ok":false,"description":"Cannot POST /bot…/sendMessage"}',
    });
  });

  it('gets nothing while it is paused, and what it missed when somebody asks', async () => {
    const { id } = await add({ paused: true });
    expect(await receives({ message: 'Missed' })).toEqual([]);

    await owner.patch(`${path}/${id}`, { destination: { paused: false } }).expect(200);
    expect(await receives({ message: 'Now' })).toHaveLength(1);
    await owner.post(`${path}/${id}/retry`).expect(200, { retried: 1 });
    await service().sendDue();
    expect(receiver.last.body).toContain('Missed');
    await owner.post(`${path}/${id}/retry`).expect(200, { retried: 0 });
  });

  it('is tested with a sample, of which nothing is stored', async () => {
    const { id } = await add();
    const { body } = await owner.post(`${path}/${id}/test`).expect(200);
    expect(body).toMatchObject({ result: 'delivered', outcome: 'accepted', code: 200 });
    expect(receiver.last.body).toContain('This is a test.');

    const { body: log } = await owner.get(`${path}/${id}/deliveries`).expect(200);
    expect(log).toEqual({ deliveries: [], next_page: null });
  });

  it('has a log of its own', async () => {
    const { id } = await add();
    await add({ name: 'Other' });
    const submission = await service().deliver(form, { message: 'Hi' });

    const { body } = await owner.get(`${path}/${id}/deliveries?state=delivered`).expect(200);
    expect(body).toMatchObject({
      deliveries: [
        {
          ...{ submission_id: submission, recipient: `127.0.0.1:${receiver.port}` },
          ...{ state: 'delivered', tries: 1, last_try: { outcome: 'accepted', code: 200 } },
        },
      ],
      next_page: null,
    });
    const { body: failed } = await owner.get(`${path}/${id}/deliveries?state=failed`).expect(200);
    expect(failed).toMatchObject({ deliveries: [] });

    const told = async () => {
      const { timeline } = (await owner.read(`${pathOf(form)}/${submission}/timeline`)) as {
        timeline: { delivery: { destination: string | null } | null }[];
      };
      return timeline.flatMap(({ delivery }) => (delivery ? [delivery.destination] : []));
    };
    expect((await told()).sort()).toEqual(['Other', 'Sales']);
    await owner.delete(`${path}/${id}`).expect(200);
    expect((await told()).filter((name) => name !== null)).toEqual(['Other']);
  });

  it('is gone when it is deleted, and what waits for it is given up', async () => {
    const { id } = await add();
    const submission = await service().submit(form, { message: 'Hi' });
    await owner.delete(`${path}/${id}`).expect(200);
    await service().sendDue();

    expect(receiver.calls).toEqual([]);
    expect(await owner.deliveriesOf(form, submission)).toMatchObject([
      { kind: 'destination', state: 'obsolete', attempts: [{ outcome: 'obsolete' }] },
    ]);
    // It is over: nobody looks for it, and nothing sends it again.
    const { body: failed } = await owner.get(`${pathOf(form)}?q=is:failed`).expect(200);
    expect(failed).toMatchObject({ submissions: [] });
    const again = `/api/v1/forms/${form.identifier}/redeliveries` as const;
    await owner.post(again, {}).expect(200, { redelivered: 0 });
    await owner.get(`${path}/${id}`).expect(refusal(404, 'destination_not_found'));
  });
});

describe('What a destination cannot be', () => {
  const refused = (destination: object, ...fields: string[]) =>
    owner.post(path, { destination }).expect(refusal(422, 'invalid_fields', ...fields));

  it('is without what its kind needs, or with what it does not know', async () => {
    await refused({ name: 'A', kind: 'slack' }, 'destination.settings.url');
    await refused({ name: 'A', kind: 'pigeon' }, 'destination.kind');
    await refused(
      { name: 'A', kind: 'telegram', settings: { token: 'x', chat: 'y z', url: 'z' } },
      ...['token', 'chat', 'url'].map((name) => `destination.settings.${name}`),
    );
    await refused({ name: 'A', kind: 'email', settings: { to: 'nobody' } }, 'destination.settings.to');
    await refused({ name: 'A', kind: 'slack', settings: { url: 'file:///etc/passwd' } }, 'destination.settings.url');
  });

  it('is at a private address', async () => {
    for (const kind of ['slack', 'discord', 'teams', 'google_chat', 'google_sheets', 'plain']) {
      const settings = { url: 'http://10.0.0.1/hook' };
      await owner
        .post(path, { destination: { name: 'A', kind, settings } })
        .expect(refusal(422, 'private_address', 'destination.settings.url'));
    }
  });

  it.each([
    [{ op: 'is', value: 'x' }, 'field'],
    [{ field: 'a', fact: 'page', op: 'is', value: 'x' }, 'fact'],
    [{ field: 'a', op: 'resembles', value: 'x' }, 'op'],
    [{ field: 'a', op: 'greater', value: 'x' }, 'value'],
    [{ field: 'a', op: 'matches', value: '(a+)+(?=b)' }, 'value'],
    [{ fact: 'verdict', op: 'contains', value: 'spam' }, 'op'],
    [{ fact: 'verdict', op: 'is', value: 'bad' }, 'value'],
    [{ fact: 'file', op: 'is', value: 'maybe' }, 'value'],
  ])('has a condition %j', async (condition, field) => {
    await refused(
      { name: 'A', kind: 'slack', settings: { url: receiver.url }, conditions: [condition] },
      `destination.conditions.0.${field}`,
    );
  });

  it('is one of more than fifty', async () => {
    for (let i = 0; i < 50; i++) await add({ name: `D${i}` });
    await owner
      .post(path, { destination: { name: 'A', kind: 'slack', settings: { url: receiver.url } } })
      .expect(refusal(422, 'too_many_destinations'));
  });
});

describe('Conditions', () => {
  const one = (condition: object) => add({ conditions: [condition] });

  it.each([
    [{ field: 'n', op: 'is', value: 'ä' }, { n: ' Ä ' }, { n: 'äb' }],
    [{ field: 'n', op: 'is_not', value: 'a' }, { n: 'b' }, { n: 'A' }],
    [{ field: 'n', op: 'is_not', value: 'a' }, { m: 'a' }, { n: ['b', 'a'] }],
    [{ field: 'n', op: 'contains', value: 'need' }, { n: 'We NEED it' }, { m: 'need' }],
    [{ field: 'n', op: 'contains', value: 'x' }, { n: ['a', 'x'] }, { n: ['a', 'b'] }],
    [{ field: 'n', op: 'matches', value: '[a-z]+\\d' }, { n: 'ab1' }, { n: 'ab1c' }],
    [{ field: 'n', op: 'matches', value: '(a+)+b' }, { n: 'aab' }, { n: 'a'.repeat(50_000) }],
    [{ field: 'n', op: 'greater', value: '100' }, { n: 100.5 }, { n: '99' }],
    [{ field: 'n', op: 'greater', value: '1,5' }, { n: '1,6' }, { n: 'many' }],
    [{ field: 'n', op: 'less', value: '3' }, { n: '-2' }, { n: '' }],
    [{ field: 'constructor', op: 'is', value: 'a' }, { constructor: 'a' }, { n: 'a' }],
  ])('%j', async (condition, yes, no) => {
    await one(condition);
    expect(await receives({ message: 'Hi', ...yes })).toHaveLength(1);
    expect(await receives({ message: 'Hi', ...no })).toEqual([]);
  });

  it('look at the language of the browser and at the page', async () => {
    await one({ fact: 'language', op: 'is', value: 'de' });
    expect(await receives({ m: 'a' }, { 'Accept-Language': 'de-CH,fr;q=0.8' })).toHaveLength(1);
    expect(await receives({ m: 'b' }, { 'Accept-Language': 'en,de;q=0.8' })).toEqual([]);
    expect(await receives({ m: 'c' })).toEqual([]);

    await one({ fact: 'page', op: 'contains', value: '/pricing' });
    const from = (page: string) => ({ Origin: 'https://a.example', Referer: page });
    expect(await receives({ m: 'd' }, from('https://a.example/pricing?x=1'))).toHaveLength(1);
    expect(await receives({ m: 'e' }, from('https://a.example/about'))).toEqual([]);
  });

  it('look at files', async () => {
    await one({ fact: 'file', op: 'is', value: 'yes' });
    expect(await receives({ m: 'a' })).toEqual([]);
    const body = new FormData();
    body.append('m', 'b');
    body.append('cv', new Blob(['text'], { type: 'text/plain' }), 'cv.txt');
    await fetch(`${service().url}/f/${form.identifier}`, { method: 'POST', body });
    await service().sendDue();
    expect(receiver.calls).toHaveLength(1);
    expect(receiver.last.body).toContain('cv.txt');
  });

  it('hold all, or any of them', async () => {
    const conditions = [
      { field: 'a', op: 'is', value: '1' },
      { field: 'b', op: 'is', value: '1' },
    ];
    const { id } = await add({ match: 'all', conditions });
    expect(await receives({ a: '1' })).toEqual([]);
    expect(await receives({ a: '1', b: '1' })).toHaveLength(1);
    await owner.patch(`${path}/${id}`, { destination: { match: 'any' } }).expect(200);
    expect(await receives({ a: '1' })).toHaveLength(1);
    expect(await receives({ a: '2', b: '2' })).toEqual([]);
  });

  it('are tried against the last submissions before anything is saved', async () => {
    const ids = [];
    for (const topic of ['Sales', 'Support', 'Sales']) {
      ids.push(await service().submit(form, { topic, message: `About ${topic}` }));
      clock.forward(SECOND_MS);
    }
    const spam = await service().submitSpam(form, { topic: 'Sales' });

    const tryOut = (destination: object) => owner.post(`${path}/try`, { destination }).expect(200);
    const sales = { field: 'topic', op: 'is', value: 'Sales' };
    expect((await tryOut({ conditions: [sales] })).body).toEqual({
      ...{ tried: 4, would_have_gone: 2, submissions: [ids[2], ids[0]] },
    });
    const isSpam = { fact: 'verdict', op: 'is', value: 'spam' };
    expect((await tryOut({ match: 'any', conditions: [sales, isSpam] })).body).toMatchObject({
      would_have_gone: 3,
      submissions: [spam, ids[2], ids[0]],
    });
    expect((await tryOut({ conditions: [{ field: 'no', op: 'is', value: 'x' }] })).body).toEqual({
      ...{ tried: 4, would_have_gone: 0, submissions: [] },
    });
    expect((await list()).every(({ role }) => role)).toBe(true);
  });
});

describe('Spam', () => {
  const marked = (id: string, spam: boolean) =>
    owner.patch(`${pathOf(form)}/${id}`, { submission: { spam } }).expect(200);

  it('is not asked for by a condition that denies something', async () => {
    await add({ conditions: [{ fact: 'verdict', op: 'is_not', value: 'held' }] });
    await service().submitSpam(form, { topic: 'Sales' });
    await service().sendDue();
    expect(receiver.calls).toEqual([]);
  });

  it('goes nowhere, but to whom it asks for, and after its release once to each', async () => {
    await add({ name: 'All' });
    await add({
      name: 'Watch',
      match: 'any',
      conditions: [
        { fact: 'verdict', op: 'is', value: 'spam' },
        { field: 'topic', op: 'is', value: 'Sales' },
      ],
    });
    const id = await service().submitSpam(form, { topic: 'Sales' });
    await service().sendDue();
    expect(receiver.calls).toHaveLength(1);

    await marked(id, false);
    await service().sendDue();
    expect(receiver.calls).toHaveLength(2);
    await marked(id, true);
    await marked(id, false);
    await service().sendDue();
    expect(receiver.calls).toHaveLength(2);
  });
});

describe('Destinations of all forms', () => {
  const everywhere = '/api/v1/destinations';

  it('get what any form of the account takes, those of a client what its forms take', async () => {
    const other = await owner.makeForm({ notify_owner_on_submission: false });
    const client = await owner.makeClient({ form_ids: [other.id] });
    await add({ name: 'Account' }, everywhere);
    await add({ name: 'Client' }, `${everywhere}?client_id=${client}`);

    expect(await receives({ message: 'Hi' })).toHaveLength(1);
    await service().deliver(other, { message: 'Hi' });
    expect(receiver.calls).toHaveLength(3);

    const others = `/api/v1/forms/${other.identifier}/destinations` as const;
    const further = (await list(others)).filter(({ role }) => role === null);
    expect(further.map(({ of, name }) => [of, name])).toEqual([
      ['client', 'Client'],
      ['account', 'Account'],
    ]);
    expect((await list(everywhere)).map(({ name }) => name)).toEqual(['Account']);
    const ofClient = await list(`${everywhere}?client_id=${client}`);
    expect(ofClient.map(({ name }) => name)).toEqual(['Client']);

    await owner.delete(`/api/v1/clients/${client}`).expect(200);
    await service().deliver(other, { message: 'Hi' });
    expect(receiver.calls).toHaveLength(4);
  });

  it('are left out by a form that wants none of them, until it takes them in again', async () => {
    const account = await add({ name: 'Account' }, everywhere);
    const other = await owner.makeForm({ notify_owner_on_submission: false });
    const exclusion = `${path}/${account.id}/exclusion` as const;
    expect(shown((await owner.put(exclusion, {}).expect(200)).body)).toMatchObject({
      ...{ name: 'Account', of: 'account', excluded: true },
    });
    await owner.put(exclusion, {}).expect(200);

    expect(await receives({ message: 'Hi' })).toEqual([]);
    await service().deliver(other, { message: 'Hi' });
    expect(receiver.calls).toHaveLength(1);
    expect((await list()).map(({ name, excluded }) => [name, excluded])).toEqual([
      ...[
        ['Team', false],
        ['Visitor', false],
        ['Webhook', false],
      ],
      ['Account', true],
    ]);

    await owner.delete(exclusion).expect(200);
    expect(await receives({ message: 'Hi' })).toHaveLength(1);
  });

  it('can be left out by name alone: not what a form has itself, nor by a client', async () => {
    const theirs = await owner.makeClientCaller({ form_ids: [form.id], can_create_forms: true });
    const own = await theirs.makeForm();
    const account = await add({ name: 'Account' }, everywhere);
    const here = `/api/v1/forms/${own.identifier}/destinations` as const;
    const ofForm = await add({ name: 'Form' });

    for (const [caller, exclusion] of [
      [owner, `${path}/${ofForm.id}/exclusion`],
      [theirs, `${here}/${account.id}/exclusion`],
    ] as const)
      await caller.put(exclusion, {}).expect(refusal(404, 'destination_not_found'));
  });

  it('are tried with the last submissions of the forms that they serve', async () => {
    const other = await owner.makeForm({ notify_owner_on_submission: false });
    const client = await owner.makeClient({ form_ids: [other.id] });
    const sales = await service().submit(form, { topic: 'Sales' });
    await service().submit(form, { topic: 'Support' });
    const theirs = await service().submit(other, { topic: 'Sales' });
    const destination = { conditions: [{ field: 'topic', op: 'is', value: 'Sales' }] };

    const all = await owner.post(`${everywhere}/try`, { destination }).expect(200);
    expect(all.body).toEqual({ tried: 3, would_have_gone: 2, submissions: [theirs, sales] });
    const ofClient = await owner.post(`${everywhere}/try?client_id=${client}`, { destination }).expect(200);
    expect(ofClient.body).toEqual({ tried: 1, would_have_gone: 1, submissions: [theirs] });
    await service()
      .as(await owner.makeClientToken(client))
      .post(`${everywhere}/try`, { destination })
      .expect(refusal(403, 'destinations_of_account'));
  });

  it('are the business of the account alone', async () => {
    const client = await owner.makeClient({ form_ids: [form.id], can_create_forms: true });
    await add({ name: 'Account' }, everywhere);
    const theirs = service().as(await owner.makeClientToken(client));
    await theirs.get(everywhere).expect(refusal(403, 'destinations_of_account'));

    const here = `/api/v1/forms/${(await theirs.makeForm()).identifier}/destinations` as const;
    expect((await list(here, theirs)).every(({ of }) => of === 'form')).toBe(true);
    await theirs.get(path).expect(refusal(403, 'form_not_own'));
    await owner.get(`${everywhere}?client_id=999999`).expect(refusal(404, 'client_not_found'));
  });
});
