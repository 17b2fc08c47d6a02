import { refusal, type ProblemBody } from '../support/refusal.js';
import { useService, type Caller } from '../support/service.js';

const CLIENTS = '/api/v1/clients';

const service = useService();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

describe('Creating a client', () => {
  it('takes the query string of the contract and answers one object with forms as ids', async () => {
    const [one, two] = [await owner.makeForm(), await owner.makeForm()];
    const query = `client[name]=Jane Doe&client[email]=jane@example.com&client[can_create_forms]=true&client[form_ids]=[${one.id}, ${two.id}]`;

    expect(await owner.create(`${CLIENTS}?${query}`)).toEqual({
      id: expect.any(Number),
      name: 'Jane Doe',
      email: 'jane@example.com',
      permissions: { can_create_forms: true },
      forms: [one.id, two.id],
    });
  });

  it('needs only a name and an email address', async () => {
    const client = { name: 'Jane', email: 'jane@example.com' };

    const { body } = await owner.post(CLIENTS, { client }).expect(201);

    expect(body).toMatchObject({ permissions: { can_create_forms: false }, forms: [] });
  });

  it.each([
    ['can_create_forms', 'false', { permissions: { can_create_forms: false } }],
    ['name', '  J 🎉 ', { name: 'J 🎉' }],
    ['email', ' Jane@EXAMPLE.com ', { email: 'Jane@example.com' }],
  ])('reads %s %j', async (field, value, read) => {
    const fields = { name: 'Jane', email: 'jane@example.com', [field]: value };
    const query = new URLSearchParams(
      Object.entries(fields).map(([key, text]) => [`client[${key}]`, text] as [string, string]),
    );

    expect(await owner.create(`${CLIENTS}/?${query.toString()}`)).toMatchObject(read);
  });

  it.each([
    ['name', [undefined, null, '', '  ', 'x'.repeat(256), 1, ['x']]],
    ['email', [undefined, null, '', 'jane', 'a@example.com,b@example.com', 1, ['a@example.com']]],
    ['can_create_forms', [null, 'yes', 1, []]],
    ['form_ids', [null, '1', 1, {}, ['x'], [0], [-1], [1.5], [null], [[1]], ['1']]],
    ['permissions', [{ can_create_forms: true }]],
    ['account_id', [1]],
  ])('refuses %s by name when it is not right', async (field, refused: unknown[]) => {
    for (const value of refused) {
      const client = { name: 'Jane', email: 'jane@example.com', [field]: value };
      await owner.post(CLIENTS, { client }).expect(refusal(422, 'invalid_fields', `client.${field}`));
    }
    await owner.get(CLIENTS).expect(200, []);
  });

  it('refuses every wrong parameter of the query string at once, by name', async () => {
    const query = 'client[email]=jane&client[can_create_forms]=maybe&client[form_ids]=[x]&admin=1';

    await owner
      .post(`${CLIENTS}?${query}`)
      .expect(
        refusal(
          422,
          'invalid_fields',
          'admin',
          'client.can_create_forms',
          'client.email',
          'client.form_ids',
          'client.name',
        ),
      );
  });

  it('refuses unknown form ids, each named, and another account’s form as an unknown one', async () => {
    const mine = await owner.makeForm();
    const foreign = await (await service().openAccount()).makeForm();
    const form_ids = [mine.id, foreign.id, 2_000_000_000, 99_999_999_999];
    const client = { name: 'Jane', email: 'jane@example.com', form_ids };

    const { body } = await owner.post(CLIENTS, { client }).expect(refusal(422, 'unknown_forms'));

    const { errors = [] } = body as object as ProblemBody;
    expect(errors).toHaveLength(3);
    for (const [index, id] of form_ids.slice(1).entries()) {
      expect(errors[index]).toMatchObject({ field: 'client.form_ids', code: 'unknown_form' });
      expect(errors[index]?.message).toContain(String(id));
    }
    await owner.get(CLIENTS).expect(200, []);
  });
});

