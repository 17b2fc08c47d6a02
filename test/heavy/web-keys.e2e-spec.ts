import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { breachesOf, complaintsOf, openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const COUNT = 10;
/** Too narrow for a list and a submission beside one another. */
const NARROW = { viewport: { width: 999, height: 800 } };

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  await owner.makeForm({ name: 'Orders' });
  for (let n = 0; n < COUNT; n++) await service().submit(form, { name: `Person ${n}`, n });
});

/** Opens the inbox as an owner, and notes what the browser complains about. */
async function openInbox(options: Parameters<typeof openPage>[4] = {}) {
  const person = await service().makePerson(owner);
  const page = await openPage(browser(), service(), person, '/inbox', options);
  return { page, complaints: complaintsOf(page) };
}

const focusedText = (page: Page) => page.locator(':focus').textContent();
/** When the page that is shown was opened; null while it is being left, or does not listen to keys yet. */
const openedAt = (page: Page) =>
  page.evaluate(() => (document.readyState === 'complete' ? performance.timeOrigin : null)).catch(() => null);
/** Presses a key and waits for the page that it leads to. */
async function press(page: Page, key: string): Promise<void> {
  const before = await openedAt(page);
  await page.keyboard.press(key);
  await until(async () => ![before, null].includes(await openedAt(page)));
}
/** Leaves what can be taken back on offer, however long the machine takes from now on. */
async function keepOffers(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const offers = cookies.filter(({ name }) => name.startsWith('fcs_undo_'));
  expect(offers).not.toEqual([]);
  await page.context().addCookies(offers.map((cookie) => ({ ...cookie, expires: -1 })));
}
const countOfDone = async (): Promise<number> => (await owner.read(`${pathOf(form)}?done=true`)).count;

inBrowser('The inbox by keys alone', () => {
  it('is worked through from the first to the last, one after the other, without a complaint', async () => {
    const { page, complaints } = await openInbox(NARROW);

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focusedText(page)).toContain(`Person ${COUNT - 1}`);
    await press(page, 'o');
    for (let n = 1; n <= COUNT; n++) {
      await press(page, 'e');
      expect(await countOfDone()).toBe(n);
    }

    expect(new URL(page.url()).pathname).toBe('/inbox');
    await page.keyboard.press('z');
    await until(async () => (await countOfDone()) === COUNT - 1);
    expect(complaints).toEqual([]);
  });

  it('marks the selected rows, a range of boxes by Shift, and nothing while one types', async () => {
    const { page } = await openInbox();
    const boxes = page.locator('.bulk input[name="id"]');

    expect(await page.isVisible('.bulk-actions')).toBe(false);
    await page.focus('input[type="search"]');
    await page.keyboard.type('e#');
    expect(await countOfDone()).toBe(0);
    await boxes.nth(1).click();
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    expect(await page.isVisible('.bulk-actions')).toBe(true);
    await page.keyboard.press('e');

    await until(async () => (await countOfDone()) === 3);
  });

  it('takes back on a later page what was done on one before', async () => {
    const { page } = await openInbox(NARROW);
    await page.keyboard.press('j');
    for (const key of ['o', 'e']) await press(page, key);
    await keepOffers(page);
    for (const key of ['j', 'z']) await press(page, key);

    expect(await countOfDone()).toBe(0);
  });

  it('files what is held as spam by the key that says so, and never lets it go', async () => {
    const form = await owner.makeForm({ name: 'Trapped' });
    const spamRules = { signals: { honeypot: { points: 6 } } };
    await owner.put(`/api/v1/forms/${form.identifier}/spam`, { spam: spamRules }).expect(200);
    const spam: string[] = [];
    for (const name of ['First', 'Second', 'Third']) spam.unshift(await service().submit(form, { name, _gotcha: 'x' }));
    const found = async (q: string) => (await owner.read(`/api/v1/submissions?q=${q}`)).submissions.map(({ id }) => id);
    const { page } = await openInbox(NARROW);

    await page.goto(`${service().url}/inbox?q=is:held`);
    await page.keyboard.press('j');
    await page.keyboard.press('!');
    await until(async () => (await found('is:spam')).length === 1);
    await page.locator('.bulk input[name="id"]').first().check();
    await page.keyboard.press('!');
    await until(async () => (await found('is:spam')).length === 2);
    expect(await found('is:spam')).toEqual(spam.slice(0, 2));
    await page.locator('a.row').click();
    await page.locator('#submission').waitFor();
    await press(page, '!');

    expect(await found('is:spam')).toEqual(spam);
    await page.goto(`${service().url}/inbox?q=is:spam`);
    await page.keyboard.press('j');
    await page.keyboard.press('!');
    await page.keyboard.press('#');
    await until(async () => (await found('is:spam')).length === 2);
    expect(await found('is:spam')).toEqual(spam.slice(1));
    expect(await found('is:held')).toEqual([]);
  });

  it('shows its keys, and does without them where one wants that', async () => {
    const { page } = await openInbox();

    await page.keyboard.press('?');
    expect(await page.isVisible('dialog#keys')).toBe(true);
    await page.getByRole('link', { name: 'Turn off keyboard shortcuts' }).click();
    await page.getByRole('button', { name: 'Turn off keyboard shortcuts' }).click();
    await page.getByText('Keyboard shortcuts turned off').waitFor();
    await page.goto(`${service().url}/inbox`);
    await page.keyboard.press('j');

    expect(await page.locator('a.row:focus').count()).toBe(0);
    expect(await page.locator('#submission').count()).toBe(0);
    await page.keyboard.press('?');
    expect(await page.isVisible('dialog#keys')).toBe(true);
  });
});

