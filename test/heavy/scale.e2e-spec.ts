import { formatUuid } from '../../src/platform/kernel/uuid.js';
import { fill, idOf, type Filled } from '../support/fill.js';
import { makeFullAccount } from '../support/full-account.js';
import { accountOf, Browser, makePerson } from '../support/people.js';
import { makeForm } from '../support/make.js';
import { FEW, grownIn, MANY, sumsOf, type Exception, type Walked } from '../support/growth.js';
import { ReadCounter } from '../support/reads.js';
import { fillTemplate, isForSessions, isPage, templatesOf } from '../support/routes.js';
import { useService } from '../support/service.js';

/** Requests that may read more where there is more, up to a bound, with the reason. */
const EXCEPTIONS: Exception[] = [
  {
    request: /./,
    sql: /^SELECT \(?(?:SELECT )?COUNT\(\*\).* LIMIT \?\) AS counted/,
    ...{ rows: 60_300, pages: 150 },
    because:
      'up to 10,000 are counted in an index, so that most counts are exact; servers keep them meanwhile',
  },
  {
    request: /^\/api\//,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 20_100, pages: 100 },
    because:
      'up to 10,000 are counted in an index; where there are fewer, they are gone through twice',
  },
  {
    request: /./,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 30_100, pages: 200 },
    because: 'an inbox counts so many of what is done, and of what is not',
  },
  {
    request: /\/report$/,
    sql: /^SELECT \? AS formId, \? AS kind, COUNT\(\*\) AS amount FROM \(/,
    ...{ rows: 63_300, pages: 150 },
    because:
      'a form’s report looks at up to 10,000 marks of each kind, and counts up to 1,000 of what is done',
  },
  {
    request: /\/spam/,
    sql: /FROM submission_verdicts/,
    ...{ rows: 50_000, pages: 200 },
    because:
      'at most 5,000 verdicts of each band in a month are looked at; servers keep them meanwhile',
  },
  {
    request: /\/statistics/,
    sql: /^SELECT v\.digest AS digest/,
    ...{ rows: 15_000, pages: 600 },
    because:
      'at most 200 pages are counted by name, each with a row for each day of a month, and for hours at its ends',
  },
  {
    request: /\/report$/,
    sql: / AS kind, COUNT\(/,
    ...{ rows: 3_100, pages: 100 },
    because: 'of each form up to 1,000 are counted in an index that are answered, starred or done',
  },
  {
    request: /is%3Afailed/,
    sql: /FROM [`"]?(?:deliveries[`"]? [`"]?Delivery|\(SELECT id FROM submissions|submissions )/,
    ...{ rows: 50_000, pages: 2_000 },
    because:
      'up to 2,000 that failed are put in order, else the folders are walked through, up to 20,000 or for 2 s',
  },
  {
    request: /nobodyhasthis|zebrafish/,
    sql: /FROM "?`?text_/,
    ...{ rows: 16 * 3 * (MANY / 4_096), pages: 16 * 3 * (MANY / 4_096) },
    because:
      'a search passes over each 4,096 texts by 16 rows at most, three times for a page with links',
  },
  {
    request: /zebrafish/,
    sql: /FROM submission_texts|FROM submissions .* OFFSET/,
    ...{ rows: 3 * 4_500, pages: 500 },
    because:
      'of 4,096 texts of which many have the word, each is searched, until 1,000 were counted',
  },
];

/** Not asked for: what never ends, is a whole file, or is of nobody who is signed in. */
const NOT_ASKED =
  /\/events$|^\/(?:files|exports|recipients|opt-in|assets|setup|invitation|f|sign-in|metrics)(?:\/|$)|submissions\.|audit\.|docs|\.(?:js|ico)$|\/(?:image|instance|value\/file|jobs\/:id\/file|visitor-mail\/attachment)$|^\/api\/v1\/clients\/:id\/host$|^\/health\/host$/;

const service = useService({ WORKERS: 'off' });
it('No request reads more where there are six times as many submissions', async () => {
  const counter = new ReadCounter(service());
  const few = await walk(counter, FEW);
  const many = await walk(counter, MANY);
  expect([...many.keys()]).toEqual([...few.keys()]);
  expect(grownIn(few, many, EXCEPTIONS)).toEqual([]);
});

/** Fills an account, and returns what each kind of statement of each request reads. */
async function walk(counter: ReadCounter, rows: number): Promise<Walked> {
  const { owner, form, ids } = await makeFullAccount(service(), {
    ...{ name: 'Contact', webhook_url: null },
  });
  for (const name of ['Orders', 'Jobs']) await makeForm(owner, { name });
  const { id, email } = await makePerson(service(), owner);
  const browser = await Browser.of(service(), email);
  const accountId = await accountOf(owner);
  const filled = { accountId, formId: form.id, personId: id, reader: `person:${id}`, rows };
  await fill(service(), filled);
  const found: Walked = new Map();
  // Searches and counts look at less when time is short. Here it stands still.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const [request, path] of requestsOf(ids, filled)) {
    const isOfBrowser = isPage(path) || isForSessions(path);
    let status = 0;
    const reads = await counter.during(async () => {
      status = (await (isOfBrowser ? browser.get(path) : owner.get(path))).status;
    });
    if (status >= 400) throw new Error(`${request} was answered with ${status}.`);
    found.set(request, sumsOf(reads));
  }
  jest.restoreAllMocks();
  return found;
}

