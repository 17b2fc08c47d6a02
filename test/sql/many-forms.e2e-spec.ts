import { forgetAccounts, makeClients, makeForms, type Crowd } from '../support/crowd.js';
import { Browser } from '../support/people.js';
import { ReadCounter, shapeOf } from '../support/reads.js';
import { useService, type Caller } from '../support/service.js';

/** More than are asked one by one. */
const FORMS = 230;
const GRANTED = 210;
/**
 * Forms and clients of accounts of which the larger must not read more. In fewer than these, the forms of a page share
 * more pages of the file.
 */
const FEW = 1_500;
const MANY = 6_000;
/** Most that a statement reads with MANY, in multiples of FEW. */
const GROWTH = 2.5;
/** A page by its number says how many forms there are: an entry of the index for each, some milliseconds. */
const COUNT_OF_FORMS = 'SELECT COUNT(*) AS total FROM `forms`';
const SLACK = process.env.TEST_DATABASE_URL ? 300 : 40;

const service = useService({ WORKERS: 'off' });

/** Follows the pages to their end. */
async function found(caller: Caller, q = ''): Promise<string[]> {
  const all: string[] = [];
  const query = new URLSearchParams({ q, per_page: '100' }).toString();
  let next: string | null = `/api/v1/submissions?${query}` as const;
  while (next !== null) {
    const { body } = await caller.get(next).expect(200);
    const page = body as { submissions: { id: string }[]; next_page: string | null };
    all.push(...page.submissions.map(({ id }) => id));
    next = page.next_page && new URL(page.next_page).pathname + new URL(page.next_page).search;
  }
  return all;
}

/** Returns a page of what is unread, and the path of the next one. */
async function unreadPage(caller: Caller, path: string) {
  const { body, headers } = await caller.get(path).expect(200);
  const links = (headers as Record<string, string>).link?.split(', ') ?? [];
  const next = links.find((link) => link.endsWith('rel="next"'));
  const address = next === undefined ? null : new URL(next.slice(1, next.indexOf('>')));
  return {
    forms: body.forms,
    total: Number((headers as Record<string, string>)['x-total-count']),
    next: address && address.pathname + address.search,
  };
}

