import type { Response } from 'supertest';
import { RIGHTS } from '../../src/accounts/access/principal.js';
import { contentOf, makeFullAccount, UNKNOWN, type FullAccount, type Ids } from '../support/full-account.js';
import { API_ROUTES } from '../support/caller.js';
import { useService, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';

const service = useService();

/** An answer but for what is different in every answer. */
function essence({ status, headers, text }: Response) {
  const { date: _, ratelimit: __, 'x-request-id': id, ...rest } = headers as Record<string, string>;
  return { status, headers: rest, text: text.replaceAll(String(id), 'id') };
}

const NEW_DESTINATION = { destination: { name: 'A', kind: 'email', settings: { to: 'a@example.com' } } };

describe('What belongs to another account is answered like what does not exist (A-01)', () => {
  let mine: FullAccount;
  let theirs: FullAccount;
  beforeEach(async () => {
    mine = await makeFullAccount(service());
    theirs = await makeFullAccount(service());
  });

  const VALUE = '?field=email&value=jane%40example.com';
  /** Content that a request to a route needs besides its path, so that nothing else is wrong with it. */
  const BODIES: Record<string, object> = {
    'patch /forms/{identifier}': { form: { name: 'x' } },
    'put /forms/{identifier}': { form: { name: 'x' } },
    'patch /clients/{id}': { client: { name: 'x', form_ids: [] } },
    'put /clients/{id}/brand': { brand: { name: 'x' } },
    'put /clients/{id}/sender': { sender: { from: null } },
    'put /clients/{id}/report/mail': { report_mail: { recipients: [] } },
    'put /clients/{id}/form-defaults': { form_defaults: {} },
    'post /clients/{id}/forms': { form: { name: 'x' } },
    'put /clients/{id}/host': { host: { name: 'forms.example.com' } },
    'post /clients/{id}/tokens': { token: { name: 'x' } },
    'patch /people/{id}': { person: { role: 'viewer' } },
    'post /clients/{id}/people': { person: { email: 'new@example.com', name: 'New', send: false } },
    'patch /clients/{id}/people/{personId}': { person: { actions: ['see'] } },
    'patch /forms/{identifier}/submissions/{id}': { submission: { spam: true } },
    'patch /forms/{identifier}/submissions/{id}/marks': { marks: { done: true } },
    'put /forms/{identifier}/submissions/{id}/tags': { tags: ['x'] },
    'put /forms/{identifier}/submissions/{id}/assignee': { assignee: null },
    'patch /forms/{identifier}/submissions/{id}/values': { values: { a: 'x' } },
    'post /forms/{identifier}/submissions/{id}/notes': { note: { text: 'x' } },
    'patch /views/{id}': { view: { name: 'x' } },
    'post /forms/{identifier}/submissions/read': {},
    'post /forms/{identifier}/submissions/rejudge': { dry_run: true },
    'post /forms/{identifier}/exports': { format: 'csv' },
    'put /forms/{identifier}/retention': { days: 1 },
    'put /forms/{identifier}/statuses': { statuses: 'won,lost' },
    'put /forms/{identifier}/language': { language: 'de' },
    'put /forms/{identifier}/translations': { translations: { de: {} } },
    'put /forms/{identifier}/page': { page: { enabled: true } },
    'put /forms/{identifier}/spam': { spam: { held_at: 4 } },
    'put /forms/{identifier}/spam/lists': { lists: { block: 'casino' } },
    'put /forms/{identifier}/fields': { fields: [] },
    'put /forms/{identifier}/visitor-mail/attachment': { attachment: { name: 'a.pdf', content: 'YQ==' } },
    'put /forms/{identifier}/intake': { intake: { paused: true } },
    'post /forms/{identifier}/origins': { domain: 'example.com' },
    'post /forms/{identifier}/aliases': { alias: { provider: 'formspree', value: 'xpzvnqkd' } },
    'put /forms/{identifier}/dialect': { dialect: 'basin' },
    'put /forms/{identifier}/watch': { watch: { level: 'quiet' } },
    'put /forms/{identifier}/canary': { canary: { schedule: 'daily' } },
    'post /forms/{identifier}/recipients/failing/try': { email: 'a@example.com' },
    'patch /forms/{identifier}/webhook': { webhook: { enabled: true } },
    'post /forms/{identifier}/destinations': NEW_DESTINATION,
    'post /forms/{identifier}/destinations/try': { destination: {} },
    'post /forms/{identifier}/destinations/preview': { destination: {} },
    'patch /forms/{identifier}/destinations/{id}': { destination: {} },
    'patch /destinations/{id}': { destination: {} },
    'post /forms/{identifier}/submissions/erase': { field: 'email', value: 'jane@example.com' },
    'post /forms/{identifier}/value_exists': { field: 'email', value: 'jane@example.com' },
    'post /forms/{identifier}/redeliveries': { state: 'failed' },
  };
  const QUERIES: Record<string, string> = {
    'post /forms/{identifier}/imports': '?provider=csv',
    'post /forms/{identifier}/imports/preview': '?provider=csv',
    'delete /forms/{identifier}/submissions': VALUE,
    'get /forms/{identifier}/value_exists': VALUE,
    'delete /forms/{identifier}/deliveries': '?state=failed',
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
      const route = `${method} ${path.replace('/api/v1', '')}`;
      const [body, query = ''] = [BODIES[route], QUERIES[route]];
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

    for (const caller of [mine.owner, service().as(mine.clientToken)]) await ask(caller, ROUTES, mine.ids, theirs.ids);

    expect(await contentOf(theirs.owner)).toEqual(before);
    await service().as(theirs.token.token).get(FORMS).expect(200);
    await service().as(theirs.clientToken).get(FORMS).expect(200);
  });

  const OF_FORMS = ROUTES.filter(({ path }) => path.startsWith(`${FORMS}/`));

  it('and so is a form to a client that does not see it', async () => {
    const rights = { rights: [...RIGHTS] };
    const token = await mine.owner.makeClientToken(await mine.owner.makeClient(), rights);
    await ask(service().as(token), OF_FORMS, mine.ids, mine.ids);
  });

  it('and so is what is asked for through another form or submission of one’s own', async () => {
    const form = await mine.owner.makeForm();
    const elsewhere = { forms: form.identifier, submissions: await service().submit(form) };
    const beside = { forms: mine.form.identifier, submissions: await service().submit(mine.form) };
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
