/**
 * Takes pictures of every kind of page, at 1280 and 390 pixels, light and dark: `npm run pages -- FOLDER [NAME…]`.
 * Names of pages leave out the others. CHROMIUM names the browser (/usr/bin/chromium).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_URL, becomeOwner, call, giveHistory, startBrowser, withService } from './sample-service.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 780 },
];
const SCHEMES = ['light', 'dark'];
const FORMS = ['Contact', 'Orders', 'Grundstücksverkehrsgenehmigungszuständigkeit', 'اتصل بنا'];
const VISITORS = [
  [
    'Ann Smith',
    'ann@example.com',
    'Do you bake for weddings?\n\nWe are eighty people and marry in June. The hall opens at ten, so anything from eleven on would do. My sister cannot have nuts.',
  ],
  ['Jürgen Großmann', 'juergen@example.com', 'Haben Sie am Sonntag geöffnet?'],
  ['ليلى حسن', 'layla@example.com', 'مرحبا، أود الحصول على عرض سعر. هل لديكم خبز بدون غلوتين؟'],
  ['Marie Dubois', 'marie@example.com', 'Bonjour, deux tartes aux pommes pour samedi.'],
  ['Tom Baker', 'tom@example.com', 'Loved the rye bread. Thanks!'],
  ['王小明', 'wang@example.com', '请问周末可以取蛋糕吗？'],
  [
    'Zażółć Gęślą-Jaźń',
    'zazolc@example.com',
    'Donaudampfschifffahrtsgesellschaftskapitänsmütze gefunden, bitte melden.',
  ],
];
const SPAM = ['Viktor', 'viktor@mailinator.com', 'Buy http://a.example http://b.example http://c.example'];
/** A file of another service, with a row that is broken. */
const EXPORTED = `Date,Full name,email,Message
2019-05-06 07:08:09,Ann Smith,ann@example.com,"Do you bake for weddings?"
2020-02-03 04:05:06,Jürgen Großmann,juergen@example.com,Haben Sie am Sonntag geöffnet?
yesterday,Tom Baker,tom@example.com,Loved the rye bread
`;
const ROUNDS = 3;

const [folder = 'build/pages', ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

await withService(async ({ token, link, database }) => {
  const forms = [];
  for (const name of FORMS) forms.push(await call(token, '/api/v1/forms', { form: { name } }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { identifier }] of forms.slice(0, 3).entries()) {
      for (const [name, email, message] of VISITORS.slice(at)) {
        const phone = `+49 30 ${1000 + round}`;
        await call(token, `/f/${identifier}`, { name, email, phone, message });
      }
    }
  }
  const [contact] = forms;
  const [name, email, message] = SPAM;
  for (let n = 0; n < 2; n++) {
    await call(token, `/f/${contact.identifier}`, { name, email, message, _gotcha: n ? 'x' : '' });
  }
  const client = await call(token, '/api/v1/clients', {
    client: { email: 'huber@example.com', name: 'Schreinerei Huber', form_ids: [contact.id] },
  });

  const destinations = `/api/v1/forms/${contact.identifier}/destinations`;
  const conditions = [{ field: 'message', op: 'contains', value: 'wedding' }];
  const slack = { url: 'https://hooks.slack.com/services/T0/B0/sample' };
  const team = { name: 'Bakery', kind: 'email', settings: { to: 'bakery@example.com' } };
  await call(token, destinations, { destination: { ...team, paused: true } });
  const everywhere = await call(token, '/api/v1/destinations', { destination: { ...team, name: 'Agency channel' } });
  const sales = await call(token, destinations, {
    destination: { name: 'Weddings', kind: 'slack', settings: slack, conditions },
  });
  await call(token, `/api/v1/forms/${forms[1].identifier}/page`, { page: { enabled: true } }, 'PUT');
  const fleet = await drawFleet(token, contact.id);
  const watched = await drawWatched(token, database, [contact, forms[1]]);

  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: SIZES[0] });
  await becomeOwner(page, link);
  await page.goto(`${BASE_URL}/inbox`);
  const row = await page.locator('a.row', { hasText: 'Ann' }).first().getAttribute('href');
  const [, , identifier, id] = row.split(/[/?]/);
  const values = `/api/v1/forms/${identifier}/submissions/${id}/values`;
  await call(token, values, { values: { phone: '+49 30 1234', company: 'Rye & Sons' } }, 'PATCH');
  const statuses = 'contacted,won,lost';
  await call(token, `/api/v1/forms/${identifier}/statuses`, { statuses }, 'PUT');
  const tags = `/api/v1/forms/${identifier}/submissions/${id}/tags`;
  await call(token, tags, { tags: ['won', 'wholesale'] }, 'PUT');
  await page.goto(`${BASE_URL}/inbox?q=is:held`);
  const held = await page.locator('a.row').first().getAttribute('href');
  const form = `/forms/${identifier}`;
  const imports = `/api/v1/forms/${identifier}/imports`;
  const done = await sendFile(token, `${imports}?provider=csv`, EXPORTED);
  const pages = {
    inbox: '/inbox',
    inbox_held: '/inbox?q=is:held',
    inbox_empty: '/inbox?q=is:done',
    inbox_nothing: '/inbox?q=nowhere',
    split: row,
    submission: `/inbox/${identifier}/${id}`,
    submission_held: held,
    forms: '/forms',
    forms_filtered: '/forms?problems=true&sort=-name',
    change_forms: `/change-forms?${fleet.map((id) => `form=${id}`).join('&')}`,
    change_forms_preview: previewChange(page, fleet),
    new_form: '/new-form',
    move: '/move',
    form_new: `/forms/${forms[3].identifier}`,
    form,
    form_settings: `${form}/settings`,
    form_texts: `${form}/translations?language=ar`,
    form_field: `${form}/fields/email`,
    form_field_new: `${form}/new-field`,
    form_setup: `${form}/setup`,
    form_webhook: `${form}/webhook`,
    form_destination: `/forms/${contact.identifier}/destinations/${sales.destination.id}`,
    form_destination_new: `${form}/new-destination?kind=email`,
    destinations: '/destinations',
    destinations_client: `/destinations?client_id=${client.id}`,
    destination: `/destinations/${everywhere.destination.id}`,
    form_spam: `${form}/spam`,
    submission_edit: `/inbox/${identifier}/${id}/edit`,
    form_aliases: `${form}/aliases`,
    form_visitor_mail: `${form}/visitor-mail`,
    form_team_mail: `${form}/team-mail`,
    form_import: `${form}/import`,
    form_import_draft: await lookAtFile(page, form),
    form_import_done: `${form}/import/${done.import.id}`,
    form_activity: `/forms/${contact.identifier}/activity`,
    form_activity_silent: `/forms/${watched}/activity`,
    form_activity_new: `/forms/${forms[3].identifier}/activity`,
    statistics: '/statistics',
    settings: '/settings',
    export: `${form}/submissions/export`,
    clients: '/clients',
    client: `/clients/${client.id}`,
    client_forms: `/clients/${client.id}/forms`,
    client_people: `/clients/${client.id}/people`,
    client_brand: `/clients/${client.id}/brand`,
    client_report: `/clients/${client.id}/report?month=${new Date().toISOString().slice(0, 7)}`,
    new_client: '/new-client',
    people: '/people',
    tokens: '/tokens',
    agent: '/tokens/agent',
    status: '/status',
    account: '/account',
    audit: '/audit',
    brand: '/brand',
    visitors: '/visitors',
    views: '/views',
    go: '/go',
    spam_learning: '/spam-learning',
    nowhere: '/forms/unknown',
    docs: '/docs',
    docs_guide: '/docs/api/webhooks',
    docs_forms: '/docs/reference/webhooks',
    docs_search: '/docs?q=verify+the+signature',
    thanks: `/f/${contact.identifier}`,
  };
  for (const [kind, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(kind)) continue;
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        if (typeof path === 'function') await path();
        else await page.goto(BASE_URL + path);
        if (kind === 'split' && size.width > 1000) await page.waitForSelector('#inbox');
        const path_ = join(folder, `${kind}-${size.width}-${colorScheme}.png`);
        await page.screenshot({ path: path_, fullPage: kind !== 'split' && !kind.startsWith('inbox') });
      }
    }
  }
  await browser.close();
});

