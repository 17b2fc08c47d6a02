import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ACTIONS, type Action } from '../../src/access/roles.js';
import {
  makeClient,
  makeClientToken,
  makeForm,
  makeToken,
  type FormBody,
} from '../support/make.js';
import { Browser, makePerson } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { templatesOf } from '../support/routes.js';
import { useService, type Caller, type Method } from '../support/service.js';

const FORMS = '/api/v1/forms';
const OPENAPI = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, { 'x-right'?: string }>>;
};

/** Need of a route, besides a client that created the form. */
type Need = 'nothing' | 'create' | 'secret' | Extract<Action, 'erase' | 'see' | 'triage'>;

/** Every route of the API that changes a form, shows its secrets, or tries what it would become. */
const ROUTES: Record<string, Need> = {
  'patch ': 'nothing',
  'put ': 'nothing',
  'delete ': 'erase',
  'put /labels': 'nothing',
  'put /preview': 'nothing',
  'post /aliases': 'nothing',
  'delete /aliases/{aliasId}': 'nothing',
  'put /dialect': 'nothing',
  'put /intake': 'nothing',
  'put /visitor-mail': 'nothing',
  'put /visitor-mail/attachment': 'nothing',
  'delete /visitor-mail/attachment': 'nothing',
  'put /rules': 'nothing',
  'put /retention': 'erase',
  'put /spam': 'nothing',
  'put /spam/lists': 'nothing',
  'post /origins': 'nothing',
  'post /mails/preview': 'nothing',
  'post /thank-you-page/preview': 'nothing',
  'post /recipients/ask': 'nothing',
  'post /recipients/failing/try': 'nothing',
  'get /webhook': 'nothing',
  'patch /webhook': 'nothing',
  'get /webhook/calls': 'nothing',
  'post /webhook/secret': 'secret',
  'post /webhook/test': 'nothing',
  'put /watch': 'nothing',
  'put /canary': 'nothing',
  'post /canary/run': 'nothing',
  'get /destinations': 'nothing',
  'post /destinations': 'nothing',
  'post /destinations/preview': 'nothing',
  'get /destinations/{id}': 'nothing',
  'patch /destinations/{id}': 'nothing',
  'delete /destinations/{id}': 'nothing',
  'put /destinations/{id}/exclusion': 'nothing',
  'delete /destinations/{id}/exclusion': 'nothing',
  'post /destinations/{id}/test': 'nothing',
  'get /destinations/{id}/deliveries': 'nothing',
  'post /destinations/{id}/retry': 'nothing',
};

/** Every page that does. */
const PAGES: Record<string, Need> = {
  'get /settings': 'nothing',
  'post /settings': 'nothing',
  'get /notifications': 'nothing',
  'post /notifications/owner': 'nothing',
  'post /notifications/visitor': 'nothing',
  'get /thank-you': 'nothing',
  'post /thank-you': 'nothing',
  'get /domains': 'nothing',
  'post /domains': 'nothing',
  'post /duplicates': 'create',
  'post /delete': 'erase',
  'get /retention': 'erase',
  'post /retention': 'erase',
  'get /aliases': 'nothing',
  'post /aliases': 'nothing',
  'post /aliases/:aliasId/remove': 'nothing',
  'post /dialect': 'nothing',
  'get /rules': 'nothing',
  'get /intake': 'nothing',
  'get /visitor-mail': 'nothing',
  'post /visitor-mail': 'nothing',
  'post /visitor-mail/attachment': 'nothing',
  'post /visitor-mail/attachment/removal': 'nothing',
  'post /intake': 'nothing',
  'post /rules': 'nothing',
  'get /labels': 'nothing',
  'post /labels': 'nothing',
  'get /preview': 'nothing',
  'post /preview': 'nothing',
  'get /mails': 'nothing',
  'post /mails': 'nothing',
  'post /mails/tests': 'nothing',
  'get /thanks': 'nothing',
  'post /thanks': 'nothing',
  'post /origins': 'nothing',
  'post /recipients/failing': 'nothing',
  'get /spam': 'nothing',
  'post /spam': 'nothing',
  'post /spam/level': 'nothing',
  'post /spam/lists': 'nothing',
  'post /spam/lists/allow': 'nothing',
  'post /spam/rejudge': 'triage',
  'post /watch': 'nothing',
  'post /watch/canary': 'nothing',
  'post /watch/check': 'nothing',
  'get /redelivery': 'triage',
  'post /redelivery': 'triage',
  'get /webhook': 'nothing',
  'post /webhook': 'nothing',
  'post /webhook/enable': 'nothing',
  'post /webhook/disable': 'nothing',
  'post /webhook/test': 'nothing',
  'get /webhook/secret': 'nothing',
  'post /webhook/secret': 'nothing',
  'get /destinations': 'nothing',
  'get /new-destination': 'nothing',
  'post /destination-preview': 'nothing',
  'post /destinations': 'nothing',
  'post /new-destination': 'nothing',
  'get /destinations/:id': 'nothing',
  'post /destinations/:id': 'nothing',
  'post /destinations/:id/try': 'nothing',
  'post /destinations/:id/exclude': 'nothing',
  'post /destinations/:id/include': 'nothing',
  'post /destinations/:id/test': 'nothing',
  'post /destinations/:id/pause': 'nothing',
  'post /destinations/:id/resume': 'nothing',
  'post /destinations/:id/up': 'nothing',
  'post /destinations/:id/retry': 'nothing',
  'post /destinations/:id/delete': 'nothing',
};

