import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Response } from 'supertest';
import { deliveriesOf } from './support/deliveries.js';
import { makeClient, makeClientToken, makeForm, makeToken } from './support/make.js';
import { actFor, makePerson } from './support/people.js';
import { useService, type Caller, type Method } from './support/service.js';
import { submitFile } from './support/submissions.js';

const OPENAPI = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, object>;
};
const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';
const PEOPLE = '/api/v1/people';
const INVITATIONS = '/api/v1/invitations';

const service = useService();

/** An account with one of everything; ids by the part of a path that stands before them. */
async function makeAccount() {
  const owner = await service().openAccount('An account', 'owner@example.com');
  const form = await makeForm(owner);
  const token = await makeToken(owner);
  const client = await makeClient(owner, { form_ids: [form.id] });
  const clientToken = await makeClientToken(owner, client);
  const { body } = await owner.get(`${CLIENTS}/${client}/tokens`).expect(200);
  const clientTokenId = (body as { tokens: { id: number }[] }).tokens[0]?.id ?? 0;
  const submission = await submitFile(service(), form, 'a file');
  const { body: shown } = await owner.get(`${FORMS}/${form.identifier}/submissions/${submission}`);
  const [file] = (shown as { files: { id: string }[] }).files;
  const [delivery] = await deliveriesOf(owner, form, submission);
  const person = await makePerson(service(), owner);
  await actFor(service(), owner, person, { clientId: client, actions: ['see'] });
  const invitee = { email: 'invited@example.com', name: 'Invited', role: 'viewer', send: false };
  const { body: invited } = await owner.post('/api/v1/people', { person: invitee }).expect(201);
  const ids: Ids = {
    forms: form.identifier,
    clients: client,
    tokens: clientTokenId,
    submissions: submission,
    files: file?.id ?? '',
    deliveries: delivery?.id ?? '',
    people: person.id,
    invitations: (invited as { id: string }).id,
  };
  return { owner, form, token, client, clientToken, clientTokenId, ids };
}

type Ids = Record<string, string | number>;

/** Everything an account can see of itself. */
async function grantedForms(owner: Caller): Promise<unknown> {
  const [form] = (await owner.get(FORMS).expect(200)).body.forms as { identifier: string }[];
  const answers = [
    FORMS,
    CLIENTS,
    TOKENS,
    PEOPLE,
    INVITATIONS,
    `${FORMS}/${form?.identifier ?? ''}/submissions`,
  ].map(async (path) => {
    const { body } = await owner.get(path).expect(200);
    return JSON.parse(
      JSON.stringify(body, (key, value: unknown) => (key === 'last_used_at' ? 0 : value)),
    ) as unknown;
  });
  return Promise.all(answers);
}

/** An answer but for what is different in every answer. */
function essence({ status, headers, text }: Response) {
  const { date: _, ratelimit: __, 'x-request-id': id, ...rest } = headers as Record<string, string>;
  return { status, headers: rest, text: text.replaceAll(String(id), 'id') };
}

type Account = Awaited<ReturnType<typeof makeAccount>>;

