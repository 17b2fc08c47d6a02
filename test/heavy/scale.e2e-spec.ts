import { formatUuid } from '../../src/platform/kernel/uuid.js';
import { fill, idOf } from '../support/fill.js';
import { makeFullAccount } from '../support/full-account.js';
import { accountOf, Browser } from '../support/people.js';
import { ReadCounter, shapeOf } from '../support/reads.js';
import { fillTemplate, isForSessions, isPage, templatesOf } from '../support/routes.js';
import { useService, type Method, type Service } from '../support/service.js';

/** Submissions of a form: with the first number every page and every count is as long as it may be. */
const FEW = 5_000;
/** Six times that. What reads all of something then reads six times as much, whatever the constant is. */
const MANY = 30_000;
/** Most that the statements of one kind may read for a request with MANY, in multiples of FEW. */
const GROWTH = 2;
const IS_EMBEDDED = !process.env.TEST_DATABASE_URL;
/** Besides, in the units of `Read`: trees are one page deeper, and not every row is the same. */
const SLACK = IS_EMBEDDED ? 40 : 300;

/**
 * Requests that may read more where there is more, up to a bound: of rows on servers, of pages on the embedded database.
 * Those that change something begin with a method.
 */
const EXCEPTIONS = [
  {
    request: /./,
    sql: /^SELECT \(?(?:SELECT )?COUNT\(\*\).* LIMIT \?\) AS counted/,
    ...{ rows: 60_300, pages: 150 },
    because: 'up to 10,000 are counted in an index, so that most counts are exact; servers keep them meanwhile',
  },
  {
    request: /^\/api\//,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 20_100, pages: 100 },
    because: 'up to 10,000 are counted in an index; where there are fewer, they are gone through twice',
  },
  {
    request: /^\//,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 30_100, pages: 200 },
    because: 'an inbox counts so many of what is done, and of what is not',
  },
  {
    request: /^\//,
    sql: /^SELECT (?:\? AS form_id, \(SELECT )?COUNT\(\*\) (?:AS n )?FROM \(SELECT (?:id FROM submissions|\/\*! STRAIGHT_JOIN \*\/ v\.submission_id)/,
    ...{ rows: 60_300, pages: 2_000 },
    because: 'the inbox counts up to 10,000 unread ones of each form that it names, and held ones',
  },
  {
    request: /^\/.*\/report$/,
    sql: /^SELECT \? AS formId, \? AS kind, COUNT\(\*\) AS amount FROM \(/,
    ...{ rows: 63_300, pages: 150 },
    because: 'a form’s report looks at up to 10,000 marks of each kind, and counts up to 1,000 of what is done',
  },
  {
    request: /\/(?:spam|settings)/,
    sql: /FROM submission_verdicts/,
    ...{ rows: 50_000, pages: 200 },
    because: 'at most 5,000 verdicts of each band in a month are looked at; servers keep them meanwhile',
  },
  {
    request: /\/(?:statistics|activity)/,
    sql: /^SELECT v\.digest AS digest/,
    ...{ rows: 15_000, pages: 600 },
    because:
      'at most 200 pages are counted by name, each with a row for each day of a month, and for hours at its ends',
  },
  {
    request: /^\/.*\/report$/,
    sql: / AS kind, COUNT\(/,
    ...{ rows: 3_100, pages: 100 },
    because: 'of each form up to 1,000 are counted in an index that are answered, starred or done',
  },
  {
    request: /is%3Afailed/,
    sql: /FROM [`"]?(?:deliveries[`"]? [`"]?Delivery|\(SELECT id FROM submissions|submissions )/,
    ...{ rows: 50_000, pages: 2_000 },
    because: 'up to 2,000 that failed are put in order, else the folders are walked through, up to 20,000 or for 2 s',
  },
  {
    request: /nobodyhasthis|zebrafish/,
    sql: /FROM "?`?text_/,
    ...{ rows: 16 * 3 * (MANY / 4_096), pages: 16 * 3 * (MANY / 4_096) },
    because: 'a search passes over each 4,096 texts by 16 rows at most, three times for a page with links',
  },
  {
    request: /zebrafish/,
    sql: /FROM submission_texts|FROM submissions .* OFFSET/,
    ...{ rows: 3 * 4_500, pages: 500 },
    because: 'of 4,096 texts of which many have the word, each is searched, until 1,000 were counted',
  },
  {
    request: /\/forms\/:identifier\/(?:redeliveries|deliveries)$/,
    sql: /deliveries|audit_entries|attempts|FROM submissions WHERE id IN|submission_verdicts/,
    ...{ rows: 40_000, pages: 8_000 },
    because: 'all that failed are meant: 2,500 here, 500 to a transaction, each read once, and whether it is spam',
  },
  {
    request: /\/(?:new-destination|destinations\/:id|destinations\/try)$/,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 10_100, pages: 100 },
    because: 'the list whose first twenty are tried counts up to 10,000 in an index',
  },
  {
    request: /visitor-mail\/attachment$/,
    sql: /FROM [`"]?deliveries[`"]? [`"]?Delivery/,
    ...{ rows: 1_100, pages: 1_000 },
    because: 'the page that says why a file was refused counts up to 500 failed emails, which an index finds',
  },
  {
    request: /spam-learning/,
    sql: /DELETE FROM "?`?spam_/,
    ...{ rows: 10_000, pages: 200 },
    because: 'all that was learned is forgotten: 3,000 lessons here',
  },
  {
    request: /read$/,
    sql: /DELETE FROM "?`?read_exceptions/,
    ...{ rows: 30_000, pages: 400 },
    because: 'what one person read one by one, 10,000 here, is read as a whole from then on',
  },
];

/** Not asked for: what never ends, is a whole file, or is of nobody who is signed in. */
const NOT_READ =
  /\/events$|^\/(?:files|exports|recipients|opt-in|assets|setup|invitation|f|sign-in|metrics)(?:\/|$)|submissions\.|audit\.|docs|\.(?:js|ico|txt)$|\/(?:image|instance|value\/file|jobs\/:id\/file|visitor-mail\/attachment|destinations\/:id\/preview)$|^\/api\/v1\/clients\/:id\/host$|^\/health\/host$/;

/**
 * Not asked for: what is of nobody who is signed in or ends that, what asks others, what looks at the instance as a
 * whole, and what a page removes that the API has removed by then.
 */
const NOT_CHANGED =
  /^\/(?:recipients|opt-in|setup|invitation|f|sign-in|sign-out|confirm)(?:\/|$)|\/sign-in\/|passkey|\/switch|sessions\/end|\/view(?:\/|$)|\/(?:instance|status)\/|\/test|\/canary\/run|test-mails|\/account\/(?:email|password)|oidc|recipients\/ask|^\/forms\/:identifier\/delete|notes\/:noteId\/(?:delete|restore)|\/:id\/confirm$|\/repeats\/:repeat$/;

/** Matches routes that change data of visitors, so each must succeed. */
const ABOUT_SUBMISSIONS =
  /submissions|\/inbox|\/jobs|visitors|exports|deliver|rejudge|value_exists|retention|failed|\/forms\/:identifier(?:\/delete)?$/;

const ERASED = { field: 'email', value: 'person-6@example.com' };

/** Returns the body that a change needs, or its query; `rows` are ids of submissions. */
function sentOf([a = '', b = '']: string[]): Record<string, object | string> {
  return {
    'patch /api/v1/forms/:identifier': { form: { name: 'Contact' } },
    'put /api/v1/forms/:identifier': { form: { name: 'Contact' } },
    'post /api/v1/forms/:identifier': { form: { name: 'Contact' } },
    'delete /api/v1/forms/:identifier/deliveries': 'state=failed',
    'post /api/v1/forms/:identifier/redeliveries': { state: 'failed' },
    'post /api/v1/forms/:identifier/exports': { format: 'csv', q: 'city:Oslo' },
    'put /api/v1/forms/:identifier/retention': { days: 365 },
    'delete /api/v1/forms/:identifier/submissions': new URLSearchParams(ERASED).toString(),
    'post /api/v1/forms/:identifier/submissions/erase': ERASED,
    'post /api/v1/forms/:identifier/value_exists': ERASED,
    'post /api/v1/forms/:identifier/submissions/rejudge': { dry_run: true },
    'patch /api/v1/forms/:identifier/submissions/:id': { submission: { spam: true } },
    'patch /api/v1/forms/:identifier/submissions/:id/marks': { marks: { done: true, starred: true, read: true } },
    'put /api/v1/forms/:identifier/submissions/:id/tags': { tags: ['x'] },
    'put /api/v1/forms/:identifier/submissions/:id/assignee': { assignee: null },
    'patch /api/v1/forms/:identifier/submissions/:id/values': { values: { a: 'b' } },
    'post /api/v1/forms/:identifier/submissions/:id/notes': { note: { text: 'x' } },
    'post /api/v1/submissions/bulk': { ids: [a, b], changes: { trash: true } },
    'post /api/v1/visitors/erase': { email: 'person-12@example.com' },
    'patch /api/v1/clients/:id': { client: { name: 'x' } },
    'put /api/v1/clients/:id/brand': { brand: { name: 'x' } },
    'put /api/v1/clients/:id/sender': { sender: { from: null } },
    'put /api/v1/clients/:id/report/mail': { report_mail: { recipients: [] } },
    'put /api/v1/forms/:identifier/watch': { watch: { level: 'quiet' } },
    'put /api/v1/weekly-mail': { weekly_mail: { recipients: [] } },
    'put /api/v1/clients/:id/form-defaults': { form_defaults: {} },
    'post /api/v1/clients/:id/forms': { form: { name: 'x' } },
    'patch /api/v1/views/:id': { view: { name: 'x' } },
    'put /api/v1/forms/:identifier/spam': { spam: { held_at: 4 } },
    'put /api/v1/forms/:identifier/spam/lists': { lists: { block: 'casino' } },
    'put /api/v1/forms/:identifier/intake': { intake: {} },
    'put /api/v1/forms/:identifier/visitor-mail/attachment': { attachment: { name: 'a.pdf', content: 'YQ==' } },
    'put /api/v1/forms/:identifier/fields': { fields: [{ name: 'email', in_inbox: true }] },
    'post /api/v1/forms/:identifier/origins': { domain: 'example.com' },
    'patch /api/v1/forms/:identifier/webhook': { webhook: { enabled: true } },
    'post /forms/:identifier/submissions/export': { format: 'csv', q: 'wedding' },
    'post /inbox/:identifier/:id/tags': { tags: 'y' },
    'post /inbox/:identifier/:id/notes': { 'note.text': 'x' },
    'post /inbox/:identifier/:id/marks': { spam: 'true' },
    'post /inbox/bulk': { id: a, done: 'true' },
    'post /jobs': { q: 'city:Oslo', read: 'true' },
    'post /visitors/:email/erase': { typed_email: 'person-18@example.com' },
  };
}

/** The end of what others are asked for too. */
const LAST =
  /^(?:delete|post) \/(?:api\/v1\/)?(?:forms|clients|people|tokens|views|jobs)\/:\w+(?:\/delete|\/remove|\/revoke)?$/;

interface Request {
  /** The method and template, which are the same in each account. */
  request: string;
  method: Method;
  path: string;
  body: object;
}

type Account = Awaited<ReturnType<typeof makeAccount>>;
let service: Service;
let counter: ReadCounter;

describe.each([
  ['request', readsOf],
  ['change', changesOf],
])('No %s', (_, requestsOf) => {
  const own = useService({ WORKERS: 'off' });

  it('reads more where there are six times as many submissions', async () => {
    service = own();
    counter = new ReadCounter(service);
    const few = await walk(FEW, requestsOf);
    const many = await walk(MANY, requestsOf);
    expect([...many.keys()]).toEqual([...few.keys()]);
    const grown = [...many].flatMap(([request, sums]) =>
      [...sums].flatMap(([sql, units]) => {
        const before = few.get(request)?.get(sql) ?? 0;
        const exception = EXCEPTIONS.find((each) => each.request.test(request) && each.sql.test(sql));
        const bound = exception?.[IS_EMBEDDED ? 'pages' : 'rows'] ?? 0;
        const most = Math.max(before * GROWTH + SLACK, bound);
        return units > most ? [`${request}: ${before}, then ${units}: ${sql.slice(0, 300)}`] : [];
      }),
    );
    expect(grown).toEqual([]);
  });
});

/** Makes an account with one of everything, and so many submissions. */
async function makeAccount(rows: number) {
  const settings = { name: 'Contact', webhook_url: null };
  const { owner, form, ids } = await makeFullAccount(service, settings);
  for (const name of ['Orders', 'Jobs']) await owner.makeForm({ name });
  const { id, email } = await service.makePerson(owner);
  const accountId = await accountOf(owner);
  const filled = { accountId, formId: form.id, personId: id, reader: `person:${id}`, rows };
  await fill(service, filled);
  return { owner, browser: await Browser.of(service, email), ids, filled };
}

/** Returns how much each kind of statement of each request reads. */
async function walk(
  rows: number,
  requestsOf: (account: Account) => Request[],
): Promise<Map<string, Map<string, number>>> {
  const account = await makeAccount(rows);
  const { owner, browser } = account;
  const found = new Map<string, Map<string, number>>();
  const refused: string[] = [];
  // Searches and counts look at less when time is short. Here it stands still.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const { request, method, path, body } of requestsOf(account)) {
    let status = 0;
    const reads = await counter.during(async () => {
      const ask = () => {
        if (method === 'get') return (isForBrowser(path) ? browser : owner).get(path);
        if (isPage(path)) return browser.post(path, body as Record<string, string>);
        if (isForSessions(path)) return browser.call(method, path, body);
        return owner.send(method, path, body);
      };
      ({ status } = await ask());
    });
    const mustSucceed = method === 'get' || ABOUT_SUBMISSIONS.test(request);
    if (status >= (mustSucceed ? 400 : 500)) refused.push(`${request}: ${status}`);
    const sums = new Map<string, number>();
    for (const { sql, units } of reads) {
      const shape = shapeOf(sql);
      sums.set(shape, (sums.get(shape) ?? 0) + units);
    }
    found.set(request, sums);
  }
  jest.restoreAllMocks();
  expect(refused).toEqual([]);
  return found;
}

const isForBrowser = (path: string) => isPage(path) || isForSessions(path);

/** Filters of every kind, and some together. */
const LINES = [
  ...['', 'is:new', 'is:unread', 'is:starred', 'is:done', 'is:held', 'is:spam', 'is:trash'],
  ...['tag:urgent', 'assigned:none', 'has:file', 'from:7d', 'from:30d to:7d is:new'],
  ...['is:failed', 'city:Oslo', '"email":often@example.com', 'email:often@example.com'],
  ...['page:/contact', 'page:/nowhere', 'origin:example.com', 'country:SE', 'country:DE'],
  ...['email:nobody@example.com', 'wedding', 'zebrafish', 'nobodyhasthis'],
  ...['is:unread tag:urgent', 'tag:urgent wedding'],
];

/** Returns every GET route, and lists with filters, by what is the same in each account. */
function readsOf({ ids, filled }: Account): Request[] {
  const templates = templatesOf(service.app)
    .filter(({ method, path }) => method === 'get' && !NOT_READ.test(path))
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
    ...['after=:row', 'spam=all&trash=all', 'q=is:starred&after=:row', 'page=3'].map((query) => `${list}?${query}`),
    '/api/v1/forms/:identifier/value_exists?field=city&value=Oslo',
    '/api/v1/forms/:identifier/value_exists?field=email&value=nobody@example.com',
    ...['', '/api/v1'].flatMap((door) =>
      ['action=form.created', 'target_kind=form', 'actor_kind=token'].map((query) => `${door}/audit?${query}`),
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
  return all.map((request) => {
    const [template = '', query] = request.split('?');
    const filledPath = fillTemplate(template, (noun) =>
      template === beside && query !== undefined && noun === 'submissions' ? row : (ids[noun] ?? 'x'),
    );
    const filledQuery = query?.replaceAll(':row', row).replaceAll('::form', `:${String(ids.forms)}`);
    const path = query === undefined ? filledPath : `${filledPath}?${filledQuery ?? ''}`;
    return { request, method: 'get', path, body: {} };
  });
}

/** Returns each change that there is a route for, those that end something last. */
function changesOf({ ids, filled }: Account): Request[] {
  const rowAt = (n: number) => formatUuid(idOf(filled, n));
  const sent = sentOf([rowAt(filled.rows - 1), rowAt(filled.rows - 2)]);
  const templates = templatesOf(service.app)
    .filter(({ method, path }) => method !== 'get' && !NOT_CHANGED.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const unique = [...new Set(templates)];
  const inOrder = [...unique.filter((each) => !LAST.test(each)), ...unique.filter((each) => LAST.test(each))];
  return inOrder.map((request, index) => {
    const [method = '', template = ''] = request.split(' ');
    const given = sent[request] ?? {};
    const body = typeof given === 'string' ? {} : given;
    // What is only a submission gets one of its own; what is of a submission is of the first.
    const isOne = /\/(?:submissions|:identifier)\/:id/.test(template) && !/:\w+Id|:repeat/.test(template);
    const path = fillTemplate(template, (noun) => {
      if (noun === 'visitors') return 'person-18@example.com';
      return noun === 'submissions' && isOne ? rowAt(filled.rows / 2 + index) : (ids[noun] ?? 'x');
    });
    const query = typeof given === 'string' ? `?${given}` : '';
    return { request, method: method as Method, path: path + query, body };
  });
}