/** Matches routes about submissions, and those that only show a form. */
const OTHERS =
  /^get (?!\/webhook)|^post $|(?:destinations\/try|submissions|exports|imports|deliveries|redeliveries|value_exists)/;

/** Bodies without which an erasing route would be refused for something else. */
const BODIES: Record<string, object> = { 'put /retention': { days: 30 } };

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let client: number;
let maker: Caller;
beforeAll(async () => {
  owner = await service().openAccount();
  client = await makeClient(owner, { can_create_forms: true });
  maker = await tokenOf();
});

const tokenOf = async (rights: string[] = []) =>
  service().as(await makeClientToken(owner, client, { rights }));

/** A form that the client made. */
const makeOwn = (): Promise<FormBody> => makeForm(maker, { name: 'Contact' });

/** A form of the account that the client sees. */
async function makeGranted(): Promise<FormBody> {
  const form = await makeForm(owner, { name: 'Contact' });
  const { body } = await owner.get('/api/v1/clients/' + String(client)).expect(200);
  const [{ forms }] = body as [{ forms: FormBody[] }];
  const form_ids = [...forms.map(({ id }) => id), form.id];
  await owner.patch('/api/v1/clients/' + String(client), { client: { form_ids } }).expect(200);
  return form;
}

const parted = (key: string) => key.split(' ') as [Method, string];

describe('The tables of what changes a form', () => {
  it('names every route of the API', () => {
    const found = Object.entries(OPENAPI.paths)
      .filter(([path]) => path.startsWith(`${FORMS}/{identifier}`))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { 'x-right': right }]) => ({
          key: `${method} ${path.slice(`${FORMS}/{identifier}`.length)}`,
          right,
        })),
      )
      .filter(
        ({ key, right }) =>
          right === 'forms:write' || right === 'webhooks:secret' || !OTHERS.test(key),
      );

    expect(found.map(({ key }) => key).sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('names every page', () => {
    const found = templatesOf(service().app)
      .filter(({ path }) => path.startsWith('/forms/:identifier/'))
      .map(({ method, path }) => `${method} ${path.slice('/forms/:identifier'.length)}`)
      .filter((key) => !/submissions|import|statistics|setup|^get \/watch$/.test(key));

    expect(found.sort()).toEqual(Object.keys(PAGES).sort());
  });
});

describe.each([
  { rights: [] },
  { rights: ['forms:read', 'forms:write', 'webhooks:secret'] },
  { rights: ['forms:read', 'forms:write', 'forms:create'] },
  { rights: ['forms:read', 'submissions:read', 'submissions:write'] },
])('A token of a client with the rights $rights', ({ rights }) => {
  const mayWrite = rights.length === 0 || rights.includes('forms:write');
  const maySecret = rights.includes('webhooks:secret');
  const maySee = rights.length === 0 || rights.includes('submissions:read');
  const mayErase = rights.length === 0 || rights.includes('submissions:write');

  it('changes what the client made, as far as its rights go', async () => {
    const token = await tokenOf(rights);
    const wrong: object[] = [];
    for (const [key, need] of Object.entries(ROUTES)) {
      const [method, path] = parted(key);
      const { identifier } = await makeOwn();
      const address = `${FORMS}/${identifier}${path}`;
      const { status } = await token.send(method, address, BODIES[key] ?? {});
      const isAllowed =
        mayWrite &&
        (need !== 'erase' || mayErase) &&
        (need !== 'see' || maySee) &&
        (need !== 'secret' || maySecret);
      // No form has what a template names.
      const refused = path.includes('{') ? [401, 403] : [401, 403, 404];
      if (isAllowed === refused.includes(status)) wrong.push({ key, status });
    }
    expect(wrong).toEqual([]);
  });

  it('changes nothing of a form that the client only sees', async () => {
    const form = await makeGranted();
    const before = await owner.get(`${FORMS}/${form.identifier}`).expect(200);
    const token = await tokenOf(rights);

    for (const [key, need] of Object.entries(ROUTES)) {
      const [method, path] = parted(key);
      const hasRight = need === 'secret' ? maySecret : mayWrite;
      const address = `${FORMS}/${form.identifier}${path}`;
      await token
        .send(method, address, BODIES[key] ?? {})
        .expect(refusal(403, hasRight ? 'form_not_own' : 'missing_right'));
    }
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, before.body);
  });
});