/** Makes forms of several clients, one of them paused. @returns identifiers */
async function drawFleet(token, formId) {
  const identifiers = [];
  for (const name of ['Bäckerei Müller', 'Kanzlei Dr. Ünal & Partner']) {
    const form = { name: `${name}: Kontakt`, notify_owner_emails: 'info@example.com' };
    const { id, identifier } = await call(token, '/api/v1/forms', { form });
    const client = { email: `c${id}@example.com`, name, form_ids: [id, formId] };
    await call(token, '/api/v1/clients', { client });
    identifiers.push(identifier);
  }
  const paused = `/api/v1/forms/${identifiers[0]}/intake`;
  await call(token, paused, { intake: { paused: true } }, 'PUT');
  return identifiers;
}

/** Lets a form be alive, one get much spam, and another be silent. @returns the identifier of that one */
async function drawWatched(token, database, [alive, flooded]) {
  const form = { name: 'Kanzlei Dr. Ünal & Partner: Termin' };
  const silent = await call(token, '/api/v1/forms', { form });
  const now = Math.floor(Date.now() / 3_600_000);
  const flood = { code: 'spam_rising', since: now - 5, amount: 84, of: 90 };
  const week = { weeks: 12, state: 'alive', silentInHours: 30 };
  giveHistory(database, alive.id, { ...week, hoursAgo: 3 });
  giveHistory(database, flooded.id, { ...week, hoursAgo: 1, signs: [flood] });
  giveHistory(database, silent.id, { weeks: 12, hoursAgo: 150, state: 'silent', silentInHours: -70 });
  await call(token, `/api/v1/forms/${alive.identifier}/canary/run`);
  return silent.identifier;
}

/** Looks at the differences that a change makes. @returns a function that shows them again */
function previewChange(page, identifiers) {
  return async () => {
    await page.goto(`${BASE_URL}/change-forms?${identifiers.map((id) => `form=${id}`).join('&')}`);
    const field = (name) => page.locator(`[name="change.settings.${name}"]`);
    await field('notify_owner_emails').fill('office@example.com,team@example.com');
    await field('paused').selectOption('true');
    await page.locator('main form button').last().click();
  };
}

/** Sends a file to a route of the API. */
async function sendFile(token, path, file) {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(BASE_URL + path, { method: 'POST', headers, body: file });
  return response.json();
}

/** Has a file looked at on the page of a form. @returns the path of what it shows */
async function lookAtFile(page, form) {
  await page.goto(`${BASE_URL}${form}/import`);
  await page.locator('[name=provider]').selectOption('csv');
  const buffer = Buffer.from(EXPORTED.replaceAll('20', '21').replace('2119', '2018'));
  await page.locator('[name=file]').setInputFiles({ name: 'export.csv', mimeType: 'text/csv', buffer });
  await page.locator('form[enctype] button').click();
  return new URL(page.url()).pathname;
}