/** Filters of every kind, and some together. */
const LINES = [
  ...['', 'is:new', 'is:unread', 'is:starred', 'is:done', 'is:held', 'is:spam', 'is:trash'],
  ...['tag:urgent', 'assigned:none', 'has:file', 'from:7d', 'from:30d to:7d is:new'],
  ...['is:failed', 'city:Oslo', '"email":often@example.com', 'email:often@example.com'],
  ...['page:/contact', 'page:/nowhere', 'origin:example.com', 'country:SE', 'country:DE'],
  ...['email:nobody@example.com', 'wedding', 'zebrafish', 'nobodyhasthis'],
  ...['is:unread tag:urgent', 'tag:urgent wedding'],
];

/** Returns the path of every GET route, and of lists with filters, by what is the same in each account. */
function requestsOf(ids: Record<string, string | number>, filled: Filled): Map<string, string> {
  const templates = templatesOf(service().app)
    .filter(({ method, path }) => method === 'get' && !NOT_ASKED.test(path))
    .map(({ path }) => path);
  const list = '/api/v1/forms/:identifier/submissions';
  const beside = '/inbox/:identifier/:id';
  const asked = LINES.flatMap((line) => {
    const q = encodeURIComponent(line);
    return [
      `${list}?q=${q}`,
      `${list}?q=${q}&before=:row`,
      `/api/v1/submissions?q=${q}`,
      `/inbox?q=${q}`,
      `/inbox?q=form::form+${q}&before=:row`,
      `/new-job?q=${q}&read=true`,
      `${beside}?q=${q}`,
    ];
  });
  const more = [
    ...['after=:row', 'spam=all&trash=all', 'q=is:starred&after=:row', 'page=3'].map(
      (query) => `${list}?${query}`,
    ),
    '/api/v1/forms/:identifier/value_exists?field=city&value=Oslo',
    '/api/v1/forms/:identifier/value_exists?field=email&value=nobody@example.com',
    ...['', '/api/v1'].flatMap((door) =>
      ['action=form.created', 'target_kind=form', 'actor_kind=token'].map(
        (query) => `${door}/audit?${query}`,
      ),
    ),
    ...['/inbox', '/api/v1/submissions'].map((path) => `${path}?before=:row` as const),
    '/inbox/:identifier/:id/value?at=1',
    '/go?q=contact',
    '/visitors/person-6@example.com',
  ];
  const row = formatUuid(idOf(filled, filled.rows / 2));
  // These answer a question alone.
  const plain = templates.filter((path) => !/\/(?:value_exists|value)$/.test(path));
  const all = [...plain, ...asked, ...more];
  return new Map(
    all.map((template) => {
      const [path = '', query] = template.split('?');
      const filledPath = fillTemplate(path, (noun) =>
        path === beside && query !== undefined && noun === 'submissions' ? row : (ids[noun] ?? 'x'),
      );
      const filledQuery = query
        ?.replaceAll(':row', row)
        .replaceAll('::form', `:${String(ids.forms)}`);
      return [template, query === undefined ? filledPath : `${filledPath}?${filledQuery ?? ''}`];
    }),
  );
}