inBrowser('A submission beside its list', () => {
  const heading = (page: Page, name: string) =>
    page.locator('#inbox ~ #submission').getByRole('heading', { name, exact: true, level: 1 });

  it('opens by keys, and makes room for the next when it is done, while the page stays', async () => {
    const { page, complaints } = await openInbox();
    const opened = await openedAt(page);

    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
    await heading(page, `Person ${COUNT - 1}`).waitFor();
    expect(await focusedText(page)).toContain(`Person ${COUNT - 1}`);
    for (let n = 1; n < COUNT; n++) {
      await page.keyboard.press('e');
      await heading(page, `Person ${COUNT - 1 - n}`).waitFor();
      await until(async () => (await page.locator('a.row').count()) === COUNT - n);
      expect(await focusedText(page)).toContain(`Person ${COUNT - 1 - n}`);
    }
    await page.keyboard.press('e');
    await page.locator('#submission').waitFor({ state: 'detached' });
    expect(await countOfDone()).toBe(COUNT);
    expect(new URL(page.url()).pathname).toBe('/inbox');
    expect(await openedAt(page)).toBe(opened);
    await page.keyboard.press('z');

    await until(async () => (await countOfDone()) === COUNT - 1);
    expect(complaints).toEqual([]);
  });

  it('is taken back after one has moved on, and then the one before it', async () => {
    const { page } = await openInbox();
    const opened = await openedAt(page);
    await page.keyboard.press('j');
    await heading(page, `Person ${COUNT - 1}`).waitFor();
    for (const n of [2, 3]) {
      await page.keyboard.press('e');
      await heading(page, `Person ${COUNT - n}`).waitFor();
      await keepOffers(page);
    }
    await page.keyboard.press('j');
    await heading(page, `Person ${COUNT - 4}`).waitFor();

    for (const n of [2, 1]) {
      await page.keyboard.press('z');
      await heading(page, `Person ${COUNT - n}`).waitFor();
      expect(await countOfDone()).toBe(n - 1);
    }
    expect(await openedAt(page)).toBe(opened);
  });

  it('has the address of its own page, where it is alone without script and without room', async () => {
    const { page } = await openInbox();
    await page.locator('a.row').nth(1).click();
    await heading(page, `Person ${COUNT - 2}`).waitFor();
    const address = page.url();

    await page.goBack();
    await page.locator('#submission').waitFor({ state: 'detached' });
    await page.goForward();
    await heading(page, `Person ${COUNT - 2}`).waitFor();
    await page.reload();
    await page.locator('a.row[aria-current]').waitFor();
    expect(await page.locator('a.row[aria-current]').textContent()).toContain(`Person ${COUNT - 2}`);
    await page.keyboard.press('Escape');
    await page.locator('#submission').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/inbox');
    for (const options of [{ javaScriptEnabled: false }, NARROW]) {
      const { page: other } = await openInbox(options);
      await other.locator('a.row').nth(1).click();
      await other.locator('#submission').waitFor();
      expect(other.url()).toBe(address);
      expect(await other.locator('#inbox').count()).toBe(0);
    }
  });

  it('takes notes, tags and the wish to undo without leaving the list, and says what it cannot take', async () => {
    const { page, complaints } = await openInbox();
    const opened = await openedAt(page);
    await page.locator('a.row').first().click();
    await page.fill('[name="note.text"]', 'I have called her');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note').getByText('I have called her').waitFor();

    await page.fill('[name="tags"]', 'x'.repeat(41));
    await page.press('[name="tags"]', 'Enter');
    await page.locator('#submission .problem').waitFor();
    await page.fill('[name="tags"]', 'urgent');
    await page.press('[name="tags"]', 'Enter');
    await page.locator('#list .chip').getByText('urgent').waitFor();
    await page.keyboard.press('#');
    await heading(page, `Person ${COUNT - 2}`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await heading(page, `Person ${COUNT - 1}`).waitFor();

    expect(await page.locator('a.row').count()).toBe(COUNT);
    expect(await openedAt(page)).toBe(opened);
    // The browser itself notes the status of what was refused.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('follows what others do, as its list does, and both keep what one reads in place', async () => {
    const { page } = await openInbox();
    const { page: other } = await openInbox(NARROW);
    await page.locator('a.row').first().click();
    await page.fill('[name="note.text"]', 'Half a no');
    await other.locator('a.row').first().click();
    await other.fill('[name="note.text"]', 'She knows');
    await other.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note').getByText('She knows').waitFor();
    await other.getByRole('button', { name: 'Star', exact: true }).click();
    await page.locator('.sign.starred').waitFor();
    await service().submit(form, { name: 'New' });
    await page.getByRole('button', { name: '1 new' }).waitFor();

    expect(await page.inputValue('[name="note.text"]')).toBe('Half a no');
    expect(await page.locator('a.row[aria-current]').textContent()).toContain(`Person ${COUNT - 1}`);
    expect(await page.locator('a.row').count()).toBe(COUNT);
  });

  it('is marked as read after a moment, and has nothing that shuts somebody out', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1000, 1280]) {
        const viewport = { width, height: 800 };
        const { page } = await openInbox({ colorScheme, viewport });
        await page.locator('a.row').first().click();
        await page.locator('tr:not(.unread) a.row[aria-current]').waitFor();
        expect(await breachesOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
  });
});