describe('What belongs to another account is answered like what does not exist (A-01)', () => {
  let mine: Account;
  let theirs: Account;
  beforeEach(async () => {
    mine = await makeAccount();
    theirs = await makeAccount();
  });

  const UNKNOWN_ID = 2_000_000_000;
  const UNKNOWN_UUID = '01a1fe6f-1e58-7000-842b-694654d2b033';
  const UNKNOWN: Ids = {
    forms: '0123456789abcdef',
    clients: UNKNOWN_ID,
    tokens: UNKNOWN_ID,
    submissions: UNKNOWN_UUID,
    files: UNKNOWN_UUID,
    deliveries: UNKNOWN_UUID,
    people: UNKNOWN_ID,
    invitations: UNKNOWN_UUID,
  };
  const VALUE = '?field=email&value=jane%40example.com';
  /** What a request to a route needs besides its path, so that nothing else is wrong with it. */
  const NEEDED: Record<string, { body?: object; query?: string }> = {
    'patch /api/v1/forms/{identifier}': { body: { form: { name: 'x' } } },
    'put /api/v1/forms/{identifier}': { body: { form: { name: 'x' } } },
    'patch /api/v1/clients/{id}': { body: { client: { name: 'x', form_ids: [] } } },
    'post /api/v1/clients/{id}/tokens': { body: { token: { name: 'x' } } },
    'patch /api/v1/people/{id}': { body: { person: { role: 'viewer' } } },
    'post /api/v1/clients/{id}/people': {
      body: { person: { email: 'new@example.com', name: 'New', send: false } },
    },
    'patch /api/v1/clients/{id}/people/{personId}': { body: { person: { actions: ['see'] } } },
    'patch /api/v1/forms/{identifier}/submissions/{id}': { body: { submission: { spam: true } } },
    'put /api/v1/forms/{identifier}/retention': { body: { days: 1 } },
    'patch /api/v1/forms/{identifier}/webhook': { body: { webhook: { enabled: true } } },
    'delete /api/v1/forms/{identifier}/submissions': { query: VALUE },
    'post /api/v1/forms/{identifier}/submissions/erase': {
      body: { field: 'email', value: 'jane@example.com' },
    },
    'post /api/v1/forms/{identifier}/value_exists': {
      body: { field: 'email', value: 'jane@example.com' },
    },
    'post /api/v1/forms/{identifier}/redeliveries': { body: { state: 'failed' } },
    'get /api/v1/forms/{identifier}/value_exists': { query: VALUE },
    'delete /api/v1/forms/{identifier}/deliveries': { query: '?state=failed' },
  };

  /** The path of a route with the ids of others from the parameter `from` on, and one's own before. */
  function fill(path: string, from: number, own: Ids, others: Ids): string {
    let index = 0;
    return path.replace(/\b(\w+)\/\{\w+\}/g, (_, noun: string) => {
      const id = (index++ < from ? own : others)[noun];
      if (id === undefined) throw new Error(`No id is known for ${path}`);
      return `${noun}/${id}`;
    });
  }

  it('to the account and to its clients, on every route and for every kind of id', async () => {
    const routes = Object.entries(OPENAPI.paths)
      .filter(([path]) => path.startsWith('/api/v1/') && path.includes('{'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => ({ method: method as Method, path })),
      );
    expect(routes.length).toBeGreaterThan(30);
    const before = await grantedForms(theirs.owner);

    for (const caller of [mine.owner, service().as(mine.clientToken)]) {
      for (const { method, path } of routes) {
        const { body, query = '' } = NEEDED[`${method} ${path}`] ?? {};
        for (let from = 0; from < path.split('{').length - 1; from++) {
          const foreign = fill(path, from, mine.ids, theirs.ids) + query;
          const unknown = fill(path, from, mine.ids, UNKNOWN) + query;
          const answer = essence(await caller.send(method, foreign, body));
          expect({ method, path, from, ...answer }).toEqual({
            method,
            path,
            from,
            ...essence(await caller.send(method, unknown, body)),
            status: 404,
          });
        }
      }
    }

    expect(await grantedForms(theirs.owner)).toEqual(before);
    await service().as(theirs.token.token).get(FORMS).expect(200);
    await service().as(theirs.clientToken).get(FORMS).expect(200);
  });

  it('also where it is one of several kinds of token', async () => {
    for (const id of [theirs.token.id, theirs.clientTokenId]) {
      const foreign = essence(await mine.owner.delete(`${TOKENS}/${id}`));
      const unknown = essence(await mine.owner.delete(`${TOKENS}/${UNKNOWN_ID}`));
      expect(foreign).toEqual({ ...unknown, status: 404 });
    }
    await service().as(theirs.clientToken).get(FORMS).expect(200);
  });

  it('also where an own client is named together with a foreign token', async () => {
    const path = (id: number) => `${CLIENTS}/${mine.client}/tokens/${id}`;

    const foreign = await mine.owner.delete(path(theirs.clientTokenId));
    expect(essence(foreign)).toEqual(essence(await mine.owner.delete(path(UNKNOWN_ID))));
    await service().as(theirs.clientToken).get(FORMS).expect(200);
  });

  it('and a foreign form id is refused as an unknown one', async () => {
    const patch = async (id: number) => {
      const form_ids = [mine.form.id, id];
      const answer = await mine.owner.patch(`${CLIENTS}/${mine.client}`, { client: { form_ids } });
      return { ...essence(answer), text: essence(answer).text.replaceAll(String(id), 'N') };
    };

    const foreign = await patch(theirs.form.id);
    expect(foreign.status).toBe(422);
    const { text, status } = await patch(UNKNOWN_ID);
    expect({ text: foreign.text, status: foreign.status }).toEqual({ text, status });
  });

  it('and lists hold only what is one’s own', async () => {
    const { body: forms } = await mine.owner.get(FORMS).expect(200);
    const { body: clients } = await mine.owner.get(CLIENTS).expect(200);
    const { body: tokens } = await mine.owner.get(TOKENS).expect(200);

    expect(forms).toMatchObject({ forms: [{ id: mine.form.id }] });
    expect(clients).toMatchObject([{ id: mine.client, forms: [{ id: mine.form.id }] }]);
    expect((tokens as { tokens: object[] }).tokens).toMatchObject([
      {},
      { id: mine.token.id },
      { id: mine.clientTokenId },
    ]);
  });
});