it('Listing and showing clients answers arrays with forms as objects: of all, oldest first, and of exactly one', async () => {
  const form = await owner.makeForm({ name: 'Contact' });
  const jane = await owner.makeClient({
    name: 'Jane',
    email: 'jane@example.com',
    can_create_forms: true,
    form_ids: [form.id],
  });
  const joe = await owner.makeClient({ name: 'Joe', email: 'joe@example.com' });

  const shownJane = {
    id: jane,
    name: 'Jane',
    email: 'jane@example.com',
    permissions: { can_create_forms: true },
    forms: [{ id: form.id, name: 'Contact', identifier: form.identifier }],
  };
  const shownJoe = {
    id: joe,
    name: 'Joe',
    email: 'joe@example.com',
    permissions: { can_create_forms: false },
    forms: [],
  };
  for (const slash of ['', '/']) {
    await owner.get(`${CLIENTS}${slash}`).expect(200, [shownJane, shownJoe]);
    await owner.get(`${CLIENTS}/${jane}${slash}`).expect(200, [shownJane]);
    await owner.get(`${CLIENTS}/${joe}${slash}`).expect(200, [shownJoe]);
  }
});

describe('Changing a client', () => {
  it('takes each of the four fields and leaves the others', async () => {
    const [one, two] = [await owner.makeForm(), await owner.makeForm()];
    const id = await owner.makeClient({ email: 'jane@example.com', form_ids: [one.id] });
    const path = `${CLIENTS}/${id}`;
    let [expected] = (await owner.get(path).expect(200)).body;

    const steps: [object, object][] = [
      [{ name: 'Janet' }, { name: 'Janet' }],
      [{ email: 'janet@example.com' }, { email: 'janet@example.com' }],
      [{ can_create_forms: true }, { permissions: { can_create_forms: true } }],
      [{ form_ids: [two.id] }, { forms: [{ id: two.id, name: two.name, identifier: two.identifier }] }],
      [{ form_ids: [] }, { forms: [] }],
      [{}, {}],
    ];
    for (const [client, change] of steps) {
      expected = { ...expected, ...change };
      await owner.patch(path, { client }).expect(200, expected);
      await owner.get(path).expect(200, [expected]);
    }
  });

  it('takes the bracketed query string too', async () => {
    const form = await owner.makeForm();
    const id = await owner.makeClient();

    const query = `client[form_ids]=[${form.id}]&client[can_create_forms]=1`;
    expect((await owner.patch(`${CLIENTS}/${id}/?${query}`).expect(200)).body).toMatchObject({
      permissions: { can_create_forms: true },
      forms: [{ id: form.id }],
    });
  });

  it('changes nothing when a form is unknown', async () => {
    const id = await owner.makeClient({ name: 'Jane' });

    await owner
      .patch(`${CLIENTS}/${id}`, { client: { name: 'Janet', form_ids: [2_000_000_000] } })
      .expect(refusal(422, 'unknown_forms', 'client.form_ids'));
    expect(await owner.read(`${CLIENTS}/${id}`)).toMatchObject([{ name: 'Jane' }]);
  });

  it('ends with the forms of one of the changes when 10 come at once', async () => {
    const forms = [await owner.makeForm(), await owner.makeForm(), await owner.makeForm()];
    const ids = forms.map((form) => form.id);
    const id = await owner.makeClient();

    await Promise.all(
      Array.from({ length: 10 }, () => owner.patch(`${CLIENTS}/${id}`, { client: { form_ids: ids } }).expect(200)),
    );

    const { body } = await owner.get(`${CLIENTS}/${id}`).expect(200);
    expect(body).toMatchObject([{ forms: ids.map((form) => ({ id: form })) }]);
  });
});

it('Deleting a client answers exactly a message, once; its forms stay', async () => {
  const form = await owner.makeForm();
  const id = await owner.makeClient({ form_ids: [form.id] });

  const { body } = await owner.delete(`${CLIENTS}/${id}/`).expect(200);

  expect(body).toEqual({ message: 'The client has been deleted.' });
  await owner.get(`${CLIENTS}/${id}`).expect(refusal(404, 'client_not_found'));
  await owner.delete(`${CLIENTS}/${id}`).expect(refusal(404, 'client_not_found'));
  await owner.get(CLIENTS).expect(200, []);
  await owner.get(`/api/v1/forms/${form.identifier}`).expect(200, form);
});

