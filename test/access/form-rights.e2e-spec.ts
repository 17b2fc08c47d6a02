import { OLD_ADDRESSES } from '../../src/web/settings/account-settings.controller.js';
import { ACTIONS, type Action } from '../../src/accounts/access/principal.js';
import type { Browser } from '../support/people.js';
import { API_ROUTES } from '../support/caller.js';
import { refusal } from '../support/refusal.js';
import { templatesOf } from '../support/routes.js';
import { useService, type FormBody, type Caller, type Method } from '../support/service.js';

const FORMS = '/api/v1/forms';

/** Need of a route, besides a client that created the form. */
type Need = 'nothing' | 'secret' | Extract<Action, 'erase' | 'triage' | 'see'>;

/** Matches routes about submissions, and those that only show a form. */
const OTHERS =
  /^get (?!\/webhook)|^post $|(?:destinations\/try|submissions|exports|imports|deliveries|redeliveries|value_exists)/;

/** Routes that need more than others. */
const MORE: Record<string, Need> = {
  'delete ': 'erase',
  'put /retention': 'erase',
  ...{ 'post /webhook/secret': 'secret', 'post /destinations/{id}/secret': 'secret' },
  'post /delete': 'erase',
  'post /spam/rejudge': 'triage',
  'get /webhook/calls': 'see',
};
const withNeed = (key: string): [string, Need] => [key, MORE[key] ?? 'nothing'];

/** Every route of the API that changes a form, shows its secrets, or tries what it would become. */
const ROUTES = API_ROUTES.filter(({ path }) => path.startsWith(`${FORMS}/{identifier}`))
  .map(({ method, path, right }) => ({ key: `${method} ${path.slice(`${FORMS}/{identifier}`.length)}`, right }))
  .filter(({ key, right }) => right === 'forms:write' || right === 'webhooks:secret' || !OTHERS.test(key))
  .map(({ key }) => withNeed(key));

/** Every page that does. */
const pages = () =>
  templatesOf(service().app)
    .filter(({ path }) => path.startsWith('/forms/:identifier/'))
    .filter(({ path }) => !(path.slice(1) in OLD_ADDRESSES))
    .map(({ method, path }) => `${method} ${path.slice('/forms/:identifier'.length)}`)
    .filter((key) => !/submissions|import|statistics|setup|^get \/activity$/.test(key))
    .map(withNeed);

/** Bodies without which an erasing route would be refused for something else. */
const BODIES: Record<string, object> = { 'put /retention': { days: 30 } };

const service = useService({ WORKERS: 'off' });
let owner: Caller;
let client: number;
let maker: Caller;
beforeAll(async () => {
  owner = await service().openAccount();
  client = await owner.makeClient({ can_create_forms: true });
  maker = await tokenOf();
});

const tokenOf = async (rights: string[] = []) => service().as(await owner.makeClientToken(client, { rights }));

/** A form that the client made. */
const makeOwn = (): Promise<FormBody> => maker.makeForm({ name: 'Contact' });

/** A form of the account that the client sees. */
async function makeGranted(): Promise<FormBody> {
  const form = await owner.makeForm({ name: 'Contact' });
  const [seen] = await owner.read(`/api/v1/clients/${client}`);
  const form_ids = [...(seen?.forms ?? []).map(({ id }) => id), form.id];
  await owner.patch(`/api/v1/clients/${client}`, { client: { form_ids } }).expect(200);
  return form;
}

const parted = (key: string) => key.split(' ') as [Method, string];

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
    expect(ROUTES.length).toBeGreaterThan(30);
    for (const [key, need] of ROUTES) {
      const [method, path] = parted(key);
      const { identifier } = await makeOwn();
      const address = `${FORMS}/${identifier}${path}`;
      const { status } = await token.send(method, address, BODIES[key] ?? {});
      const may = { nothing: true, triage: true, erase: mayErase, secret: maySecret, see: maySee };
      const isAllowed = mayWrite && may[need];
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

    for (const [key, need] of ROUTES) {
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
  const secretFor = async (caller: Caller, { identifier }: FormBody) =>
    (await caller.read(`${FORMS}/${identifier}/webhook`)).webhook.secret;

  it('is told to tokens with a right of its own, which a client’s has only by name', async () => {
    const own = await makeOwn();
    const secret = await secretFor(owner, own);
    const reader = ['forms:read', 'forms:write'];
    const limited = service().as((await owner.makeToken({ rights: reader })).token);

    expect(secret).toMatch(/^whsec_/);
    expect(await secretFor(limited, own)).toBeNull();
    expect(await secretFor(await tokenOf(), own)).toBeNull();
    expect(await secretFor(await tokenOf([...reader, 'webhooks:secret']), own)).toBe(secret);
  });

  it('is not told by a token that a client’s default token issues', async () => {
    const token = await tokenOf();

    await token.makeToken();
    await token
      .post('/api/v1/tokens', { token: { name: 'x', rights: ['webhooks:secret'] } })
      .expect(refusal(403, 'rights_exceeded'));
  });
});

const TICKS: { actions: Action[]; mayCreate: boolean }[] = [
  { actions: ['see'], mayCreate: true },
  { actions: ['see', 'triage'], mayCreate: true },
  { actions: ['see', 'export'], mayCreate: true },
  { actions: ['see', 'erase'], mayCreate: true },
  { actions: [...ACTIONS], mayCreate: true },
  { actions: [...ACTIONS], mayCreate: false },
];

describe.each(TICKS)('Who may $actions for a client, creating: $mayCreate', (ticked) => {
  const { actions, mayCreate } = ticked;
  const fields = { 'form.name': 'Contact', typed_name: 'Contact' };

  async function refused(browser: Browser, makeOne: () => Promise<FormBody>) {
    const found: string[] = [];
    for (const [key] of pages()) {
      const [method, path] = parted(key);
      await owner.patch(`/api/v1/clients/${client}`, { client: { can_create_forms: true } }).expect(200);
      const { identifier } = await makeOne();
      const can_create_forms = mayCreate;
      await owner.patch(`/api/v1/clients/${client}`, { client: { can_create_forms } }).expect(200);
      const address = `/forms/${identifier}${path}`;
      const { status } = method === 'get' ? await browser.get(address) : await browser.post(address, fields);
      // No form has what a template names.
      if (status === 404 && !path.includes(':')) throw new Error(`${key} was not found`);
      if (status === 403) found.push(key);
    }
    return found;
  }

  const signedIn = async (): Promise<Browser> => service().makeBrowser(owner, { clientId: client, actions });

  it('changes on pages what the client made, as far as that is ticked', async () => {
    const unticked = pages()
      .filter(([, need]) => !mayCreate || ((need === 'erase' || need === 'triage') && !actions.includes(need)))
      .map(([key]) => key);

    expect(await refused(await signedIn(), makeOwn)).toEqual(unticked);
  });

  it('changes on pages nothing of a form that the client only sees', async () => {
    const form = await makeGranted();
    const all = pages().map(([key]) => key);
    expect(all.length).toBeGreaterThan(40);
    expect(await refused(await signedIn(), () => Promise.resolve(form))).toEqual(all);
  });

  it('is shown no way to change a form that the client only sees', async () => {
    const { identifier } = await makeGranted();

    const browser = await signedIn();

    for (const path of ['', '/setup', '/activity']) {
      const { text, status } = await browser.get(`/forms/${identifier}${path}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(new RegExp(`/forms/${identifier}/(?!setup"|activity["?]|submissions)[a-z]`));
    }
  });
});
