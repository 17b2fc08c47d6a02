import { ClientsRepository } from '../../src/clients/clients.repository.js';
import { TokensService } from '../../src/accounts/tokens/tokens.service.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';
/** Tokens of a client that have not expired. */
const TOKENS_OF_CLIENT = 100;

const service = useService();
const owner = useOwner(service);

/** A client of the owner that acts for itself. */
async function makeActor(details: object = {}, terms: object = {}) {
  const id = await owner.makeClient(details);
  return { id, client: service().as(await owner.makeClientToken(id, terms)) };
}

const formIds = async (caller: Caller): Promise<number[]> => (await caller.read(FORMS)).forms.map(({ id }) => id);

describe('A client’s token', () => {
  it('is one of at most a hundred that have not expired', async () => {
    const { id, client } = await makeActor();
    for (let n = 1; n < TOKENS_OF_CLIENT; n++) {
      await client.post(TOKENS, { token: { name: `No. ${n}` } }).expect(201);
    }
    const token = { name: 'x' };
    const { body } = await client.get(TOKENS).expect(200);
    await client.post(TOKENS, { token }).expect(refusal(409, 'too_many_tokens'));
    await owner.post(`${CLIENTS}/${id}/tokens`, { token }).expect(refusal(409, 'too_many_tokens'));
    await owner.post(TOKENS, { token }).expect(201);

    await client.delete(`${TOKENS}/${body.tokens.at(-1)?.id}`);
    await client.post(TOKENS, { token }).expect(201);
  });

  it('sees, changes and deletes the forms that the client made', async () => {
    const { client } = await makeActor({ can_create_forms: true });
    const form = await client.makeForm();
    const path = `${FORMS}/${form.identifier}`;

    expect(await formIds(client)).toEqual([form.id]);
    await client.get(path).expect(200, form);
    await client.patch(path, { form: { name: 'x' } }).expect(200, { ...form, name: 'x' });
    await client.delete(path).expect(200);
    await owner.get(path).expect(404);
  });

  it('sees at once what the client is given and loses at once what is taken', async () => {
    const [one, two] = [await owner.makeForm(), await owner.makeForm()];
    const { id, client } = await makeActor({ form_ids: [one.id] });

    await owner.patch(`${CLIENTS}/${id}`, { client: { form_ids: [two.id] } }).expect(200);

    expect(await formIds(client)).toEqual([two.id]);
    await client.get(`${FORMS}/${one.identifier}`).expect(refusal(404, 'form_not_found'));
  });

  it('counts and pages only the client’s forms', async () => {
    const forms = [await owner.makeForm(), await owner.makeForm(), await owner.makeForm()];
    const { client } = await makeActor({ form_ids: [forms[0]?.id, forms[2]?.id] });

    const { body, headers } = await client.get(`${FORMS}?page=2&per_page=1`).expect(200);

    expect(headers['x-total-count']).toBe('2');
    expect(body).toMatchObject({ forms: [{ id: forms[2]?.id }] });
  });
});

describe('Creating forms as a client', () => {
  const form = { name: 'Mine' };

  it('is forbidden without the permission, and nothing is created', async () => {
    const { client } = await makeActor();

    await client.post(FORMS, { form }).expect(refusal(403, 'form_creation_forbidden'));
    expect(await formIds(owner)).toEqual([]);
  });

  it('is allowed with the permission, and the form is the client’s', async () => {
    const { id, client } = await makeActor({ can_create_forms: true });

    const { id: formId, identifier } = await client.create(FORMS, { form });
    expect(await formIds(client)).toEqual([formId]);
    const shown = await owner.get(`${CLIENTS}/${id}`).expect(200);
    expect(shown.body).toMatchObject([{ forms: [{ id: formId, name: 'Mine', identifier }] }]);
    expect(await formIds((await makeActor({ can_create_forms: true })).client)).toEqual([]);
  });

  it('stops right after the permission is taken, and works right after it is given', async () => {
    const { id, client } = await makeActor({ can_create_forms: true });

    for (const [can_create_forms, status] of [
      [false, 403],
      [true, 201],
      [false, 403],
    ] as const) {
      await owner.patch(`${CLIENTS}/${id}`, { client: { can_create_forms } }).expect(200);
      await client.post(FORMS, { form }).expect(status);
    }
  });
});

