import type { Response } from 'supertest';
import { RIGHTS } from '../../src/access/rights.js';
import {
  contentOf,
  makeFullAccount,
  UNKNOWN,
  type FullAccount,
  type Ids,
} from '../support/full-account.js';
import { makeClient, makeClientToken, makeForm } from '../support/make.js';
import { API_ROUTES } from '../support/caller.js';
import { useService, type Caller } from '../support/service.js';
import { submit } from '../support/submissions.js';

const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';

const service = useService();

/** An answer but for what is different in every answer. */
function essence({ status, headers, text }: Response) {
  const { date: _, ratelimit: __, 'x-request-id': id, ...rest } = headers as Record<string, string>;
  return { status, headers: rest, text: text.replaceAll(String(id), 'id') };
}

const NEW_DESTINATION = {
  destination: { name: 'A', kind: 'email', settings: { to: 'a@example.com' } },
};

describe('What belongs to another account is answered like what does not exist (A-01)', () => {
  let mine: FullAccount;
  let theirs: FullAccount;
  beforeEach(async () => {
    mine = await makeFullAccount(service());
    theirs = await makeFullAccount(service());
  });

  const VALUE = '?field=email&value=jane%40example.com';
  /** Content that a request to a route needs besides its path, so that nothing else is wrong with it. */
  const NEEDED: Record<string, { body?: object; query?: string }> = {
    'patch /api/v1/forms/{identifier}': { body: { form: { name: 'x' } } },
    'put /api/v1/forms/{identifier}': { body: { form: { name: 'x' } } },
    'patch /api/v1/clients/{id}': { body: { client: { name: 'x', form_ids: [] } } },
    'put /api/v1/clients/{id}/brand': { body: { brand: { name: 'x' } } },
    'put /api/v1/clients/{id}/sender': { body: { sender: { from: null } } },
    'put /api/v1/clients/{id}/report/mail': { body: { report_mail: { recipients: [] } } },
    'put /api/v1/clients/{id}/form-defaults': { body: { form_defaults: {} } },
    'post /api/v1/clients/{id}/forms': { body: { form: { name: 'x' } } },
    'put /api/v1/clients/{id}/host': { body: { host: { name: 'forms.example.com' } } },
    'post /api/v1/clients/{id}/tokens': { body: { token: { name: 'x' } } },
    'patch /api/v1/people/{id}': { body: { person: { role: 'viewer' } } },
    'post /api/v1/clients/{id}/people': {
      body: { person: { email: 'new@example.com', name: 'New', send: false } },
    },
    'patch /api/v1/clients/{id}/people/{personId}': { body: { person: { actions: ['see'] } } },
    'patch /api/v1/forms/{identifier}/submissions/{id}': { body: { submission: { spam: true } } },
    'patch /api/v1/forms/{identifier}/submissions/{id}/marks': { body: { marks: { done: true } } },
    'put /api/v1/forms/{identifier}/submissions/{id}/tags': { body: { tags: ['x'] } },
    'put /api/v1/forms/{identifier}/submissions/{id}/assignee': { body: { assignee: null } },
    'patch /api/v1/forms/{identifier}/submissions/{id}/values': { body: { values: { a: 'x' } } },
    'post /api/v1/forms/{identifier}/submissions/{id}/notes': { body: { note: { text: 'x' } } },
    'patch /api/v1/views/{id}': { body: { view: { name: 'x' } } },
    'post /api/v1/forms/{identifier}/submissions/read': { body: {} },
    'post /api/v1/forms/{identifier}/submissions/rejudge': { body: { dry_run: true } },
    'post /api/v1/forms/{identifier}/exports': { body: { format: 'csv' } },
    'post /api/v1/forms/{identifier}/imports': { query: '?provider=csv' },
    'post /api/v1/forms/{identifier}/imports/preview': { query: '?provider=csv' },
    'put /api/v1/forms/{identifier}/retention': { body: { days: 1 } },
    'put /api/v1/forms/{identifier}/spam': { body: { spam: { held_at: 4 } } },
    'put /api/v1/forms/{identifier}/spam/lists': { body: { lists: { block: 'casino' } } },
    'put /api/v1/forms/{identifier}/labels': { body: { labels: [] } },
    'put /api/v1/forms/{identifier}/rules': { body: { rules: [{ field: 'email' }] } },
    'put /api/v1/forms/{identifier}/visitor-mail': {
      body: { visitor_mail: { double_opt_in: true } },
    },
    'put /api/v1/forms/{identifier}/visitor-mail/attachment': {
      body: { attachment: { name: 'a.pdf', content: 'YQ==' } },
    },
    'put /api/v1/forms/{identifier}/intake': { body: { intake: { paused: true } } },
    'put /api/v1/forms/{identifier}/preview': { body: { fields: ['email'] } },
    'post /api/v1/forms/{identifier}/origins': { body: { domain: 'example.com' } },
    'post /api/v1/forms/{identifier}/aliases': {
      body: { alias: { provider: 'formspree', value: 'xpzvnqkd' } },
    },
    'put /api/v1/forms/{identifier}/dialect': { body: { dialect: 'basin' } },
    'put /api/v1/forms/{identifier}/watch': { body: { watch: { level: 'quiet' } } },
    'put /api/v1/forms/{identifier}/canary': { body: { canary: { schedule: 'daily' } } },
    'post /api/v1/forms/{identifier}/recipients/failing/try': { body: { email: 'a@example.com' } },
    'patch /api/v1/forms/{identifier}/webhook': { body: { webhook: { enabled: true } } },
    'post /api/v1/forms/{identifier}/destinations': { body: NEW_DESTINATION },
    'post /api/v1/forms/{identifier}/destinations/try': { body: { destination: {} } },
    'post /api/v1/forms/{identifier}/destinations/preview': { body: NEW_DESTINATION },
    'patch /api/v1/forms/{identifier}/destinations/{id}': { body: { destination: {} } },
    'patch /api/v1/destinations/{id}': { body: { destination: {} } },
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

  /** Matches the paths of what only those see or change who may change the form. */
  const OF_MAKERS = /^\/api\/v1\/forms\/.*\/(?:aliases|destinations)\//;

  /** The path of a route with the ids of others from the parameter `from` on, and one's own before. */
  function fill(path: string, from: number, own: Ids, others: Ids): string {
    let index = 0;
    return path.replace(/\b(\w+)\/\{\w+\}/g, (_, noun: string) => {
      const id = (index++ < from ? own : others)[noun];
      if (id === undefined) throw new Error(`No id is known for ${path}`);
      return `${noun}/${id}`;
    });
  }

  const ROUTES = API_ROUTES.filter(
    // What is a person's own is opened by no token; passkeys.e2e-spec.ts tells it from others'.
    ({ path }) => /^\/api\/v1\/(?!me\/).*\{/.test(path),
  );

  /** Asks with the ids of others from each parameter on, and expects what unknown ids get. */
  async function ask(caller: Caller, routes: typeof ROUTES, own: Ids, others: Ids, first = 0) {
    const sees = caller !== mine.owner && own !== others;
    for (const { method, path } of routes) {
      const { body, query = '' } = NEEDED[`${method} ${path}`] ?? {};
      for (let from = first; from < path.split('{').length - 1; from++) {
        const foreign = fill(path, from, own, others) + query;
        const unknown = fill(path, from, own, UNKNOWN) + query;
        const answer = essence(await caller.send(method, foreign, body));
        expect({ method, path, from, ...answer }).toEqual({
          method,
          path,
          from,
          ...essence(await caller.send(method, unknown, body)),
          // Of a form that it has not made, a client changes nothing, whatever it names.
          status: sees && from > 0 && OF_MAKERS.test(path) ? 403 : 404,
        });
      }
    }
  }

  it('to the account and to its clients, on every route and for every kind of id', async () => {
    expect(ROUTES.length).toBeGreaterThan(30);
    const before = await contentOf(theirs.owner);

    for (const caller of [mine.owner, service().as(mine.clientToken)])
      await ask(caller, ROUTES, mine.ids, theirs.ids);

    expect(await contentOf(theirs.owner)).toEqual(before);
    await service().as(theirs.token.token).get(FORMS).expect(200);
    await service().as(theirs.clientToken).get(FORMS).expect(200);
  });

  const OF_FORMS = ROUTES.filter(({ path }) => path.startsWith(`${FORMS}/`));

  it('and so is a form to a client that does not see it', async () => {
    const rights = { rights: [...RIGHTS] };
    const token = await makeClientToken(mine.owner, await makeClient(mine.owner), rights);
    await ask(service().as(token), OF_FORMS, mine.ids, mine.ids);
  });

  it('and so is what is asked for through another form or submission of one’s own', async () => {
    const form = await makeForm(mine.owner);
    const elsewhere = { forms: form.identifier, submissions: await submit(service(), form) };
    const beside = { forms: mine.form.identifier, submissions: await submit(service(), mine.form) };
    const before = await contentOf(mine.owner);

    await ask(mine.owner, OF_FORMS, elsewhere, mine.ids, 1);
    await ask(mine.owner, OF_FORMS, beside, mine.ids, 2);

    expect(await contentOf(mine.owner)).toEqual(before);
  });

  it('also where it is one of several kinds of token', async () => {
    for (const id of [theirs.token.id, theirs.clientTokenId]) {
      const foreign = essence(await mine.owner.delete(`${TOKENS}/${id}`));
      const unknown = essence(await mine.owner.delete(`${TOKENS}/${UNKNOWN.tokens}`));
      expect(foreign).toEqual({ ...unknown, status: 404 });
    }
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
    const { text, status } = await patch(UNKNOWN.clients as number);
    expect({ text: foreign.text, status: foreign.status }).toEqual({ text, status });
  });

  it('and lists hold only what is one’s own', async () => {
    const { body: forms } = await mine.owner.get(FORMS).expect(200);
    const { body: clients } = await mine.owner.get(CLIENTS).expect(200);
    const { body: tokens } = await mine.owner.get(TOKENS).expect(200);

    expect(forms).toMatchObject({ forms: [{ id: mine.form.id }] });
    expect(clients).toMatchObject([{ id: mine.client, forms: [{ id: mine.form.id }] }]);
    expect(tokens.tokens).toMatchObject([{}, { id: mine.token.id }, { id: mine.clientTokenId }]);
  });
});
