import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeForm } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';

const CLIENTS = '/api/v1/clients';

const service = useService();
let owner: Caller;
/** Enough forms for the longest list; only ever read. */
let ids: number[];
beforeAll(async () => {
  owner = await service().openAccount();
  ids = [];
  while (ids.length < 500) {
    const forms = await Promise.all(Array.from({ length: 20 }, () => makeForm(owner)));
    ids.push(...forms.map(({ id }) => id));
  }
  ids.sort((a, b) => a - b);
});

let made = 0;
const person = () => `client[name]=Jane&client[email]=person${++made}@example.com`;
const each = (list: (number | string)[], name: (index: number) => string) =>
  list.map((id, index) => `${name(index)}=${id}`).join('&');
/** As long as the ids of a large installation. */
const long = (id: number) => String(id).padStart(8, '0');
const encoded = (text: string) => text.replaceAll('[', '%5B').replaceAll(']', '%5D');

const SPELLINGS: [string, number, (list: number[]) => string][] = [
  ['[1,2]', 2, (list) => `client[form_ids]=[${list.join(',')}]`],
  ['[1, 2]', 2, (list) => `client[form_ids]=[${list.join(', ')}]`],
  ['1,2', 2, (list) => `client[form_ids]=${list.join(',')}`],
  ['1', 1, (list) => `client[form_ids]=${list.join()}`],
  ['[]', 0, () => 'client[form_ids]=[]'],
  ['nothing', 0, () => 'client[form_ids]='],
  ['[] for each', 2, (list) => each(list, () => 'client[form_ids][]')],
  ['[] for each', 25, (list) => each(list, () => 'client[form_ids][]')],
  ['[] for each', 500, (list) => each(list, () => 'client[form_ids][]')],
  ['[0] and so on', 2, (list) => each(list, (index) => `client[form_ids][${index}]`)],
  ['[0] and so on', 25, (list) => each(list, (index) => `client[form_ids][${index}]`)],
  ['the same key for each', 2, (list) => each(list, () => 'client[form_ids]')],
  ['the same key for each', 25, (list) => each(list, () => 'client[form_ids]')],
  ['percent-encoded', 2, (list) => encoded(`client[form_ids]=[${list.join(',')}]`)],
  ['percent-encoded [] for each', 25, (list) => encoded(each(list, () => 'client[form_ids][]'))],
  [
    'percent-encoded [] for each',
    500,
    (list) => encoded(each(list.map(long), () => 'client[form_ids][]')),
  ],
];

describe.each(SPELLINGS)('form_ids written as %s, %i of them', (_, count, write) => {
  const wanted = () => ids.slice(0, count);

  it('are understood in the query string', async () => {
    const query = `${person()}&${write(wanted())}`;
    const { body } = await owner.post(`${CLIENTS}?${query}`).expect(201);
    expect(body).toMatchObject({ forms: wanted() });
  });

  it('are understood in a urlencoded body', async () => {
    const text = `${person()}&${write(wanted())}`;
    const { body } = await owner.post(CLIENTS).type('form').send(text).expect(201);
    expect(body).toMatchObject({ name: 'Jane', forms: wanted() });
  });
});

it('A JSON body takes the same fields, and all 500 forms are shown', async () => {
  const client = { name: 'Jane', email: 'jane@example.com', can_create_forms: true, form_ids: ids };

  const { body } = await owner.post(CLIENTS, { client }).expect(201);

  const { id, ...created } = body as { id: number };
  const { form_ids, can_create_forms, ...details } = client;
  expect(created).toEqual({ ...details, permissions: { can_create_forms }, forms: form_ids });
  const shown = await owner.get(`${CLIENTS}/${id}`).expect(200);
  expect(shown.body).toMatchObject([{ forms: ids.map((form) => ({ id: form })) }]);
});

it('An id that comes twice counts once', async () => {
  const [id] = ids;

  const query = `${person()}&client[form_ids]=[${id},${id}]`;
  const { body } = await owner.post(`${CLIENTS}?${query}`).expect(201);

  expect(body).toMatchObject({ forms: [id] });
});

it('A urlencoded body without any parameter is refused like an empty one', async () => {
  await owner
    .post(CLIENTS)
    .type('form')
    .send('&')
    .expect(refusal(422, 'invalid_fields', 'client'));
});

it('No parameters at all are refused', async () => {
  await owner.post(CLIENTS).expect(refusal(422, 'invalid_fields', 'client'));
});

it('A name with signs of every kind arrives as it was sent', async () => {
  const name = 'Jane & Joe = 100% [+] 🎉';
  const fields = { 'client[name]': name, 'client[email]': 'joe@example.com' };

  const query = new URLSearchParams(fields).toString();
  const { body } = await owner.post(`${CLIENTS}?${query}`).expect(201);

  expect(body).toMatchObject({ name });
});
