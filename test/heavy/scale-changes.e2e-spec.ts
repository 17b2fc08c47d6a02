import { formatUuid } from '../../src/platform/kernel/uuid.js';
import { fill, idOf, type Filled } from '../support/fill.js';
import { makeFullAccount, type Ids } from '../support/full-account.js';
import { FEW, grownIn, MANY, sumsOf, type Exception, type Walked } from '../support/growth.js';
import { accountOf, Browser, makePerson } from '../support/people.js';
import { ReadCounter } from '../support/reads.js';
import { fillTemplate, isForSessions, isPage, templatesOf } from '../support/routes.js';
import { useService, type Method } from '../support/service.js';

/** Requests that may read more where there is more, up to a bound, with the reason. */
const EXCEPTIONS: Exception[] = [
  {
    request: /./,
    sql: /^SELECT \(?(?:SELECT )?COUNT\(\*\).* LIMIT \?\) AS counted/,
    ...{ rows: 60_300, pages: 150 },
    because: 'up to 10,000 are counted in an index, so that most counts are exact',
  },
  {
    request: /\/forms\/:identifier\/(?:redeliveries|deliveries)$/,
    sql: /deliveries|audit_entries|attempts|FROM submissions WHERE id IN|submission_verdicts/,
    ...{ rows: 40_000, pages: 8_000 },
    because:
      'all that failed are meant: 2,500 here, 500 to a transaction, each read once, and whether it is spam',
  },
  {
    request: /\/(?:new-destination|destinations\/:id|destinations\/try)$/,
    sql: /^SELECT COALESCE\(\(SELECT \? FROM submissions /,
    ...{ rows: 10_100, pages: 100 },
    because: 'the list whose first twenty are tried counts up to 10,000 in an index',
  },
  {
    request: /\/spam/,
    sql: /FROM submission_verdicts/,
    ...{ rows: 50_000, pages: 200 },
    because:
      'at most 5,000 verdicts of each band in a month are looked at; servers keep them meanwhile',
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

/**
 * Not asked for: what is of nobody who is signed in or ends that, what asks others, what looks at the instance as a
 * whole, and what a page removes that the API has removed by then.
 */
const NOT_ASKED =
  /^\/(?:recipients|opt-in|setup|invitation|f|sign-in|sign-out|confirm)(?:\/|$)|\/sign-in\/|passkey|\/switch|sessions\/end|\/view(?:\/|$)|\/(?:instance|status)\/|\/test|\/canary\/run|test-mails|\/account\/(?:email|password)|oidc|recipients\/ask|^\/forms\/:identifier\/delete|notes\/:noteId\/(?:delete|restore)|\/:id\/confirm$|\/repeats\/:repeat$/;

/** Matches routes that change data of visitors, so each must succeed. */
const ABOUT_SUBMISSIONS =
  /submissions|\/inbox|\/jobs|visitors|exports|deliver|rejudge|value_exists|retention|failed|\/forms\/:identifier(?:\/delete)?$/;

interface Sent {
  body?: object;
  query?: string;
}

const ERASED = { field: 'email', value: 'person-6@example.com' };

/** Returns the body that a change needs; `rows` are ids of submissions. */
function sentOf(rows: string[]): Record<string, Sent> {
  const [a = '', b = ''] = rows;
  return {
    'patch /api/v1/forms/:identifier': { body: { form: { name: 'Contact' } } },
    'put /api/v1/forms/:identifier': { body: { form: { name: 'Contact' } } },
    'post /api/v1/forms/:identifier': { body: { form: { name: 'Contact' } } },
    'delete /api/v1/forms/:identifier/deliveries': { query: 'state=failed' },
    'post /api/v1/forms/:identifier/redeliveries': { body: { state: 'failed' } },
    'post /api/v1/forms/:identifier/exports': { body: { format: 'csv', q: 'city:Oslo' } },
    'put /api/v1/forms/:identifier/retention': { body: { days: 365 } },
    'delete /api/v1/forms/:identifier/submissions': {
      query: new URLSearchParams(ERASED).toString(),
    },
    'post /api/v1/forms/:identifier/submissions/erase': { body: ERASED },
    'post /api/v1/forms/:identifier/value_exists': { body: ERASED },
    'post /api/v1/forms/:identifier/submissions/rejudge': { body: { dry_run: true } },
    'patch /api/v1/forms/:identifier/submissions/:id': { body: { submission: { spam: true } } },
    'patch /api/v1/forms/:identifier/submissions/:id/marks': {
      body: { marks: { done: true, starred: true, read: true } },
    },
    'put /api/v1/forms/:identifier/submissions/:id/tags': { body: { tags: ['x'] } },
    'put /api/v1/forms/:identifier/submissions/:id/assignee': { body: { assignee: null } },
    'patch /api/v1/forms/:identifier/submissions/:id/values': { body: { values: { a: 'b' } } },
    'post /api/v1/forms/:identifier/submissions/:id/notes': { body: { note: { text: 'x' } } },
    'post /api/v1/submissions/bulk': { body: { ids: [a, b], changes: { trash: true } } },
    'post /api/v1/visitors/erase': { body: { email: 'person-12@example.com' } },
    'patch /api/v1/clients/:id': { body: { client: { name: 'x' } } },
    'put /api/v1/clients/:id/brand': { body: { brand: { name: 'x' } } },
    'put /api/v1/clients/:id/sender': { body: { sender: { from: null } } },
    'put /api/v1/clients/:id/report/mail': { body: { report_mail: { recipients: [] } } },
    'put /api/v1/forms/:identifier/watch': { body: { watch: { level: 'quiet' } } },
    'put /api/v1/weekly-mail': { body: { weekly_mail: { recipients: [] } } },
    'put /api/v1/clients/:id/form-defaults': { body: { form_defaults: {} } },
    'post /api/v1/clients/:id/forms': { body: { form: { name: 'x' } } },
    'patch /api/v1/views/:id': { body: { view: { name: 'x' } } },
    'put /api/v1/forms/:identifier/spam': { body: { spam: { held_at: 4 } } },
    'put /api/v1/forms/:identifier/spam/lists': { body: { lists: { block: 'casino' } } },
    'put /api/v1/forms/:identifier/labels': { body: { labels: [] } },
    'put /api/v1/forms/:identifier/intake': { body: { intake: {} } },
    'put /api/v1/forms/:identifier/visitor-mail': { body: { visitor_mail: {} } },
    'put /api/v1/forms/:identifier/visitor-mail/attachment': {
      body: { attachment: { name: 'a.pdf', content: 'YQ==' } },
    },
    'put /api/v1/forms/:identifier/rules': { body: { rules: [] } },
    'put /api/v1/forms/:identifier/preview': { body: { fields: ['email'] } },
    'post /api/v1/forms/:identifier/origins': { body: { domain: 'example.com' } },
    'patch /api/v1/forms/:identifier/webhook': { body: { webhook: { enabled: true } } },
    'post /forms/:identifier/submissions/export': { body: { format: 'csv', q: 'wedding' } },
    'post /inbox/:identifier/:id/tags': { body: { tags: 'y' } },
    'post /inbox/:identifier/:id/notes': { body: { 'note.text': 'x' } },
    'post /inbox/:identifier/:id/marks': { body: { spam: 'true' } },
    'post /inbox/bulk': { body: { id: a, done: 'true' } },
    'post /jobs': { body: { q: 'city:Oslo', read: 'true' } },
    'post /visitors/:email/erase': { body: { typed_email: 'person-18@example.com' } },
  };
}

/** The end of what others are asked for too. */
const LAST =
  /^(?:delete|post) \/(?:api\/v1\/)?(?:forms|clients|people|tokens|views|jobs)\/:\w+(?:\/delete|\/remove|\/revoke)?$/;

const service = useService({ WORKERS: 'off' });
it('No change reads more where there are six times as many submissions', async () => {
  const counter = new ReadCounter(service());
  const few = await walk(counter, FEW);
  const many = await walk(counter, MANY);
  expect([...many.keys()]).toEqual([...few.keys()]);
  expect(grownIn(few, many, EXCEPTIONS)).toEqual([]);
});

/** Fills an account, changes all that can be changed in it, and returns what each kind of statement reads. */
async function walk(counter: ReadCounter, rows: number): Promise<Walked> {
  const settings = { name: 'Contact', webhook_url: null };
  const { owner, form, ids } = await makeFullAccount(service(), settings);
  const { id, email } = await makePerson(service(), owner);
  const browser = await Browser.of(service(), email);
  const accountId = await accountOf(owner);
  const filled = { accountId, formId: form.id, personId: id, reader: `person:${id}`, rows };
  await fill(service(), filled);
  const found: Walked = new Map();
  const refused: string[] = [];
  // Searches and counts look at less when time is short. Here it stands still.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const { request, method, path, body } of changesOf(ids, filled)) {
    const asPerson = isPage(path) || isForSessions(path);
    let status = 0;
    const reads = await counter.during(async () => {
      const answer = asPerson
        ? await (isPage(path)
            ? browser.post(path, body as Record<string, string>)
            : browser.call(method, path, body))
        : await owner.send(method, path, body);
      status = answer.status;
    });
    const isDone = status < 400;
    if (status >= 500 || (!isDone && ABOUT_SUBMISSIONS.test(request))) {
      refused.push(`${request} was answered with ${status}`);
    }
    found.set(request, sumsOf(reads));
  }
  jest.restoreAllMocks();
  expect(refused).toEqual([]);
  return found;
}

interface Change {
  request: string;
  method: Method;
  path: string;
  body: object;
}

/** Returns each change that there is a route for, those that end something last. */
function changesOf(ids: Ids, filled: Filled): Change[] {
  const rowAt = (n: number) => formatUuid(idOf(filled, n));
  const sent = sentOf([rowAt(filled.rows - 1), rowAt(filled.rows - 2)]);
  const templates = templatesOf(service().app)
    .filter(({ method, path }) => method !== 'get' && !NOT_ASKED.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const unique = [...new Set(templates)];
  const inOrder = [
    ...unique.filter((each) => !LAST.test(each)),
    ...unique.filter((each) => LAST.test(each)),
  ];
  return inOrder.map((request, index) => {
    const [method = '', template = ''] = request.split(' ');
    const { body = {}, query } = sent[request] ?? {};
    // What is only a submission gets one of its own; what is of a submission is of the first.
    const isOne =
      /\/(?:submissions|:identifier)\/:id/.test(template) && !/:\w+Id|:repeat/.test(template);
    const path = fillTemplate(template, (noun) => {
      if (noun === 'visitors') return 'person-18@example.com';
      return noun === 'submissions' && isOne ? rowAt(filled.rows / 2 + index) : (ids[noun] ?? 'x');
    });
    return { request, method: method as Method, path: query ? `${path}?${query}` : path, body };
  });
}
