import { chromium, inBrowser } from '../support/browser.js';
import { EVERY_VIEW, PAIRWISE_VIEWS, useBrowser, Viewer, type View } from '../support/browser-pages.js';
import { makeFullAccount, type Ids } from '../support/full-account.js';
import { Browser } from '../support/people.js';
import { freePort } from '../support/program.js';
import { fillTemplate, isPage, templatesOf } from '../support/routes.js';
import { useService } from '../support/service.js';

const WHO = ['owner', 'editor', 'viewer', 'client'] as const;
type Who = (typeof WHO)[number];
/** The status of a page for an owner, an editor, a viewer and a person of a client. */
type Statuses = readonly [number, number, number, number];
const EVERYONE: Statuses = [200, 200, 200, 200];
const EDITORS: Statuses = [200, 200, 403, 403];
const MEMBERS: Statuses = [200, 200, 200, 403];
const OWNERS: Statuses = [200, 403, 403, 403];

/** Every page by its route; a new one is to be added here. */
const PAGES: Record<string, Statuses> = {
  '/': EVERYONE,
  '/go': EVERYONE,
  '/inbox': EVERYONE,
  '/inbox/:identifier/:id': EVERYONE,
  '/new-job': EVERYONE,
  '/jobs/:id': [200, 200, 200, 404],
  '/views': EVERYONE,
  '/visitors': EVERYONE,
  '/visitors/:email': EVERYONE,
  '/visitors/:email/erase': [200, 200, 403, 200],
  '/forms': EVERYONE,
  '/change-forms': EDITORS,
  '/destinations': EDITORS,
  '/new-destination': EDITORS,
  '/destinations/:id': EDITORS,
  '/clients/:id/report': EVERYONE,
  '/move': EDITORS,
  '/forms/:identifier/aliases': EDITORS,
  '/new-form': EDITORS,
  '/forms/:identifier': EVERYONE,
  '/forms/:identifier/setup': EVERYONE,
  '/forms/:identifier/settings': EDITORS,
  '/forms/:identifier/new-field': EDITORS,
  '/forms/:identifier/fields/:name': EDITORS,
  '/forms/:identifier/translations': EDITORS,
  '/inbox/:identifier/:id/edit': EDITORS,
  '/forms/:identifier/import': EDITORS,
  '/forms/:identifier/import/:id': EDITORS,
  '/forms/:identifier/spam': EDITORS,
  '/forms/:identifier/new-destination': EDITORS,
  '/forms/:identifier/destinations/:id': EDITORS,
  '/forms/:identifier/destinations/:id/secret': EDITORS,
  '/destinations/:id/secret': EDITORS,
  '/forms/:identifier/activity': EVERYONE,
  '/forms/:identifier/submissions/export': EVERYONE,
  '/statistics': EVERYONE,
  '/clients': MEMBERS,
  '/new-client': OWNERS,
  '/clients/:id': OWNERS,
  '/clients/:id/brand': OWNERS,
  '/clients/:id/forms': OWNERS,
  '/clients/:id/people': OWNERS,
  '/settings': EVERYONE,
  '/clients/:id/host': OWNERS,
  '/clients/:id/new-person': OWNERS,
  '/clients/:id/people/:personId': OWNERS,
  '/people': OWNERS,
  '/new-person': OWNERS,
  '/people/:id': OWNERS,
  '/tokens': OWNERS,
  '/tokens/agent': OWNERS,
  '/new-token': OWNERS,
  '/audit': OWNERS,
  '/brand': OWNERS,
  '/spam-learning': OWNERS,
  '/status': MEMBERS,
  '/account': EVERYONE,
  '/account/email': EVERYONE,
  '/account/email/confirm': EVERYONE,
  '/account/totp': EVERYONE,
  '/account/passkeys': EVERYONE,
};
/** Queries that a page needs. */
const QUERIES: Record<string, string> = { '/new-job': '?q=is:new&read=true' };
/** Pages for people who are not signed in. */
const PAGES_BEFORE_SIGN_IN: Record<string, number> = {
  '/': 200,
  '/sign-in': 200,
  '/sign-in/code': 200,
  '/sign-in/link': 200,
  '/sign-in/oidc/callback': 403,
  '/setup': 200,
  '/invitation': 200,
};
/** Addresses that lead to pages. */
const LEADING = ['destinations', 'team-mail', 'visitor-mail', 'webhook'].map((name) => `/forms/:identifier/${name}`);
/** Pages that other pages show in frames; mail-previews.e2e-spec.ts and thank-you.e2e-spec.ts look at them. */
const FRAMES = ['/forms/:identifier/destinations/:id/preview', '/forms/:identifier/thanks'];
/** Files to save, and text alone. */
const DOWNLOADS = [
  '/inbox/:identifier/:id/value',
  '/inbox/:identifier/:id/value/file',
  '/inbox/:identifier/:id/json',
  '/inbox/:identifier/:id/files/:fileId',
  '/inbox/:identifier/:id/files/:fileId/image',
  '/jobs/:id/file',
  ...['csv', 'ndjson', 'xlsx'].map((format) => `/forms/:identifier/submissions.${format}`),
  ...['/audit.csv', '/audit.ndjson'],
];

