import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { contentOf, makeFullAccount, UNKNOWN, type FullAccount } from './support/full-account.js';
import { makeClient } from './support/make.js';
import { Browser, makePasskey, makePerson } from './support/people.js';
import { fillTemplate, isPage, templatesOf } from './support/routes.js';
import { useService } from './support/service.js';

const service = useService({ WORKERS: 'off' });

/** Enough for every form of every page, so that nothing but the id is wrong. */
const FIELDS = {
  name: 'Contact',
  ...{ 'form.name': 'Contact', 'client.name': 'Jane', 'client.email': 'jane@example.com' },
  ...{ 'person.role': 'viewer', 'person.name': 'New', 'person.email': 'new@example.com' },
  ...{ 'note.text': 'Call back', tags: 'urgent', domain: 'example.com' },
  ...{ done: 'true', q: '', 'token.name': 'New', confirm: 'Contact' },
};

const ROLES = ['owner', 'editor', 'viewer', 'client'] as const;

/** Who may send what a page sends; the client is a person of a client who may see and do nothing else. */
const SENDERS: Record<string, (typeof ROLES)[number][]> = {
  '/inbox/read': ['owner', 'editor', 'viewer', 'client'],
  '/inbox/bulk': ['owner', 'editor'],
  '/inbox/:identifier/:id/marks': ['owner', 'editor'],
  '/inbox/:identifier/:id/tags': ['owner', 'editor'],
  '/inbox/:identifier/:id/notes': ['owner', 'editor'],
  '/inbox/:identifier/:id/notes/:noteId/delete': ['owner', 'editor'],
  '/inbox/:identifier/:id/read': ['owner', 'editor', 'viewer', 'client'],
  '/inbox/:identifier/:id/erase': ['owner', 'editor'],
  '/visitors/:email/erase': ['owner', 'editor'],
  '/inbox/:identifier/:id/deliveries/:deliveryId/attempts': ['owner', 'editor'],
  '/forms': ['owner', 'editor'],
  '/forms/:identifier/settings': ['owner', 'editor'],
  '/forms/:identifier/labels': ['owner', 'editor'],
  '/forms/:identifier/origins': ['owner', 'editor'],
  '/forms/:identifier/duplicates': ['owner', 'editor'],
  '/forms/:identifier/webhook': ['owner', 'editor'],
  '/forms/:identifier/webhook/enable': ['owner', 'editor'],
  '/forms/:identifier/webhook/disable': ['owner', 'editor'],
  '/forms/:identifier/webhook/secret': ['owner', 'editor'],
  '/forms/:identifier/webhook/test': ['owner', 'editor'],
  '/forms/:identifier/delete': ['owner', 'editor'],
  '/clients': ['owner'],
  '/clients/:id': ['owner'],
  '/clients/:id/delete': ['owner'],
  '/clients/:id/people': ['owner'],
  '/clients/:id/people/:personId': ['owner'],
  '/clients/:id/people/:personId/sessions/end': ['owner'],
  '/clients/:id/people/:personId/remove': ['owner'],
  '/clients/:id/people/:personId/view': ['owner'],
  '/people': ['owner'],
  '/people/:id': ['owner'],
  '/people/:id/sessions/end': ['owner'],
  '/people/:id/remove': ['owner'],
  '/people/:id/view': ['owner'],
  '/view/end': ['owner', 'editor', 'viewer', 'client'],
  '/invitations/:id/resend': ['owner'],
  '/invitations/:id/withdraw': ['owner'],
  '/tokens': ['owner'],
  '/tokens/:id/revoke': ['owner'],
  '/brand': ['owner'],
  '/status/checks': [],
};
/** Before sign-in, and what is a person's own. */
const OWN = /^\/(?:sign-in|sign-out|setup|invitation|confirm|account)(?:\/|$)/;

let mine: FullAccount;
let theirs: FullAccount;
let people: Record<'owner' | 'editor' | 'viewer' | 'client' | 'other client', Browser>;

beforeAll(async () => {
  mine = await makeFullAccount(service(), { name: 'Contact' });
  theirs = await makeFullAccount(service(), { name: 'Contact' });
  const other = await makeClient(mine.owner);
  const see = ['see'] as const;
  people = {
    owner: await signedIn({ clientId: null, role: 'owner' }),
    editor: await signedIn({ clientId: null, role: 'editor' }),
    viewer: await signedIn({ clientId: null, role: 'viewer' }),
    client: await signedIn({ clientId: mine.client, actions: [...see] }),
    'other client': await signedIn({
      clientId: other,
      actions: ['see', 'triage', 'export', 'erase'],
    }),
  };
});

async function signedIn(standing: Parameters<typeof makePerson>[2]): Promise<Browser> {
  const { id, email } = await makePerson(service(), mine.owner, standing);
  await makePasskey(service(), id);
  const browser = new Browser(service());
  await browser.signIn(email);
  await browser.get('/account'); // shows what the sign-in wants said
  return browser;
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

describe('What a page sends', () => {
  it('is known with those who may send it', () => {
    const routes = pages(false).filter(({ method, path }) => method === 'post' && !OWN.test(path));
    expect(routes.map(({ path }) => path).sort()).toEqual(Object.keys(SENDERS).sort());
  });

  it('is refused to all others with a page, and nothing happens', async () => {
    const before = await contentOf(mine.owner);
    const wrong: object[] = [];
    for (const [template, senders] of Object.entries(SENDERS)) {
      const path = pathWith(template, Infinity, mine.ids);
      for (const who of ROLES.filter((w) => !senders.includes(w))) {
        const { status, type } = await people[who].post(path, {
          ...FIELDS,
          id: String(mine.ids.submissions),
        });
        if (status !== 403 || type !== 'text/html') wrong.push({ who, template, status, type });
      }
    }
    expect(wrong).toEqual([]);
    expect(await contentOf(mine.owner)).toEqual(before);
  });
});