inBrowser('An open page', () => {
  it('says how many came, moves nothing, and shows them on a key', async () => {
    const { page, complaints } = await openInbox();
    await page.locator('.bulk input[name="id"]').nth(1).check();
    await page.locator('a.row').nth(2).focus();
    const before = await page.locator('a.row').allTextContents();

    for (const name of ['New one', 'New two']) await service().submit(form, { name });
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await page.locator('a.row').allTextContents()).toEqual(before);
    expect(await focusedText(page)).toContain(`Person ${COUNT - 3}`);
    await page.keyboard.press('.');

    expect(await focusedText(page)).toContain('New two');
    expect(await page.locator('a.row').count()).toBe(COUNT + 2);
    expect(await page.locator('.bulk input[name="id"]').nth(3).isChecked()).toBe(true);
    expect(await page.locator('[data-new] button').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('shares one stream with the other tabs of its browser, and all of them hear', async () => {
    const { page } = await openInbox();
    const tab = await page.context().newPage();
    let streams = 0;
    tab.on('request', (request) => (streams += Number(request.url().endsWith('/events'))));
    await tab.goto(`${service().url}/inbox`);
    const isWaiting = async () => {
      const { held, pending } = await tab.evaluate(() => navigator.locks.query());
      return held?.length === 1 && pending?.length === 1;
    };
    await until(isWaiting);

    await service().submit(form, { name: 'New' });
    for (const each of [page, tab]) await each.getByRole('button', { name: '1 new' }).waitFor();
    expect(streams).toBe(0);
    await page.close();
    await until(() => streams === 1);
  });
});