describe('To a client', () => {
  it('there are no clients, not even itself', async () => {
    const { id, client } = await makeActor();
    const other = await owner.makeClient();

    await client.get(CLIENTS).expect(200, []);
    for (const each of [id, other, 2_000_000_000]) {
      const unknown = refusal(404, 'client_not_found');
      const path = `${CLIENTS}/${each}`;
      await client.get(path).expect(unknown);
      await client.patch(path, { client: { can_create_forms: true } }).expect(unknown);
      await client.delete(path).expect(unknown);
      await client.get(`${path}/tokens`).expect(unknown);
      await client.post(`${path}/tokens`, { token: { name: 'x' } }).expect(unknown);
      await client.delete(`${path}/tokens/1`).expect(unknown);
    }
    const details = { name: 'x', email: 'x@example.com' };
    await client.post(CLIENTS, { client: details }).expect(refusal(403, 'client_creation_forbidden'));
    expect((await owner.get(CLIENTS).expect(200)).body).toHaveLength(2);
  });

  it('there are no tokens but its own, and those it issues are its own too', async () => {
    const account = await owner.makeToken();
    const { id, client } = await makeActor();
    await makeActor();

    const issued = await client.makeToken({ name: 'Second phone' });

    expect(issued.client_id).toBe(id);
    const { tokens } = await client.read(TOKENS);
    expect(tokens.map(({ name, client_id }) => [name, client_id])).toEqual([
      ['Phone', id],
      ['Second phone', id],
    ]);
    await client.delete(`${TOKENS}/${account.id}`).expect(refusal(404, 'token_not_found'));
    await service().as(account.token).get('/api/v1/me').expect(200);
    await client.delete(`${TOKENS}/${issued.id}`).expect(200);
    await service().as(issued.token).get('/api/v1/me').expect(401);
  });
});

describe('The tokens of a client', () => {
  it('are issued, listed and revoked under the client', async () => {
    const id = await owner.makeClient();
    const path = `${CLIENTS}/${id}/tokens`;
    await owner.makeToken();

    const token = { name: 'Phone', rights: ['forms:read'], expires_at: '2100-01-01T00:00:00Z' };
    const { token: secret, ...shown } = await owner.create(path, { token });
    expect(secret).toMatch(/^fcs_/);
    expect(shown).toMatchObject({ name: 'Phone', rights: ['forms:read'], client_id: id });
    await owner.get(path).expect(200, { tokens: [shown] });
    await service().as(secret).get(FORMS).expect(200);
    await owner.delete(`${path}/${shown.id}`).expect(200, { message: 'The token has been revoked.' });
    await service().as(secret).get(FORMS).expect(refusal(401, 'invalid_token'));
    await owner.delete(`${path}/${shown.id}`).expect(refusal(404, 'token_not_found'));
  });

  it('cannot be revoked under another client, nor the account’s under a client', async () => {
    const [one, two] = [await owner.makeClient(), await owner.makeClient()];
    const secret = await owner.makeClientToken(one);
    const [token] = (await owner.read(`${CLIENTS}/${one}/tokens`)).tokens;
    const account = await owner.makeToken();

    for (const path of [`${two}/tokens/${token?.id}`, `${one}/tokens/${account.id}`]) {
      await owner.delete(`${CLIENTS}/${path}`).expect(refusal(404, 'token_not_found'));
    }
    await service().as(secret).get('/api/v1/me').expect(200);
  });

  it('fail as soon as the client is deleted, and the others stay', async () => {
    const { id, client } = await makeActor();
    const second = service().as(await owner.makeClientToken(id));
    const other = (await makeActor()).client;

    await owner.delete(`${CLIENTS}/${id}`).expect(200);

    for (const gone of [client, second]) {
      await gone.get(FORMS).expect(refusal(401, 'invalid_token'));
    }
    await other.get(FORMS).expect(200);
    await owner.get(FORMS).expect(200);
    await owner.get(`${CLIENTS}/${id}/tokens`).expect(refusal(404, 'client_not_found'));
    const { tokens } = await owner.read(TOKENS);
    expect(tokens.filter(({ client_id }) => client_id === id)).toEqual([]);
  });

  it('are not issued to a client that is deleted meanwhile', async () => {
    const id = await owner.makeClient();
    const clients = service().app.get(ClientsRepository);
    const get = clients.get.bind(clients);
    const seen = jest.spyOn(clients, 'get').mockImplementationOnce(async (...client) => {
      const found = await get(...client);
      await owner.delete(`${CLIENTS}/${id}`).expect(200);
      return found;
    });
    await owner.post(`${CLIENTS}/${id}/tokens`, { token: { name: 'Phone' } }).expect(refusal(404, 'client_not_found'));
    seen.mockRestore();

    const tokens = (await owner.read(TOKENS)).tokens;
    expect(tokens.map(({ client_id }) => client_id)).toEqual([null]);
  });

  it('are not issued by a client that is deleted meanwhile', async () => {
    const { id, client } = await makeActor();
    const tokens = service().app.get(TokensService);
    const issue = tokens.issueAs.bind(tokens);
    jest.spyOn(tokens, 'issueAs').mockImplementationOnce(async (...asked) => {
      await owner.delete(`${CLIENTS}/${id}`).expect(200);
      return issue(...asked);
    });

    await client.post(TOKENS, { token: { name: 'x' } }).expect(refusal(401, 'invalid_token'));

    const left = (await owner.read(TOKENS)).tokens;
    expect(left.map(({ client_id }) => client_id)).toEqual([null]);
  });

  it('name the client in /me', async () => {
    const { id, client } = await makeActor({}, { name: 'Phone' });

    const { body } = await client.get('/api/v1/me').expect(200);

    expect(body).toMatchObject({ token: { name: 'Phone', client_id: id } });
  });
});