describe('The email address of a client', () => {
  const taken = refusal(409, 'client_email_taken', 'client.email');

  it('belongs to one client of the account only, in any case of letters', async () => {
    await owner.makeClient({ email: 'Jane@example.com' });
    const other = await owner.makeClient({ email: 'other@example.com' });

    for (const email of ['Jane@example.com', 'jane@example.com', 'JANE@EXAMPLE.COM']) {
      await owner.post(CLIENTS, { client: { name: 'Jane', email } }).expect(taken);
      await owner.patch(`${CLIENTS}/${other}`, { client: { email } }).expect(taken);
    }
  });

  it('may be written anew by the same client, and be used again after a deletion', async () => {
    const id = await owner.makeClient({ email: 'jane@example.com' });

    const client = { email: 'JANE@example.com' };
    const { body } = await owner.patch(`${CLIENTS}/${id}`, { client }).expect(200);
    expect(body).toMatchObject(client);
    await owner.delete(`${CLIENTS}/${id}`).expect(200);
    await owner.makeClient(client);
  });

  it('may belong to a client of another account as well', async () => {
    await owner.makeClient({ email: 'jane@example.com' });
    await (await service().openAccount()).makeClient({ email: 'jane@example.com' });
  });

  it('goes to exactly one of 20 clients that are created at once', async () => {
    const create = (_: unknown, i: number) => {
      const email = i % 2 === 0 ? 'jane@example.com' : 'Jane@example.com';
      return owner.post(CLIENTS, { client: { name: 'Jane', email } });
    };

    const answers = await Promise.all(Array.from({ length: 20 }, create));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});

describe('The parameters of a client', () => {
  let owner: Caller;
  /** Enough forms for the longest list; only ever read. */
  let ids: number[];
  beforeAll(async () => {
    owner = await service().openAccount();
    ids = [];
    while (ids.length < 500) {
      const forms = await Promise.all(Array.from({ length: 20 }, () => owner.makeForm()));
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
    ['[] for each', 500, (list) => each(list, () => 'client[form_ids][]')],
    ['the same key for each', 25, (list) => each(list, () => 'client[form_ids]')],
    ['percent-encoded [] for each', 500, (list) => encoded(each(list.map(long), () => 'client[form_ids][]'))],
  ];

  describe.each(SPELLINGS)('form_ids written as %s, %i of them', (_, count, write) => {
    const wanted = () => ids.slice(0, count);

    it('are understood in the query string', async () => {
      const query = `${person()}&${write(wanted())}`;
      expect(await owner.create(`${CLIENTS}?${query}`)).toMatchObject({ forms: wanted() });
    });

    it('are understood in a urlencoded body', async () => {
      const text = `${person()}&${write(wanted())}`;
      const { body } = await owner.post(CLIENTS).type('form').send(text).expect(201);
      expect(body).toMatchObject({ name: 'Jane', forms: wanted() });
    });
  });

  it('A JSON body takes the same fields, and all 500 forms are shown', async () => {
    const client = { name: 'Jane', email: 'jane@example.com', can_create_forms: true, form_ids: ids };

    const { id, ...created } = await owner.create(CLIENTS, { client });
    const { form_ids, can_create_forms, ...details } = client;
    expect(created).toEqual({ ...details, permissions: { can_create_forms }, forms: form_ids });
    const shown = await owner.get(`${CLIENTS}/${id}`).expect(200);
    expect(shown.body).toMatchObject([{ forms: ids.map((form) => ({ id: form })) }]);
  });

  it('An id that comes twice counts once', async () => {
    const [id] = ids;

    const query = `${person()}&client[form_ids]=[${id},${id}]`;
    expect(await owner.create(`${CLIENTS}?${query}`)).toMatchObject({ forms: [id] });
  });

  it('A urlencoded body without any parameter is refused like an empty one', async () => {
    await owner
      .post(CLIENTS)
      .type('form')
      .send('&')
      .expect(refusal(422, 'invalid_fields', 'client'));
  });

  it('No parameters at all are refused', () => owner.post(CLIENTS).expect(refusal(422, 'invalid_fields', 'client')));

  it('A name with signs of every kind arrives as it was sent', async () => {
    const name = 'Jane & Joe = 100% [+] 🎉';
    const fields = { 'client[name]': name, 'client[email]': 'joe@example.com' };

    const query = new URLSearchParams(fields).toString();
    expect(await owner.create(`${CLIENTS}?${query}`)).toMatchObject({ name });
  });
});

it('Clients a page at a time come as the bare list, with the links and the total in headers', async () => {
  for (let count = 0; count < 3; count++) await owner.makeClient();

  const { body, headers } = await owner.get('/api/v1/clients?per_page=2&page=2').expect(200);

  expect(body).toHaveLength(1);
  expect(headers['x-total-count']).toBe('3');
  expect(headers.link).toContain('rel="prev"');
  const whole = await owner.get('/api/v1/clients').expect(200);
  expect(whole.body).toHaveLength(3);
  expect(whole.headers['x-total-count']).toBeUndefined();
  await owner.get('/api/v1/clients?per_page=0').expect(422);
});