describe('An account with many forms', () => {
  let owner: Caller;
  let crowd: Crowd;
  let ids: string[];
  beforeAll(async () => {
    await makeForms(service(), await service().openAccount(), FORMS);
    owner = await service().openAccount();
    crowd = await makeForms(service(), owner, FORMS);
    ids = crowd.submissions.map(({ id }) => id);
  });

  it('lists the submissions of all of them, and of no other account', async () => {
    expect(await found(owner)).toEqual(ids);
    expect(await found(owner, 'wedding')).toEqual(ids);
    expect(await found(owner, 'is:unread')).toEqual(ids);
    expect(await found(owner, 'is:starred')).toEqual(ids);
    expect(await found(owner, 'is:spam')).toEqual([]);
    const [last] = crowd.submissions;
    const own = crowd.submissions.filter(({ formId }) => formId === last?.formId);
    const { identifier = '' } = crowd.forms.find(({ id }) => id === last?.formId) ?? {};
    expect(await found(owner, `form:${identifier}`)).toEqual(own.map(({ id }) => id));
    expect(await found(owner, `form:"form ${last?.formId ?? 0} of ödön"`)).toHaveLength(2);
    expect(await found(owner, `"of ${last?.formId ?? 0},"`)).toEqual(own.map(({ id }) => id));
  });

  it('shows each client its own', async () => {
    const granted = crowd.forms.slice(0, GRANTED).map(({ id }) => id);
    const jane = await owner.makeClientCaller({ form_ids: granted });
    const own = crowd.submissions.filter(({ formId }) => granted.includes(formId));

    expect(await found(jane)).toEqual(own.map(({ id }) => id));
    // A page is full, however many of others lie between.
    expect((await jane.read('/api/v1/submissions?per_page=100')).submissions).toHaveLength(100);
    expect(await found(jane, 'wedding')).toEqual(own.map(({ id }) => id));
    expect(await found(jane, 'is:starred')).toHaveLength(2 * GRANTED);
  });

  it('marks all of it as read at once, and finds what is unread after that', async () => {
    const reader = service().as((await owner.makeToken()).token);
    const [newest, second] = crowd.submissions;
    const { identifier = '' } = crowd.forms.find(({ id }) => id === second?.formId) ?? {};

    await reader.post('/api/v1/submissions/read').expect(200);
    expect(await found(reader, 'is:unread')).toEqual([]);
    const marks = `/api/v1/forms/${identifier}/submissions/${second?.id ?? ''}/marks` as const;
    await reader.patch(marks, { marks: { read: false } }).expect(200);
    expect(await found(reader, 'is:unread')).toEqual([second?.id]);
    const upTo = { up_to: newest?.id };
    await reader.post('/api/v1/submissions/read', upTo).expect(200);
    expect(await found(reader, 'is:unread')).toEqual([second?.id]);
    await reader.post('/api/v1/submissions/read').expect(200);
    expect(await found(reader, 'is:unread')).toEqual([]);
  });

  it('finds a value and a word in what has only just come, and nothing of a deleted form', async () => {
    const form = await owner.makeForm();
    const id = await service().submit(form, { email: 'ann@example.com', text: 'albatross' });

    expect(await found(owner)).toEqual([id, ...ids]);
    expect(await found(owner, 'email:ann@example.com')).toEqual([id]);
    expect(await found(owner, 'albatross')).toEqual([id]);
    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    for (const q of ['', 'albatross', 'email:ann@example.com']) {
      expect(await found(owner, q)).not.toContain(id);
    }
    expect(await found(owner)).toEqual(ids);
  });

  it('counts all of it, and of a client what is its own', async () => {
    const granted = crowd.forms.slice(-GRANTED).map(({ id }) => id);
    const jane = await owner.makeClientCaller({ form_ids: granted });
    const matching = async (caller: Caller, q: string) => {
      const task = { q, changes: { starred: true } };
      return (await caller.post('/api/v1/submissions/bulk', task).expect(202)).body.total;
    };

    expect(await matching(owner, 'is:new')).toBe(ids.length);
    expect(await matching(jane, 'is:new')).toBe(2 * GRANTED);
    expect(await matching(jane, 'is:trash')).toBe(0);
  });

  it('says page by page what is unread of each form', async () => {
    const granted = crowd.forms.slice(0, GRANTED).map(({ identifier }) => identifier);
    const client = await owner.makeClient({ form_ids: crowd.forms.slice(0, GRANTED).map(({ id }) => id) });
    const jane = service().as(await owner.makeClientToken(client));
    const unread = async (caller: Caller) => {
      const all: { form: string; unread: number }[] = [];
      let total = 0;
      for (let path: string | null = '/api/v1/unread'; path !== null;) {
        const page = await unreadPage(caller, path);
        expect(page.forms.length).toBeLessThanOrEqual(100);
        all.push(...page.forms);
        ({ total, next: path } = page);
      }
      expect(total).toBe(all.length);
      return all;
    };

    const own = crowd.forms.map(({ identifier }) => ({ form: identifier, unread: 2 }));
    expect(await unread(owner)).toEqual(
      expect.arrayContaining(own.map((each) => expect.objectContaining(each) as unknown)),
    );
    expect((await unread(jane)).map(({ form }) => form)).toEqual(granted);
  });

  it('shows each client charts of its own forms alone', async () => {
    const account = await service().openAccount();
    const { forms } = await makeForms(service(), account, FORMS);
    const granted = forms.slice(0, GRANTED);
    const client = await account.makeClient({ form_ids: granted.map(({ id }) => id) });
    const rest = forms.slice(GRANTED).map(({ id }) => id);
    await account.makeClient({ form_ids: rest });
    const jane = service().as(await account.makeClientToken(client));
    const sent = async (form: { identifier: string } | undefined, page: string) => {
      const identifier = form?.identifier ?? '';
      const referer = `https://example.com/${page}`;
      for (let n = 0; n < 3; n++) {
        await service().submit({ identifier }, { email: 'ann@example.com' }, { referer });
      }
    };
    await sent(granted[0], 'own');
    await sent(granted[1], 'own');
    await sent(forms.at(-1), 'foreign');
    await upkeep();

    for (const zone of ['Etc/UTC', 'Europe/Oslo']) {
      const query = `zone=${encodeURIComponent(zone)}`;
      const { body } = await jane.get(`/api/v1/statistics?by=day&${query}`).expect(200);
      expect(body).toMatchObject({ totals: { submissions: 2 * GRANTED + 6 } });
      const { body: pages } = await jane.get(`/api/v1/statistics/pages?${query}`).expect(200);
      expect(pages).toMatchObject({ pages: { values: [{ value: '/own', submissions: 6 }] } });
      expect(JSON.stringify(pages)).not.toContain('foreign');
    }
  });

  it('finds what an older version stored, before and after upkeep has named its account', async () => {
    await forgetAccounts(service());

    for (const settle of [() => Promise.resolve(), () => upkeep()]) {
      await settle();
      expect(await found(owner)).toEqual(ids);
      expect(await found(owner, 'is:unread')).toEqual(ids);
      expect(await found(owner, 'wedding')).toEqual(ids);
    }
  });

  it('shows its lists page by page, and names some forms beside the inbox', async () => {
    const browser = await service().makeBrowser(owner);
    const names = async (path: string) => {
      const { text } = await browser.get(path);
      const next = /<a href="([^"]*)" rel="next">/.exec(text)?.[1] ?? null;
      const rows = [...text.matchAll(/<a class="row" dir="auto" href="\/forms\/([^"]*)">/g)];
      return { next, rows: rows.map(([, identifier]) => identifier) };
    };
    const all: (string | undefined)[] = [];
    for (let path: string | null = '/forms'; path !== null;) {
      const { next, rows } = await names(path);
      expect(rows.length).toBeLessThanOrEqual(100);
      all.push(...rows);
      path = next;
    }

    expect(all).toEqual(expect.arrayContaining(crowd.forms.map(({ identifier }) => identifier)));
    expect(new Set(all).size).toBe(all.length);
    const { text } = await browser.get('/inbox');
    expect(text).toContain('Find a form');
    expect(text.match(/inbox\?q=form%3A/g)?.length).toBeLessThan(100);
    const go = await browser.get(`/go?q=${encodeURIComponent('ÖDÖN form')}`);
    expect(go.text).toContain('of Ödön');
  });

  it('keeps all forms of a client on its page, and adds further ones by their identifiers', async () => {
    const { email } = await service().makePerson(owner);
    const browser = await Browser.of(service(), email);
    const granted = crowd.forms.slice(0, GRANTED).map(({ id }) => id);
    const client = await owner.makeClient({ form_ids: granted });
    const seen = async () =>
      ((await owner.read(`/api/v1/clients/${client}`)) as { forms: { id: number }[] }[])[0]?.forms.map(({ id }) => id);
    const here = `/clients/${client}/forms`;
    const { text } = await browser.get(here);
    const shown = [...text.matchAll(/name="client.form_ids" value="(\d+)"/g)].map(([, id]) => id);
    expect(shown.map(Number)).toEqual(granted);
    const further = crowd.forms[GRANTED];
    const add = (identifiers: string) => browser.post(`${here}/add`, { 'client.form_identifiers': identifiers });

    const refused = await add('0123456789abcdef');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('You have no form with the identifier 0123456789abcdef.');
    expect(await seen()).toEqual(granted);
    expect((await add(further?.identifier ?? '')).status).toBe(303);
    const removed = await browser.post(`${here}/remove`, { 'client.form_ids': shown[0] ?? '' });
    expect(removed.status).toBe(303);
    expect(await seen()).toEqual([...granted.slice(1), further?.id]);
  });
});