/**
 * The views in which a browser shows somebody's pages in the gate of a change. Editors and viewers, who see the owner's
 * pages with less on them, are asked for without a browser there.
 */
const IN_GATE: Record<Who, View[]> = {
  owner: PAIRWISE_VIEWS,
  editor: [],
  viewer: [],
  client: PAIRWISE_VIEWS.slice(1, 2),
};

const isGate = process.env.TEST_MODE === 'gate';

function viewsOf(name: Who): View[] {
  if (isGate) return IN_GATE[name];
  return name === 'owner' ? EVERY_VIEW : PAIRWISE_VIEWS;
}

/** The two views with script in which axe-core sees each scheme and each width once. */
function isForRules({ script, scheme, width }: View): boolean {
  return script && (scheme === 'dark') === (width === 390);
}

const port = await freePort();
const origin = `http://localhost:${port}`;
const program = useBrowser();
const service = useService({ PORT: port, BASE_URL: origin, WORKERS: 'off' });
const who = {} as Record<Who, { id: number; email: string }>;
let ids: Ids;
/** The page of a submission that is held, whose visitor waits for an answer. */
let held: string;

beforeAll(async () => {
  if (!chromium) return;
  const account = await makeFullAccount(service(), {
    name: 'Anmeldung 🥐 إلى',
    webhook_url: null,
    notify_submitter: true,
  });
  ids = account.ids;
  const values = { name: 'See http://example.com', email: 'visitor@example.com' };
  held = `/inbox/${ids.forms}/${await service().submit({ identifier: String(ids.forms) }, values)}`;
  const { owner, client } = account;
  for (const name of WHO) {
    const person = await service().makePerson(
      owner,
      name === 'client'
        ? { clientId: client, actions: ['see', 'triage', 'export', 'erase'] }
        : { clientId: null, role: name },
    );
    who[name] = person;
    await service().makePasskey(person.id);
  }
});

/** Signs somebody in, and shows what that wants said. Some pages ask for a sign-in of the last minutes. */
async function signIn(name: Who): Promise<Browser> {
  const browser = new Browser(service());
  await browser.signIn(who[name].email);
  await browser.get('/account');
  return browser;
}