describe('The secret of a webhook', () => {
  const secretFor = async (caller: Caller, { identifier }: FormBody) => {
    const { body } = await caller.get(`${FORMS}/${identifier}/webhook`).expect(200);
    return body.webhook.secret;
  };

  it('is told to tokens with a right of its own, which a client’s has only by name', async () => {
    const own = await makeOwn();
    const secret = await secretFor(owner, own);
    const reader = ['forms:read', 'forms:write'];
    const limited = service().as((await makeToken(owner, { rights: reader })).token);

    expect(secret).toMatch(/^whsec_/);
    expect(await secretFor(limited, own)).toBeNull();
    expect(await secretFor(await tokenOf(), own)).toBeNull();
    expect(await secretFor(await tokenOf([...reader, 'webhooks:secret']), own)).toBe(secret);
  });

  it('is not told by a token that a client’s default token issues', async () => {
    const token = await tokenOf();

    await makeToken(token);
    await token
      .post('/api/v1/tokens', { token: { name: 'x', rights: ['webhooks:secret'] } })
      .expect(refusal(403, 'rights_exceeded'));
  });
});

const SETS: Action[][] = [
  ['see'],
  ['see', 'triage'],
  ['see', 'export'],
  ['see', 'erase'],
  [...ACTIONS],
];
const TICKS = SETS.flatMap((actions) => [
  { actions, mayCreate: true },
  { actions, mayCreate: false },
]);

describe.each(TICKS)('Who may $actions for a client, creating: $mayCreate', (ticked) => {
  const { actions, mayCreate } = ticked;
  const fields = { 'form.name': 'Contact', typed_name: 'Contact' };

  async function refused(browser: Browser, makeOne: () => Promise<FormBody>) {
    const found: string[] = [];
    for (const key of Object.keys(PAGES)) {
      const [method, path] = parted(key);
      await owner
        .patch(`/api/v1/clients/${client}`, { client: { can_create_forms: true } })
        .expect(200);
      const { identifier } = await makeOne();
      const can_create_forms = mayCreate;
      await owner.patch(`/api/v1/clients/${client}`, { client: { can_create_forms } }).expect(200);
      const address = `/forms/${identifier}${path}`;
      const { status } =
        method === 'get' ? await browser.get(address) : await browser.post(address, fields);
      // No form has what a template names.
      if (status === 404 && !path.includes(':')) throw new Error(`${key} was not found`);
      if (status === 403) found.push(key);
    }
    return found;
  }

  async function signedIn(): Promise<Browser> {
    const { email } = await makePerson(service(), owner, { clientId: client, actions });
    const browser = new Browser(service());
    await browser.signIn(email);
    return browser;
  }

  it('changes on pages what the client made, as far as that is ticked', async () => {
    const unticked = Object.entries(PAGES)
      .filter(
        ([, need]) =>
          !mayCreate || ((need === 'erase' || need === 'triage') && !actions.includes(need)),
      )
      .map(([key]) => key);

    expect(await refused(await signedIn(), makeOwn)).toEqual(unticked);
  });

  it('changes on pages nothing of a form that the client only sees', async () => {
    const form = await makeGranted();
    expect(await refused(await signedIn(), () => Promise.resolve(form))).toEqual(
      Object.keys(PAGES),
    );
  });

  it('is shown no way to change a form that the client only sees', async () => {
    const { identifier } = await makeGranted();

    const browser = await signedIn();

    for (const path of ['', '/setup', '/statistics', '/watch']) {
      const { text, status } = await browser.get(`/forms/${identifier}${path}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(
        new RegExp(`/forms/${identifier}/(?!setup"|watch"|statistics["?]|submissions)[a-z]`),
      );
    }
  });
});
