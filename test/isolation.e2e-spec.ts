import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { makeClient, makeClientToken, makeForm, makeToken } from './support/make.js';
import { useService, type Caller, type Method } from './support/service.js';

const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';

const service = useService();

/** An account with one of everything. */
async function makeAccount() {
  const owner = await service().openAccount();
  const form = await makeForm(owner);
  const token = await makeToken(owner);
  const client = await makeClient(owner, { form_ids: [form.id] });
  const clientToken = await makeClientToken(owner, client);
  const { body } = await owner.get(`${CLIENTS}/${client}/tokens`).expect(200);
  const clientTokenId = (body as { tokens: { id: number }[] }).tokens[0]?.id ?? 0;
  return { owner, form, token, client, clientToken, clientTokenId };
}

/** Everything an account can see of itself. */
async function seenBy(owner: Caller): Promise<unknown> {
  const answers = [FORMS, CLIENTS, TOKENS].map(async (path) => {
    const { body } = await owner.get(path).expect(200);
    return JSON.parse(
      JSON.stringify(body, (key, value: unknown) => (key === 'last_used_at' ? 0 : value)),
    ) as unknown;
  });
  return Promise.all(answers);
}

/** An answer but for what is different in every answer. */
function essence({ status, headers, text }: Response) {
  const { date: _, 'x-request-id': id, ...rest } = headers as Record<string, string>;
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

  const UNKNOWN_IDENTIFIER = '0123456789abcdef';
  const UNKNOWN_ID = 2_000_000_000;
  const token = { token: { name: 'x' } };
  const form = { form: { name: 'x' } };
  const client = { client: { name: 'x', form_ids: [] } };

  const ROUTES: [Method, (a: Account) => string, (a: Account) => string, object?][] = [
    ...(['get', 'post', 'patch', 'put', 'delete'] as const).map(
      (method): (typeof ROUTES)[number] => [
        method,
        (account) => `${FORMS}/${account.form.identifier}`,
        () => `${FORMS}/${UNKNOWN_IDENTIFIER}`,
        method === 'patch' || method === 'put' ? form : undefined,
      ],
    ),
    ['get', (a) => `${CLIENTS}/${a.client}`, () => `${CLIENTS}/${UNKNOWN_ID}`],
    ['patch', (a) => `${CLIENTS}/${a.client}`, () => `${CLIENTS}/${UNKNOWN_ID}`, client],
    ['delete', (a) => `${CLIENTS}/${a.client}`, () => `${CLIENTS}/${UNKNOWN_ID}`],
    ['get', (a) => `${CLIENTS}/${a.client}/tokens`, () => `${CLIENTS}/${UNKNOWN_ID}/tokens`],
    [
      'post',
      (a) => `${CLIENTS}/${a.client}/tokens`,
      () => `${CLIENTS}/${UNKNOWN_ID}/tokens`,
      token,
    ],
    [
      'delete',
      (a) => `${CLIENTS}/${a.client}/tokens/${a.clientTokenId}`,
      () => `${CLIENTS}/${UNKNOWN_ID}/tokens/${UNKNOWN_ID}`,
    ],
    ['delete', (a) => `${TOKENS}/${a.token.id}`, () => `${TOKENS}/${UNKNOWN_ID}`],
    ['delete', (a) => `${TOKENS}/${a.clientTokenId}`, () => `${TOKENS}/${UNKNOWN_ID}`],
  ];

  it('to the account and to its clients, on every route and for every kind of id', async () => {
    const before = await seenBy(theirs.owner);

    for (const caller of [mine.owner, service().as(mine.clientToken)]) {
      for (const [method, foreign, unknown, body] of ROUTES) {
        const path = foreign(theirs);
        const answer = essence(await caller.send(method, path, body));
        expect({ method, path, ...answer }).toEqual({
          method,
          path,
          ...essence(await caller.send(method, unknown(theirs), body)),
          status: 404,
        });
      }
    }

    expect(await seenBy(theirs.owner)).toEqual(before);
    await service().as(theirs.token.token).get(FORMS).expect(200);
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
