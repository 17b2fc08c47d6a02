import { beforeEach, describe, expect, it } from '@jest/globals';
import { deliveriesOf } from './support/deliveries.js';
import { makeForm, makeToken, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';
import { countOf, listed, pathOf, submit, submitSpam } from './support/submissions.js';

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let form: FormBody;
let orders: FormBody;
let ids: string[];
beforeEach(async () => {
  owner = await service().openAccount('Studio Nord', 'studio@example.com');
  form = await makeForm(owner);
  orders = await makeForm(owner);
  ids = [];
  for (const target of [form, orders, form]) ids.push(await submit(service(), target, { m: 'x' }));
});

const bulk = (changes: object, of: unknown = ids, caller = owner) =>
  caller.post('/api/v1/submissions/bulk', { ids: of, changes });
const idsOf = async (q: string) => {
  const { body } = await owner.get(`/api/v1/submissions?q=${encodeURIComponent(q)}`).expect(200);
  return (body as { submissions: { id: string }[] }).submissions.map(({ id }) => id);
};

describe('Changing several submissions at once', () => {
  it.each([
    ['is:unread', { read: false }, { read: true }],
    ['is:starred', { starred: true }, { starred: false }],
    ['is:done', { done: true }, { done: false }],
    ['is:spam', { spam: true }, { spam: false }],
    ['is:trash', { trash: true }, { trash: false }],
    ['tag:urgent', { add_tag: 'Urgent' }, { remove_tag: 'urgent' }],
  ])('%s: is done over all forms, and taken back', async (q, there, back) => {
    const newest = [...ids].reverse();
    await bulk(back).expect(200);

    const { body } = await bulk(there).expect(200);
    expect(body).toEqual({ changed: ids });
    expect(await idsOf(q)).toEqual(newest);
    await bulk(back, ids.slice(0, 1)).expect(200);
    expect(await idsOf(q)).toEqual(newest.slice(0, 2));

    const { body: again } = await bulk(there).expect(200);
    expect(again).toEqual({ changed: ids.slice(0, 1) });
  });

  it('keeps the counts, and delivers what was spam from the start', async () => {
    const spam = await submitSpam(service(), form, { m: 'x' });

    await bulk({ spam: false }, [spam]).expect(200);
    expect(await countOf(owner, form)).toBe(3);
    expect(await deliveriesOf(owner, form, spam)).toHaveLength(1);
    await bulk({ trash: true }).expect(200);
    expect(await countOf(owner, form)).toBe(1);
    expect(await countOf(owner, orders)).toBe(0);
  });

  it('leaves out what is unknown, and what is another account’s', async () => {
    const stranger = await service().openAccount();
    const unknown = '01a1fe6f-1e58-7000-842b-694654d2b033';

    const { body } = await bulk({ trash: true }, [unknown, ...ids], stranger).expect(200);

    expect(body).toEqual({ changed: [] });
    expect((await listed(owner, form)).count).toBe(2);
    expect((await bulk({ done: true }, [unknown, ids[0]]).expect(200)).body).toEqual({
      changed: ids.slice(0, 1),
    });
  });

  it('needs the right to write, but for what one has read oneself', async () => {
    const rights = ['submissions:read'];
    const reader = service().as((await makeToken(owner, { rights })).token);

    for (const changes of [
      { done: true },
      { spam: true },
      { add_tag: 'x' },
      { read: true, trash: true },
    ]) {
      await bulk(changes, ids, reader).expect(refusal(403, 'missing_right'));
    }
    expect((await bulk({ read: true }, ids, reader).expect(200)).body).toEqual({ changed: ids });
  });

  it('refuses what is no list of ids or no change', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ids[0]?.replace(/.{3}$/, String(100 + n)));
    for (const given of [many, 'x', ['x'], [1], null]) {
      await bulk({ done: true }, given).expect(422);
    }
    for (const changes of [{ done: 'yes' }, { add_tag: '' }, { status: 'x' }]) {
      await bulk(changes).expect(422);
    }
    await owner.get(`${pathOf(form)}/${ids[0] ?? ''}/marks`).expect(200, {
      marks: { read: false, starred: false, done: false },
    });
  });
});
