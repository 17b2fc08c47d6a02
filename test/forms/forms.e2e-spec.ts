import { refusal } from '../support/refusal.js';
import { useService, useOwner, type FormBody, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';

const service = useService();
const owner = useOwner(service);

const names = (body: unknown) => (body as { forms: FormBody[] }).forms.map(({ name }) => name);

describe('Listing forms', () => {
  it('answers an object with the one key forms, oldest first, each entry with exactly four keys', async () => {
    const first = await owner.makeForm({ name: 'First' });
    const second = await owner.makeForm({ name: 'Second' });

    expect(await owner.read(FORMS)).toEqual({
      forms: [
        { id: first.id, name: 'First', identifier: first.identifier, submission_count: 0 },
        { id: second.id, name: 'Second', identifier: second.identifier, submission_count: 0 },
      ],
    });
  });

  it('answers an empty list to a new account', async () => {
    const { body } = await owner
      .get(FORMS)
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toEqual({ forms: [] });
  });

  it('takes a POST without a body for the same request', async () => {
    await owner.makeForm({ name: 'Contact' });

    for (const path of [FORMS, `${FORMS}/`]) {
      const { body } = await owner.post(path).expect(200);
      expect(names(body)).toEqual(['Contact']);
      const json = await owner.post(path).set('Content-Type', 'application/json').expect(200);
      expect(json.body).toEqual(body);
    }
  });

  it('takes a POST with any body for a creation', async () => {
    await owner.post(FORMS, {}).expect(refusal(422, 'invalid_fields', 'form'));
    await owner.get(FORMS).expect({ forms: [] });
  });
});

describe('Paging through forms', () => {
  const address = () => `${service().config.baseUrl}${FORMS}`;
  beforeEach(async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await owner.makeForm({ name });
  });

  it.each([
    ['page=1&per_page=2', ['A', 'B'], { first: 1, next: 2, last: 3 }, 2],
    ['page=2&per_page=2', ['C', 'D'], { first: 1, prev: 1, next: 3, last: 3 }, 2],
    ['page=3&per_page=2', ['E'], { first: 1, prev: 2, last: 3 }, 2],
    ['page=9&per_page=2', [], { first: 1, prev: 3, last: 3 }, 2],
    ['per_page=5', ['A', 'B', 'C', 'D', 'E'], { first: 1, last: 1 }, 5],
    ['page=1', ['A', 'B', 'C', 'D', 'E'], { first: 1, last: 1 }, 100],
  ])('answers %s with a part of the list and says where the rest is', async (query, part, links, per) => {
    const { body, headers } = await owner.get(`${FORMS}?${query}`).expect(200);

    expect(Object.keys(body)).toEqual(['forms']);
    expect(names(body)).toEqual(part);
    expect(headers['x-total-count']).toBe('5');
    expect(headers.link).toBe(
      Object.entries(links)
        .map(([rel, page]) => `<${address()}?page=${page}&per_page=${per}>; rel="${rel}"`)
        .join(', '),
    );
  });

  it('sends the whole list and neither header when no page is asked for', async () => {
    const { body, headers } = await owner.get(FORMS).expect(200);

    expect(names(body)).toHaveLength(5);
    expect(headers).not.toHaveProperty('link');
    expect(headers).not.toHaveProperty('x-total-count');
  });

  it.each([
    ['page=0', ['page']],
    ['page=-1', ['page']],
    ['page=1.5', ['page']],
    ['page=', ['page']],
    ['page=x', ['page']],
    ['page=1&page=2', ['page']],
    ['page=99999999999999999999', ['page']],
    ['per_page=0', ['per_page']],
    ['per_page=101', ['per_page']],
    ['page=0&per_page=0', ['page', 'per_page']],
    ['page=1 OR 1=1', ['page']],
    ['order=name', ['order']],
  ])('refuses %s by name', async (query, fields) => {
    await owner.get(`${FORMS}?${query}`).expect(refusal(422, 'invalid_fields', ...fields));
  });
});

