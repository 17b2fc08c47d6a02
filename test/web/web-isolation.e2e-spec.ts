import type { Response } from 'supertest';
import type { Action } from '../../src/accounts/access/principal.js';
import { contentOf, makeFullAccount, UNKNOWN, type FullAccount } from '../support/full-account.js';
import { elementsOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { fillTemplate, isPage, templatesOf } from '../support/routes.js';
import { API_ROUTES } from '../support/caller.js';
import { useService, type Standing } from '../support/service.js';

const service = useService({ WORKERS: 'off' });

/** Enough for every form of every page, so that nothing but the id is wrong. */
const FIELDS = {
  name: 'Contact',
  ...{ 'form.name': 'Contact', 'client.name': 'Jane', 'client.email': 'jane@example.com' },
  ...{ 'person.role': 'viewer', 'person.name': 'New', 'person.email': 'new@example.com' },
  ...{ 'note.text': 'Call back', tags: 'urgent', domain: 'example.com' },
  ...{ 'view.name': 'Mine', 'view.q': '' },
  ...{ level: 'normal', 'canary.schedule': 'weekly' },
  ...{ done: 'true', q: '', 'token.name': 'New', confirm: 'Contact' },
};

const ROLES = ['owner', 'editor', 'viewer', 'client'] as const;

/** Forms of pages that others than owners and editors may send; the client is a person of one who can only view. */
const SENDERS: Record<string, readonly (typeof ROLES)[number][]> = {
  '/inbox/read': ROLES,
  '/views': ROLES,
  '/views/:id/digest': ['owner', 'editor', 'viewer'],
  '/inbox/:identifier/:id/read': ROLES,
  '/inbox/:identifier/:id/presence': ROLES,
  '/forms/:identifier/submissions/export': ['owner', 'editor', 'viewer'],
  '/view/end': ROLES,
  '/status/checks': [],
  '/status/mend': [],
};
const OF_OWNERS = /^\/(?:clients|people|invitations|tokens|brand|spam-learning|status\/weekly-mail)(?:\/|$)/;
const sendersOf = (path: string) => SENDERS[path] ?? (OF_OWNERS.test(path) ? ['owner'] : ['owner', 'editor']);
/** Before sign-in, and what is a person's own. */
const OWN = /^\/(?:sign-in|sign-out|setup|invitation|confirm|account)(?:\/|$)/;

let mine: FullAccount;
let theirs: FullAccount;
let people: Record<'owner' | 'editor' | 'viewer' | 'client' | 'other client', Browser>;

beforeAll(async () => {
  mine = await makeFullAccount(service(), { name: 'Contact' });
  theirs = await makeFullAccount(service(), { name: 'Contact' });
  const other = await mine.owner.makeClient();
  const see = ['see'] as const;
  people = {
    owner: await signedIn({ clientId: null, role: 'owner' }),
    editor: await signedIn({ clientId: null, role: 'editor' }),
    viewer: await signedIn({ clientId: null, role: 'viewer' }),
    client: await signedIn({ clientId: mine.client, actions: [...see] }),
    'other client': await signedIn({ clientId: other, actions: ['see', 'triage', 'export', 'erase'] }),
  };
});

async function signedIn(standing: Standing): Promise<Browser> {
  const { id, email } = await service().makePerson(mine.owner, standing);
  await service().makePasskey(id);
  return Browser.of(service(), email);
}

function pages(withIds: boolean) {
  const found = templatesOf(service().app).filter(({ path }) => isPage(path));
  return withIds ? found.filter(({ path }) => path.includes(':')) : found;
}

const send = (browser: Browser, method: string, path: string) =>
  method === 'get' ? browser.get(path) : browser.post(path, FIELDS);

/** An answer but for what is different in every answer, and for the path that was asked for. */
function essence({ status, headers, text }: Response, path: string) {
  const { location = '', 'x-request-id': requestId = '' } = headers as Record<string, string>;
  const plain = [requestId, path].reduce((rest, each) => rest.replaceAll(each, 'x'), text);
  return { status, location, text: plain };
}

/** The nouns whose ids a template takes, in order. */
function nounsOf(template: string): string[] {
  const nouns: string[] = [];
  fillTemplate(template, (noun) => (nouns.push(noun), 'x'));
  return nouns;
}

/** A path with ids of another from the `from`th on, and one's own before. */
function pathWith(template: string, from: number, others: FullAccount['ids']): string {
  let index = 0;
  return fillTemplate(template, (noun) => {
    const id = (index++ < from ? mine.ids : others)[noun];
    if (id === undefined) throw new Error(`No id is known for ${noun} of ${template}`);
    return id;
  });
}

describe('A page of what belongs to others', () => {
  it('answers like a page of what does not exist, on every route, for every kind of id and for everyone', async () => {
    const before = [await contentOf(theirs.owner), await contentOf(mine.owner)];
    const wrong: object[] = [];
    for (const { method, path: template } of pages(true)) {
      for (const [who, browser] of Object.entries(people)) {
        const foreign = who === 'other client' ? [theirs.ids, mine.ids] : [theirs.ids];
        for (let from = 0; from < nounsOf(template).length; from++) {
          const unknownPath = pathWith(template, from, UNKNOWN);
          const unknown = essence(await send(browser, method, unknownPath), unknownPath);
          for (const ids of foreign) {
            const path = pathWith(template, from, ids);
            const answer = essence(await send(browser, method, path), path);
            const isRight =
              JSON.stringify(answer) === JSON.stringify(unknown) &&
              (who === 'owner' ? [404] : [403, 404]).includes(answer.status);
            if (!isRight) wrong.push({ who, method, template, from, answer, unknown });
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect([await contentOf(theirs.owner), await contentOf(mine.owner)]).toEqual(before);
  });

  it.each([
    ['/account/switch', 'membership', () => theirs.person.membershipId, 2_000_000_000],
    ['/account/identities/remove', 'identity', () => theirs.ids.identities, UNKNOWN.identities],
    ['/inbox/bulk', 'id', () => theirs.ids.submissions, UNKNOWN.submissions],
  ])('nor does an id in a form tell more: %s', async (path, field, foreign, unknown) => {
    for (const browser of Object.values(people)) {
      const answers = [foreign(), unknown].map(async (id) =>
        essence(await browser.post(path, { done: 'true', [field]: String(id) }), path),
      );
      const [asForeign, asUnknown] = await Promise.all(answers);
      expect(asForeign).toEqual(asUnknown);
      expect([403, 404, ...(path === '/inbox/bulk' ? [303] : [])]).toContain(asForeign?.status);
    }
  });
});

it('What a page sends is refused to all others with a page, and nothing happens', async () => {
  const before = await contentOf(mine.owner);
  const wrong: object[] = [];
  const routes = pages(false).filter(({ method, path }) => method === 'post' && !OWN.test(path));
  for (const { path: template } of routes) {
    const path = pathWith(template, Infinity, mine.ids);
    for (const who of ROLES.filter((role) => !sendersOf(template).includes(role))) {
      const { status, type } = await people[who].post(path, { ...FIELDS, id: String(mine.ids.submissions) });
      // A job and a view of the account are unknown to a client.
      const refused = /^\/(?:jobs|views)\/:/.test(template) && who === 'client' ? 404 : 403;
      if (status !== refused || type !== 'text/html') wrong.push({ who, template, status, type });
    }
  }
  expect(wrong).toEqual([]);
  expect(await contentOf(mine.owner)).toEqual(before);
});

/** Permission that each page asks of people of a client: an action, or `none` of them opens it. */
const NEEDS: Record<string, Action | 'none'> = {
  'get /new-job': 'see',
  'get /forms': 'see',
  'get /clients/:id/report': 'see',
  'get /forms/:identifier/activity': 'see',
  'post /inbox/bulk': 'triage',
  'post /jobs': 'triage',
  'post /inbox/:identifier/:id/marks': 'triage',
  'get /inbox/:identifier/:id/edit': 'edit',
  'post /inbox/:identifier/:id/edit': 'edit',
  'post /inbox/:identifier/:id/tags': 'triage',
  'post /inbox/:identifier/:id/assignee': 'triage',
  'post /inbox/:identifier/:id/confirm': 'triage',
  'post /inbox/:identifier/:id/repeats/:repeat': 'triage',
  'post /inbox/:identifier/:id/notes': 'triage',
  'post /inbox/:identifier/:id/notes/:noteId/delete': 'triage',
  'post /inbox/:identifier/:id/notes/:noteId/restore': 'triage',
  'post /inbox/:identifier/:id/deliveries/:deliveryId/attempts': 'triage',
  'get /forms/:identifier/submissions/export': 'export',
  'post /forms/:identifier/submissions/export': 'export',
  'get /jobs/:id/file': 'export',
  'get /forms/:identifier/submissions.csv': 'export',
  'get /forms/:identifier/submissions.ndjson': 'export',
  'get /forms/:identifier/submissions.xlsx': 'export',
  'get /visitors/:email/erase': 'erase',
  'post /visitors/:email/erase': 'erase',
  'post /inbox/:identifier/:id/erase': 'erase',
};
/**
 * Open pages that have something else to say: nothing was ticked, there is no such job, no value is named, or the file
 * is no picture.
 */
const OTHERWISE: Record<string, number> = {
  'get /new-job': 303,
  'get /jobs/:id': 404,
  'get /jobs/:id/file': 404,
  'get /inbox/:identifier/:id/value': 404,
  'get /inbox/:identifier/:id/value/file': 404,
  'get /inbox/:identifier/:id/files/:fileId/image': 404,
  'get /events': 406,
};
/** Pages for the people of the account itself. */
const OF_ACCOUNT =
  /^(?:new-|change-forms|destinations|move|clients|people|tokens|invitations|brand|spam-learning|audit|status|forms(?:$|\/:identifier\/(?!setup|submissions|statistics$|watch$)))/;
const SETS: Action[][] = [
  ['see'],
  ['see', 'triage'],
  ['see', 'export'],
  ['see', 'erase'],
  ['see', 'triage', 'export', 'erase'],
];

describe.each(SETS.map((actions) => ({ actions })))('Who may $actions for a client', ({ actions }) => {
  const walked = () =>
    pages(false)
      .filter(({ path }) => path !== '/' && !OWN.test(path))
      .map(({ method, path }) => ({ method, path, key: `${method} ${path}` }));
  const needOf = (key: string, path: string): Action | 'none' =>
    NEEDS[key] ?? (OF_ACCOUNT.test(path.slice(1)) ? 'none' : 'see');
  const isAllowed = (need: Action | 'none') => need !== 'none' && actions.includes(need);
  let browser: Browser;
  beforeAll(async () => {
    browser = await signedIn({ clientId: mine.client, actions });
  });

  it('is let in where that is enough, and nowhere else', async () => {
    expect(walked().map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(NEEDS)));
    const wrong: object[] = [];
    for (const { method, path: template, key } of walked()) {
      const path = pathWith(template, Infinity, mine.ids);
      // Another form is asked for, so that nothing changes: who may is told that there is none.
      const sent = method === 'get' ? path : pathWith(template, 0, UNKNOWN);
      const fields = { id: String(mine.ids.submissions), ...FIELDS };
      const { status } = method === 'get' ? await browser.get(sent) : await browser.post(sent, fields);
      const isOpen = status !== 403;
      if (
        isOpen !== isAllowed(needOf(key, template)) ||
        (method === 'get' && isOpen && status !== (OTHERWISE[key] ?? 200))
      )
        wrong.push({ key, status });
    }
    expect(wrong).toEqual([]);
  });

  it('is shown no link and no button that leads where that is not enough', async () => {
    const routes = walked().map((route) => ({
      ...route,
      pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
    }));
    const wrong: object[] = [];
    const seen = walked().filter(
      ({ method, path, key }) => method === 'get' && isAllowed(needOf(key, path)) && !/\.\w+$|\/files\//.test(path),
    );
    const trashed = await trashedOne();
    for (const path of [...seen.map(({ path }) => pathWith(path, Infinity, mine.ids)), trashed]) {
      const { text } = await browser.get(path);
      for (const { name, attributes } of elementsOf(text)) {
        const method = name === 'form' && attributes.method === 'post' ? 'post' : 'get';
        const target = (attributes.href ?? attributes.formaction ?? attributes.action ?? '').split('?')[0];
        const route = routes.find((each) => each.method === method && each.pattern.test(target ?? ''));
        const need = route && needOf(route.key, route.path);
        // Its form is there for all, and its buttons are counted below.
        if (need && !isAllowed(need) && route.path !== '/inbox/bulk') wrong.push({ path, target });
      }
    }
    expect(wrong).toEqual([]);
    const buttons = elementsOf((await browser.get('/inbox?q=')).text)
      .filter(({ name, attributes }) => name === 'button' && attributes.name !== undefined)
      .map(({ attributes }) => attributes.name);
    expect(buttons).toContain('read');
    expect(buttons.includes('done')).toBe(actions.includes('triage'));
    expect((await browser.get(trashed)).text.includes('/erase"')).toBe(actions.includes('erase'));
  });

  /** Moves another submission to the trash, where it can be erased. */
  async function trashedOne(): Promise<string> {
    const id = await service().submit(mine.form, { email: 'trashed@example.com' });
    const path = `/api/v1/forms/${mine.form.identifier}/submissions/${id}` as const;
    await mine.owner.patch(path, { submission: { trash: true } }).expect(200);
    return `/inbox/${mine.form.identifier}/${id}`;
  }
});

describe('A token of a client', () => {
  const READS = ['forms:read', 'submissions:read'];
  it.each([[READS], [[...READS, 'submissions:write']]])(
    'is let in where its rights are enough, and nowhere else: %j',
    async (rights) => {
      const token = await mine.owner.makeClientToken(mine.client, { rights });
      const caller = service().as(token);
      const wrong: object[] = [];
      for (const { method, path, right } of API_ROUTES) {
        if (right === undefined) continue;
        // What is granted is read; what changes something asks for what nothing has.
        const ids = method === 'get' ? mine.ids : UNKNOWN;
        const filled = path.replace(/\b(\w+)\/\{\w+\}/g, (_, noun: string) => `${noun}/${ids[noun] ?? 0}`);
        const { status } = await caller.send(method, filled, {});
        if ((status === 403) !== !rights.includes(right)) wrong.push({ method, path, status });
      }
      expect(wrong).toEqual([]);
    },
  );
});
