/**
 * Fills an account with many forms and many clients, and measures what its owner and the people of a client then wait
 * for: lists, details, counts, charts, filters, and what visitors wait for.
 */
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { readOptions, temporaryFolder } from './begin.js';
import { embeddedDatabases, serverDatabases } from './databases.js';
import { Filler, idAt } from './filler.js';
import { call as callAt, startService, TOKEN } from './programs.js';
import { keepResult, table, target, targetTable } from './report.js';
import { pagesFor, signIn } from './signed-in.js';

const HELP = `Usage: npm run bench:crowd -- [--forms 10000] [--clients 10000] [--embedded | --server | --url mysql://…]

  --forms     how many the account gets, by SQL; all but each tenth have 20 submissions
  --clients   how many it gets, each with a person and three forms; the first sees 3,000
  --embedded  on the embedded database, as without any of the three
  --server    on an installed MariaDB or MySQL server, started privately for the run
  --url       on a running server, whose user may create databases
Prints a table. Ten thousand of each take a minute and half a GB of disk.
Exit code 0: measured. 1: could not be measured.
`;

const options = readOptions(HELP, {
  forms: { type: 'string', default: '10000' },
  clients: { type: 'string', default: '10000' },
  embedded: { type: 'boolean', default: false },
  server: { type: 'boolean', default: false },
  url: { type: 'string' },
});

const FORMS = Number(options.forms);
const CLIENTS = Number(options.clients);
const PER_FORM = 20;
/** Each of so many forms has no submissions. */
const EMPTY_EVERY = 10;
const GRANTS = 3;
const GRANTS_OF_FIRST = Math.min(3_000, Math.floor(FORMS * 0.3));
const REPEATS = 7;
const ROWS_PER_INSERT = 500;
/** When the first submission came. */
const FROM_MS = Date.now() - 90 * 24 * 3600 * 1000;
/** Far above what the service has made by itself. */
const FIRST_ID = 1_000;
const CREATED = '2026-01-01 00:00:00.000';

const folder = await temporaryFolder();
const own = join(folder, 'crowd');
await mkdir(own);
const rows = [];
const targets = [];
let databases;
let service;
try {
  databases = options.server || options.url ? await serverDatabases(options.url) : embeddedDatabases(folder);
  const address = await databases.create('crowd', own);
  const title = `${FORMS} forms and ${CLIENTS} clients on ${databases.description}`;
  console.log(title);
  service = await startService(own, address);
  const asOwner = await signIn(service.url, own, address);
  await service.stop();
  const database = await databases.open('crowd');
  await fill(database);
  await database.close();
  service = await startService(own, address);
  const asPerson = await pagesFor(service.url, emailOf(0));
  const { token: secret } = await call('POST', `/api/v1/clients/${FIRST_ID}/tokens`, {
    token: { name: 'Bench', rights: ['forms:read', 'submissions:read'] },
  });
  for (const question of questions(asOwner, asPerson, secret)) {
    await ask(question);
  }
  console.log(`\n${table([[title, 'Median', 'Slowest', ''], ...rows])}\n`);
  console.log(`load ${loadavg()[0].toFixed(1)}\n\n${targetTable(targets)}`);
  await keepResult('-crowd', { database: databases.description, options, rows, targets });
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await service?.stop();
  await databases?.stop();
}

/** Inserts everything. The people have the password of the owner. */
async function fill(database) {
  const forms = Array.from({ length: FORMS }, (_, n) => FIRST_ID + n);
  const full = forms.filter((_, n) => n % EMPTY_EVERY > 0);
  const [{ hash }] = await database.query('SELECT password_hash AS hash FROM people');
  const insert = (name, columns, all) => insertAll(database, name, columns, all);
  await insert(
    'forms',
    'id,account_id,identifier,name,submission_text,notify_owner_on_submission,show_submitted_values,created_at',
    forms.map((id) => [id, 1, identifierOf(id), `Form ${id} of Oslo`, 'Thanks', 0, 0, CREATED]),
  );
  const filler = new Filler(database, FROM_MS);
  await filler.fillEach(full, PER_FORM);
  await filler.finish();
  const clients = Array.from({ length: CLIENTS }, (_, n) => n);
  await insert(
    'clients',
    'id,account_id,name,email,email_key,can_create_forms',
    clients.map((n) => [FIRST_ID + n, 1, `Client ${n}`, emailOf(n), emailOf(n), 0]),
  );
  await insert(
    'form_grants',
    'client_id,form_id',
    clients.flatMap((n) => {
      const count = n === 0 ? GRANTS_OF_FIRST : GRANTS;
      return Array.from({ length: count }, (_, k) => [FIRST_ID + n, forms[(n * 7 + k) % FORMS]]);
    }),
  );
  await insert(
    'people',
    'id,email,email_key,name,time_zone,password_hash,is_operator,created_at',
    clients.map((n) => [...[FIRST_ID + n, emailOf(n), emailOf(n), `Person ${n}`, 'Etc/UTC'], ...[hash, 0, CREATED]]),
  );
  await insert(
    'memberships',
    'person_id,account_id,client_key,actions,created_at',
    clients.map((n) => [FIRST_ID + n, 1, FIRST_ID + n, 'see,triage,export', CREATED]),
  );
}

async function insertAll(database, name, columns, all) {
  const marks = `(${columns.replace(/\w+/g, '?')})`;
  await database.query('BEGIN');
  for (let from = 0; from < all.length; from += ROWS_PER_INSERT) {
    const some = all.slice(from, from + ROWS_PER_INSERT);
    const values = some.map(() => marks).join(',');
    await database.query(`INSERT INTO ${name} (${columns}) VALUES ${values}`, some.flat());
  }
  await database.query('COMMIT');
}