it('No list of an account reads more where there are more forms and clients', async () => {
  const counter = new ReadCounter(service());
  const few = await walk(counter, FEW);
  const grown = [...(await walk(counter, MANY))].flatMap(([request, sums]) =>
    [...sums].flatMap(([sql, units]) => {
      const before = few.get(request)?.get(sql) ?? 0;
      const isMore = units > before * GROWTH + SLACK && !sql.startsWith(COUNT_OF_FORMS);
      return isMore ? [`${request}: ${before}, then ${units}: ${sql.slice(0, 200)}`] : [];
    }),
  );
  expect(grown).toEqual([]);
});

/** Returns what each kind of statement of each request reads, in an account of so many forms and clients. */
async function walk(counter: ReadCounter, count: number): Promise<Map<string, Map<string, number>>> {
  const owner = await service().openAccount();
  const { forms, submissions } = await makeForms(service(), owner, count);
  await makeClients(service(), owner, forms, count);
  const browser = await service().makeBrowser(owner);
  const middle = submissions[submissions.length >> 1]?.id ?? '';
  const [form] = forms.slice(-1);
  const lists = ['', `&before=${middle}`].flatMap((page) =>
    ['', 'is:new', 'is:spam', 'is:unread', 'from:400d', 'wedding', 'is:starred'].map((q) => `q=${q}${page}`),
  );
  const paths = [
    ...lists.map((query) => `/api/v1/submissions?${query}` as const),
    ...lists.map((query) => `/inbox?${query}`),
    ...['/forms', '/clients', '/statistics', '/views', '/visitors', '/new-form'],
    '/forms?page=2',
    ...[`/forms/${form?.identifier ?? ''}`, `/inbox?q=form:${form?.identifier ?? ''}`],
    ...['/api/v1/statistics', '/api/v1/jobs', '/api/v1/audit', '/api/v1/me', '/api/v1/unread'],
  ];
  // A client has as many forms in both.
  const granted = forms.slice(0, GRANTED).map(({ id }) => id);
  const client = await owner.makeClient({ form_ids: granted });
  const jane = service().as(await owner.makeClientToken(client));
  const charts = ['/statistics', '/statistics?zone=Europe/Oslo', '/statistics/pages'];
  const pathsOfClient = [...charts, '/unread'];
  const found = new Map<string, Map<string, number>>();
  // Counts look at less when time is short. Here it stands still.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const asked = [
    ...paths.map((path) => ({ path, ask: () => (path.startsWith('/api') ? owner : browser).get(path) })),
    ...pathsOfClient.map((path) => ({ path: `${path} of a client`, ask: () => jane.get(`/api/v1${path}`) })),
  ];
  for (const { path, ask } of asked) {
    const request = path.replace(middle, ':id').replace(/[0-9a-f]{16}|=\d+$/, ':form');
    // Warnings of forms are kept for a while.
    await ask();
    const reads = await counter.during(async () => {
      expect((await ask()).status).toBe(200);
    });
    const sums = new Map<string, number>();
    for (const { sql, units } of reads) {
      sums.set(shapeOf(sql), (sums.get(shapeOf(sql)) ?? 0) + units);
    }
    found.set(request, sums);
  }
  return found;
}

async function upkeep(): Promise<void> {
  await service().upkeep();
}
