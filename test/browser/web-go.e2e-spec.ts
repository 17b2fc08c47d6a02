import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { breachesOf, openPage, useBrowser } from '../support/browser-pages.js';
import { Browser } from '../support/people.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
let contact: FormBody;
let orders: FormBody;
const owner = useOwner(service);
beforeEach(async () => {
  contact = await owner.makeForm({ name: 'Contact us' });
  orders = await owner.makeForm({ name: 'Orders <b>' });
  const view = { name: 'Urgent orders', q: 'tag:urgent', team: true };
  await owner.post('/api/v1/views', { view }).expect(201);
});

const inboxOf = ({ identifier }: FormBody) => `/inbox?${new URLSearchParams({ q: `form:${identifier}` }).toString()}`;

/** Returns where the page leads, by name. */
async function found(person: { email: string }, text: string): Promise<string[]> {
  const browser = await Browser.of(service(), person.email);
  const query = new URLSearchParams({ q: text }).toString();
  const { status, text: html } = await browser.get(`/go?${query}`);
  expect(status).toBe(200);
  const [, list = ''] = /<div id="found">(.*?)<\/main>/s.exec(html) ?? [];
  return [...list.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
}

describe('The page that finds others', () => {
  it('finds forms, views, folders and pages by words of their names, and always searches', async () => {
    const person = await service().makePerson(owner);

    expect(await found(person, 'ORDERS')).toEqual([
      inboxOf(orders),
      `/forms/${orders.identifier}`,
      '/inbox?q=tag%3Aurgent',
      '/inbox?q=ORDERS',
    ]);
    expect(await found(person, 'us con')).toContain(inboxOf(contact));
    expect(await found(person, 'trash')).toContain('/inbox?q=is%3Atrash');
    expect(await found(person, 'audit')).toContain('/audit');
    expect(await found(person, contact.identifier)).toContain(inboxOf(contact));
    expect(await found(person, 'no such thing')).toEqual(['/inbox?q=no+such+thing']);
    expect((await found(person, '')).length).toBeGreaterThan(15);
  });

  it('knows every place by the words that people use for it', async () => {
    const client = await owner.makeClient({ form_ids: [contact.id] });
    const petra = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    const person = await service().makePerson(owner);
    const form = `/forms/${contact.identifier}`;
    for (const [text, href] of [
      ['webhook', `${form}/settings#notifications`],
      ['webhook', '/destinations'],
      ['retention', `${form}/settings#keep`],
      ['import', `${form}/import`],
      ['export contact', `${form}/submissions/export`],
      ['spam contact', `${form}/settings#spam`],
      ['time zone', '/account'],
      ['create form', '/new-form'],
      ['team', '/people'],
      [petra.name, `/clients/${client}/people/`],
    ] as const) {
      const places = await found(person, text);
      expect([text, places.find((each) => each.startsWith(href)) ?? places]).toEqual([
        text,
        expect.stringContaining(href),
      ]);
    }
    expect(await found(person, 'spam contact')).not.toContain(`/forms/${orders.identifier}/spam`);
    const ofClient = await found(petra, 'webhook');
    expect(ofClient).toEqual(['/inbox?q=webhook']);
  });

  it('shows nobody what they may not open', async () => {
    const client = await owner.makeClient({ form_ids: [contact.id] });
    const ofClient = await service().makePerson(owner, { clientId: client, actions: ['see'] });
    const stranger = await service().makePerson(await service().openAccount('Another'));

    for (const person of [ofClient, stranger]) {
      expect(await found(person, 'orders')).toEqual(['/inbox?q=orders']);
      expect(await found(person, orders.identifier)).toHaveLength(1);
    }
    const all = await found(ofClient, '');
    expect(all).toContain(inboxOf(contact));
    for (const path of ['/people', '/audit', '/tokens', '/new-form', '/clients']) {
      expect(all).not.toContain(path);
    }
    const browser = await Browser.of(service(), ofClient.email);
    for (const path of all) expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
  });

  it('names no more forms than one reads, and says that there are more', async () => {
    for (let n = 0; n < 9; n++) await owner.makeForm({ name: `Survey ${n}` });
    const person = await service().makePerson(owner);
    const browser = await Browser.of(service(), person.email);

    expect(await found(person, 'survey')).toHaveLength(2 * 8 + 1);
    expect((await browser.get('/go?q=survey')).text).toContain('There are more forms');
    expect((await browser.get('/go?q=survey%203')).text).not.toContain('There are more forms');
  });
});

inBrowser('What opens by Ctrl-K', () => {
  const selected = (page: Page) => page.locator('#palette [aria-selected="true"]');
  it('leads to a form by keys alone, and back to where one was by Escape', async () => {
    const person = await service().makePerson(owner);
    const page = await openPage(browser(), service(), person, '/people');
    await page.focus('nav.rail a');
    await page.keyboard.press('Control+k');
    await selected(page).waitFor();
    expect(await page.locator('[role="combobox"]:focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('nav.rail a:focus').waitFor();

    await page.keyboard.press('Meta+k');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('orders');
    await page.locator('#palette').getByText('4 results').waitFor();
    expect(await selected(page).textContent()).toContain('Orders <b>');
    await page.keyboard.press('ArrowUp');
    expect(await selected(page).textContent()).toContain('Search submissions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await page.getAttribute('[role="combobox"]', 'aria-activedescendant');
    expect(await selected(page).getAttribute('id')).toBe(active);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/forms/${orders.identifier}`);
  });

  it('acts on the submission that is open, beside the list too', async () => {
    const id = await service().submit(contact, { name: 'Jane' });
    const page = await openPage(browser(), service(), await service().makePerson(owner), '/inbox');
    await page.locator('a.row').click();
    await page.locator('#submission').waitFor();
    await page.keyboard.press('Control+k');
    await selected(page).waitFor();
    await page.keyboard.type('star');
    // What is chosen is what the last letter finds, not what is shown still.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Unstar' }).waitFor();

    expect(await owner.read(`${pathOf(contact)}/${id}/marks`)).toMatchObject({ marks: { starred: true } });
  });

  it('changes how pages look by the name of the look', async () => {
    const page = await openPage(browser(), service(), await service().makePerson(owner), '/forms');
    await page.keyboard.press('Control+k');
    await selected(page).waitFor();
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-scheme="dark"]').waitFor();
  });

  it('opens by a button, is a page where there is no script, and shuts nobody out', async () => {
    const person = await service().makePerson(owner);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        const viewport = { width, height: 800 };
        const options = { colorScheme, viewport };
        const page = await openPage(browser(), service(), person, '/inbox', options);
        await page.getByRole('link', { name: 'Go to' }).click();
        await selected(page).waitFor();
        expect(await breachesOf(page)).toEqual([]);
        await page.mouse.click(2, 2);
        await page.locator('#palette').waitFor({ state: 'detached' });
      }
    }
    const plain = await openPage(browser(), service(), person, '/inbox', { javaScriptEnabled: false });
    await plain.locator('a[data-go]').click();
    await plain.fill('#go input', 'audit');
    await plain.press('#go input', 'Enter');
    await plain.locator('#found').getByText('Audit log').click();
    expect(new URL(plain.url()).pathname).toBe('/audit');
  });
});