describe('Creating a form', () => {
  it('needs only a name and answers the 19 fields of a form with friendly defaults', async () => {
    const { body } = await owner.post(FORMS, { form: { name: 'Contact' } }).expect(201);

    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Contact',
      identifier: expect.stringMatching(/^[0-9a-f]{16}$/),
      submission_text: 'Thank you! We have received your submission.',
      webhook_url: null,
      redirect_url: null,
      notify_submitter: null,
      notify_submitter_from: null,
      notify_submitter_from_name: null,
      notify_submitter_subject: null,
      notify_submitter_body: null,
      notify_owner_on_submission: true,
      notify_owner_emails: null,
      show_submitted_values: false,
      bg_color: null,
      text_color: null,
      link_color: null,
      whitelisted_domains: null,
      submission_count: 0,
    });
    expect(Object.keys(body)).toHaveLength(19);
  });

  it('gives every form an identifier of its own, also when 20 are created at once', async () => {
    const forms = await Promise.all(Array.from({ length: 20 }, () => owner.makeForm()));

    expect(new Set(forms.map(({ identifier }) => identifier)).size).toBe(20);
    expect(new Set(forms.map(({ id }) => id)).size).toBe(20);
  });

  it('takes two forms of the same name', async () => {
    await owner.makeForm({ name: 'Contact' });
    await owner.makeForm({ name: 'Contact' });
  });
});

describe('Viewing a form', () => {
  it('answers all 19 fields, by GET and by POST, with and without a trailing slash', async () => {
    const form = await owner.makeForm({ bg_color: '#fff', notify_submitter: false });
    const path = `${FORMS}/${form.identifier}`;

    for (const view of [path, `${path}/`]) {
      await owner.get(view).expect(200, form);
      await owner.post(view).expect(200, form);
      await owner.post(view, { form: { name: 'Other' } }).expect(200, form);
    }
    await owner.get(path).expect(200, form);
  });

  it('takes an identifier only exactly as it was given', async () => {
    const { identifier, id } = await owner.makeForm();

    const spellings = [identifier.toUpperCase(), `${identifier}%20`, `%20${identifier}`, String(id)];
    for (const other of spellings.filter((spelling) => spelling !== identifier)) {
      await owner.get(`${FORMS}/${other}`).expect(refusal(404, 'form_not_found'));
    }
  });
});

describe('Deleting a form', () => {
  it('answers a message, and the form is gone from the list, from view and from its clients', async () => {
    const form = await owner.makeForm();
    const kept = await owner.makeForm();
    const client = await owner.makeClient({ form_ids: [form.id, kept.id] });
    const path = `${FORMS}/${form.identifier}`;

    const { body } = await owner.delete(path).expect(200);

    expect(body).toEqual({ message: expect.stringMatching(/deleted/) });
    for (const call of [owner.get(path), owner.post(path), owner.delete(path)]) {
      await call.expect(refusal(404, 'form_not_found'));
    }
    await owner.patch(path, { form: { name: 'x' } }).expect(refusal(404, 'form_not_found'));
    const list = await owner.get(FORMS).expect(200);
    expect(names(list.body)).toEqual([kept.name]);
    const shown = await owner.get(`/api/v1/clients/${client}`).expect(200);
    expect(shown.body).toMatchObject([{ forms: [{ id: kept.id }] }]);
    await owner
      .patch(`/api/v1/clients/${client}`, { client: { form_ids: [form.id] } })
      .expect(refusal(422, 'unknown_forms', 'client.form_ids'));
  });

  it('succeeds once when it is asked for 10 times at once', async () => {
    const { identifier } = await owner.makeForm();

    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.delete(`${FORMS}/${identifier}`)));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  });
});

describe('Reads of one turn of the event loop', () => {
  it('show each caller the forms of its own scope', async () => {
    const other = await service().openAccount();
    const mine = await owner.makeForm({ name: 'Mine' });
    const second = await owner.makeForm({ name: 'Second' });
    const theirs = await other.makeForm({ name: 'Theirs' });
    const client = await clientWith(mine.id);
    const ask = async (caller: Caller, { identifier }: { identifier: string }) => {
      const { status, body } = await caller.get(`${FORMS}/${identifier}`);
      return status === 200 ? body.name : status;
    };
    const askAll = (caller: Caller) => Promise.all([mine, second, theirs].map((form) => ask(caller, form)));
    for (let round = 0; round < 5; round++) {
      const [ofOwner, ofOther, ofClient, ...lists] = await Promise.all([
        askAll(owner),
        askAll(other),
        askAll(client),
        ...[owner, other, client].map((caller) => caller.get(FORMS)),
      ]);

      expect(ofOwner).toEqual(['Mine', 'Second', 404]);
      expect(ofOther).toEqual([404, 404, 'Theirs']);
      expect(ofClient).toEqual(['Mine', 404, 404]);
      expect(lists.map(({ body }) => names(body))).toEqual([['Mine', 'Second'], ['Theirs'], ['Mine']]);
    }
  });

  const clientWith = async (formId: number): Promise<Caller> => await owner.makeClientCaller({ form_ids: [formId] });
});