inBrowser('Every page', () => {
  it('is among those that are looked at', () => {
    const routes = templatesOf(service().app)
      .filter(({ method, path }) => method === 'get' && isPage(path))
      .map(({ path }) => path);
    const known = [
      ...Object.keys(PAGES),
      ...Object.keys(PAGES_BEFORE_SIGN_IN),
      ...FRAMES,
      ...LEADING,
      ...DOWNLOADS,
      '/events', // is a stream
    ];
    expect([...new Set(known)].sort()).toEqual([...new Set(routes)].sort());
  });

  /** Returns the pages with the status that each has for somebody. */
  function pagesOf(name: Who): [path: string, status: number][] {
    const pages = Object.entries(PAGES).map(([template, statuses]): [string, number] => [
      fillTemplate(template, (noun) => String(ids[noun])) + (QUERIES[template] ?? ''),
      statuses[WHO.indexOf(name)] ?? 0,
    ]);
    return [...pages, [held, 200]];
  }

  /** Asks for the pages without a browser that shows them. */
  async function askFor(pages: [path: string, status: number][], person: Browser): Promise<void> {
    const wrong: object[] = [];
    for (const [path, status] of pages) {
      let seen = await person.get(path);
      if (seen.headers.location) seen = await person.get(seen.headers.location);
      if (seen.status !== status) wrong.push({ path, status: seen.status });
    }
    expect(wrong).toEqual([]);
  }

  /**
   * Looks at the pages in each of the views; rules of axe-core are asked in those that `rules` names, in the gate in one
   * of them in turn.
   */
  async function lookAt(
    pages: [path: string, status: number][],
    views: View[],
    rules: View[],
    enter?: () => Promise<Browser>,
  ): Promise<void> {
    const wrong: object[] = [];
    for (const view of views) {
      const viewer = await Viewer.open(program(), origin, view, (await enter?.())?.cookies);
      for (const [at, [path, status]] of pages.entries()) {
        // The page that refuses is the same everywhere.
        if (status === 403 && view !== views[0]) continue;
        const isAsked = isGate ? rules[at % rules.length] === view : rules.includes(view);
        const seen = await viewer.look(path, isAsked);
        if (seen.status !== status || seen.findings.length > 0) wrong.push({ view, path, ...seen });
      }
      await viewer.close();
    }
    expect(wrong).toEqual([]);
  }

  async function lookAs(
    name: Who,
    pages: [path: string, status: number][],
    enter: () => Promise<Browser>,
  ): Promise<void> {
    const views = viewsOf(name);
    const rules = name === 'owner' ? views.filter(isForRules) : views.slice(0, 1);
    await (views.length > 0 ? lookAt(pages, views, rules, enter) : askFor(pages, await enter()));
  }

  it.each(WHO)('holds what pages promise, to %s', (name) => lookAs(name, pagesOf(name), () => signIn(name)));

  it('holds what pages promise, to an owner who sees them as a viewer', async () => {
    const enter = async () => {
      const owner = await signIn('owner');
      expect((await owner.post(`/people/${who.viewer.id}/view`)).status).toBe(303);
      await owner.get('/inbox'); // shows what the change of eyes wants said
      return owner;
    };
    const seen = pagesOf('viewer').filter(([path]) => !path.startsWith('/account'));
    await lookAs('viewer', seen, enter);
  });

  it('is on paper what it is about, and not what it is used by', async () => {
    const view = { script: true, scheme: 'dark', width: 1280 } as const;
    const viewer = await Viewer.open(program(), origin, view, (await signIn('owner')).cookies);
    await viewer.page.emulateMedia({ media: 'print' });
    const wrong: object[] = [];
    for (const path of ['/inbox', `/inbox/${ids.forms}/${ids.submissions}`, '/audit', '/people']) {
      await viewer.page.goto(origin + path);
      const isSeen = (selector: string) => viewer.page.locator(selector).first().isVisible();
      const [head, rail, button] = [await isSeen('h1'), await isSeen('.rail'), await isSeen('main .button')];
      const ground = await viewer.page.evaluate(() => getComputedStyle(document.body).colorScheme);
      if (!head || rail || button || ground !== 'light') wrong.push({ path, head, rail, button, ground });
    }
    await viewer.close();
    expect(wrong).toEqual([]);
  });

  it('holds what pages promise, before sign-in', () =>
    lookAt(Object.entries(PAGES_BEFORE_SIGN_IN), EVERY_VIEW, EVERY_VIEW.filter(isForRules)));
});