function questions(asOwner, asPerson, secret) {
  const last = FIRST_ID + FORMS - 1;
  // One that the first client sees.
  const identifier = identifierOf(FIRST_ID + GRANTS);
  // In the middle of all submissions.
  const middle = uuid(idAt(FROM_MS, PER_FORM / 2, PER_FORM, ''));
  const lastPage = Math.ceil(FORMS / 100);
  const api = {
    'forms, first page': '/forms?per_page=100',
    'forms, last page': `/forms?per_page=100&page=${lastPage}`,
    form: `/forms/${identifier}`,
    'submissions of a form': `/forms/${identifier}/submissions`,
    value_exists: `/forms/${identifier}/value_exists?field=email&value=person-3@example.com`,
    'submissions of all forms': '/submissions',
    'submissions of all forms, middle': `/submissions?before=${middle}`,
    'spam of all forms (none)': '/submissions?q=is:spam',
    'unread of all forms': '/submissions?q=is:unread',
    'starred of all forms (none)': '/submissions?q=is:starred',
    'common word in all forms': '/submissions?q=hello',
    'statistics of all forms': '/statistics?by=day',
    'unread of each form': '/unread',
    client: `/clients/${FIRST_ID + 7}`,
    'saved views': '/views',
    jobs: '/jobs',
    audit: '/audit',
  };
  const pages = {
    inbox: '/inbox',
    'inbox, middle': `/inbox?before=${middle}`,
    'inbox of a form': `/inbox?q=form:${identifier}`,
    'inbox, unread': '/inbox?q=is:unread',
    'inbox, trash (none)': '/inbox?q=is:trash',
    'list of forms': '/forms',
    'page of a form': `/forms/${identifier}`,
    'go, some': '/go?q=oslo',
    'go, one': `/go?q=${last}`,
    'go, none': '/go?q=nothing+has+this',
    'charts of all forms': '/statistics',
    'saved views': '/views',
    visitor: '/visitors/person-3@example.com',
    'new form': '/new-form',
  };
  const ofOwner = {
    ...pages,
    'list of clients': '/clients',
    'page of a client': `/clients/${FIRST_ID + 7}`,
    'page of the client with most forms': `/clients/${FIRST_ID}`,
    people: '/people',
    audit: '/audit',
  };
  const ofPerson = Object.entries(pages).filter(([, path]) => !/^\/(?:new-form|forms)/.test(path));
  const detail = /^(?:page|form$|client$|visitor)/;
  const most = (name) => (/value_exists/.test(name) ? 10 : detail.test(name) ? 50 : 30);
  const page = (get) => async (path) => (await get(service.url, path)).includes('</html>');
  let count = 0;
  return [
    ...Object.entries(api).map(([name, path]) => ({
      ...{ name: `API: ${name}`, most: most(name) },
      work: () => call('GET', `/api/v1${path}`),
    })),
    ...['/submissions', `/submissions?before=${middle}`, '/statistics?by=day', '/unread'].map((path) => ({
      ...{ name: `API of a client: ${path.slice(1, 20)}`, most: 30 },
      work: () => callAt(service.url, 'GET', `/api/v1${path}`, undefined, secret),
    })),
    ...Object.entries(ofOwner).map(([name, path]) => ({
      ...{ name: `page: ${name}`, most: most(name) },
      work: () => page(asOwner)(path),
    })),
    ...ofPerson.map(([name, path]) => ({
      ...{ name: `page of a client: ${name}`, most: most(name) },
      work: () => page(asPerson)(path),
    })),
    { name: 'event stream opened', most: 30, work: openStream },
    {
      ...{ name: 'form created', most: 50 },
      work: () => call('POST', '/api/v1/forms', { form: { name: `New ${count++}` } }),
    },
    {
      ...{ name: 'submission', most: 30 },
      work: async () => {
        const sent = await fetch(`${service.url}/f/${identifier}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify({ name: 'Visitor', email: 'visitor@example.com' }),
        });
        if (!sent.ok) throw new Error(`A submission got ${sent.status}.`);
        await sent.arrayBuffer();
      },
    },
    { ...{ name: 'all forms read', most: 1_000 }, work: () => call('POST', '/api/v1/submissions/read', {}) },
  ];
}

/** Asks some times, after a first time that is not counted. */
async function ask({ name, most, work }) {
  await work();
  const times = [];
  for (let turn = 0; turn < REPEATS; turn++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[REPEATS >> 1], times[REPEATS - 1]];
  const figures = [median, slowest].map((ms) => `${ms.toFixed(0)} ms`);
  rows.push([name, ...figures, median > most ? 'MISSED' : 'reached']);
  targets.push(target(name, median, `≤ ${most}`, ' ms'));
  console.log(`${name}: ${figures.join(', ')}`);
}

async function openStream() {
  const end = new AbortController();
  await fetch(`${service.url}/api/v1/events`, {
    headers: { Authorization: `Bearer ${TOKEN}`, Accept: 'text/event-stream' },
    signal: end.signal,
  });
  end.abort();
}

function call(method, path, body) {
  return callAt(service.url, method, path, body);
}

function identifierOf(id) {
  return `f0f0${id.toString(16).padStart(12, '0')}`;
}

function emailOf(n) {
  return `client-${n}@example.com`;
}

function uuid(id) {
  const hex = id.toString('hex');
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1])).join('-');
}
