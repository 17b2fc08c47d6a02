import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService({ WORKERS: 'off' });
let orders: FormBody;
let ids: string[];
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  orders = await owner.makeForm({ name: 'Orders' });
  ids = [];
  for (const target of [form, orders, form, orders]) {
    ids.unshift(await service().submit(target, { wish: 'cake' }));
  }
});

/** Follows the pages to their end. */
async function found(q: string, perPage = 100, caller = owner): Promise<string[]> {
  const all: string[] = [];
  let next: string | null =
    `/api/v1/submissions?${new URLSearchParams({ q, per_page: String(perPage) }).toString()}` as const;
  while (next !== null) {
    const { body } = await caller.get(next).expect(200);
    const page = body as { submissions: { id: string }[]; next_page: string | null };
    expect(page.submissions.length).toBeLessThanOrEqual(perPage);
    all.push(...page.submissions.map(({ id }) => id));
    next = page.next_page && new URL(page.next_page).pathname + new URL(page.next_page).search;
  }
  return all;
}

describe('The submissions of all forms', () => {
  it('come newest first, page by page, as the API shows each', async () => {
    const { body } = await owner.get('/api/v1/submissions').expect(200);
    const { submissions } = await owner.list(orders);

    expect(body.submissions[0]).toEqual(submissions[0]);
    for (const q of ['', 'cake', 'wish:cake', 'is:unread']) {
      for (const perPage of [1, 3, 100]) {
        expect({ q, perPage, ids: await found(q, perPage) }).toEqual({ q, perPage, ids });
      }
    }
  });

  it('are those of the forms that a client sees', async () => {
    const jane = await owner.makeClientCaller({ form_ids: [orders.id] });

    expect(await found('cake', 1, jane)).toEqual([ids[0], ids[2]]);
    await jane.get('/api/v1/submissions?q=form:contact').expect(refusal(422, 'filter_unclear'));
  });

  it('are refused by what cannot be understood, in lists and exports of a form too', async () => {
    for (const path of ['/api/v1/submissions', pathOf(form), `${pathOf(form)}.csv`]) {
      await owner.get(`${path}?q=is:odd`).expect(refusal(422, 'filter_unclear'));
    }
    await owner.get(`${pathOf(form)}?q=form:orders`).expect(refusal(422, 'filter_unclear'));
    await owner.get(`${pathOf(form)}?q=cake+-pie`).expect(422, /-pie; it is not possible to leave/);
    await owner.get(`${pathOf(form)}?sort=x`).expect(refusal(422, 'invalid_fields', 'sort'));
    await owner.get(`/api/v1/submissions?q=${'x'.repeat(256)}`).expect(422);
  });
});

it('The list of a form counts and links what its line means', async () => {
  const page = await owner.list(form, 'q=cake&per_page=1');

  expect(page).toMatchObject({ count: 2, submissions: [{ id: ids[1] }] });
  const next = new URL(page.next_page ?? '').search.slice(1);
  expect(await owner.list(form, next)).toMatchObject({ submissions: [{ id: ids[3] }] });
});
