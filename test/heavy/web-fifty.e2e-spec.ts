import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const COUNT = 50;
const WIDE = { viewport: { width: 1280, height: 800 } };

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
let page: Page;
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  await owner.makeForm({ name: 'Orders' });
  for (let n = 0; n < COUNT; n++) await service().submit(form, { name: nameOf(n) });
});

const nameOf = (n: number) => `Person ${String(n).padStart(2, '0')}`;
const rows = () => page.locator('a.row').count();
const press = (key: string) => page.keyboard.press(key);
const opened = (n: number) =>
  page
    .locator('#submission')
    .getByRole('heading', { name: nameOf(n), level: 1 })
    .waitFor();

/** Presses a key after which so many rows have left the list. */
async function leave(key: string, count = 1): Promise<void> {
  const before = await rows();
  await press(key);
  await until(async () => (await rows()) === before - count);
}

/** Counts what a filter finds, by the API. */
async function found(q: string): Promise<number> {
  const { body } = await owner.get(`${pathOf(form)}?${new URLSearchParams({ q }).toString()}`);
  return body.submissions.length;
}

inBrowser('Fifty submissions', () => {
  it('are worked through by keys alone: each key does what it says, and goes on with the next', async () => {
    const kim = await service().makePerson(owner);
    page = await openPage(browser(), service(), await service().makePerson(owner), '/inbox', WIDE);
    await press('?');
    expect(await page.isVisible('dialog#keys')).toBe(true);
    await press('Escape');
    await press('j');
    const assignee = page.locator('tr:has([aria-current]) .assignee');
    const star = async () => {
      await press('s');
      await page.getByRole('button', { name: 'Unstar' }).waitFor();
    };
    const assignToMe = async () => {
      await press('m');
      await assignee.waitFor();
    };
    const tag = async () => {
      await press('t');
      await page.keyboard.type('urgent');
      await press('Enter');
      await page.locator('#tags .chip').getByText('urgent').waitFor();
    };
    const assignToKim = async () => {
      await press('a');
      await page.keyboard.type(kim.name);
      await press('Tab');
      await press('Enter');
      await assignee.getByText(kim.name).waitFor();
    };
    /** Actions on one submission after the other. */
    const acts: [last: string, act: () => Promise<void>][] = [
      ['e', () => Promise.resolve()],
      ['#', () => Promise.resolve()],
      ['!', () => Promise.resolve()],
      ...[star, assignToMe, tag, assignToKim].map((act) => ['e', act] as [string, typeof act]),
    ];
    for (let n = COUNT - 1; n >= 15; n--) {
      await opened(n);
      const [last, act] = acts[(COUNT - 1 - n) % acts.length] ?? ['', () => Promise.resolve()];
      await act();
      await until(async () => (await page.locator('a.row:focus').count()) === 1);
      await leave(last);
    }

    await opened(14);
    for (const key of ['x', 'j', 'x', 'j', 'j', 'k', 'x']) await press(key);
    await leave('e', 3);
    await press('Escape');
    await press('j');
    await press('o');
    await page.locator('#submission').waitFor();
    await leave('e');
    const left = await rows();
    await press('u');
    await page.locator('#submission').waitFor({ state: 'detached' });
    expect(await rows()).toBe(left);
    await service().submit(form, { name: 'New' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await press('.');
    await until(async () => (await rows()) === left + 1);
    for (const [key, hasText] of [
      ...[[']', 'Contact'] as const, [']', 'Orders'] as const],
      ...[['[', 'Contact'] as const, ['[', 'All'] as const],
    ]) {
      await press(key);
      await page.locator('.form-list [aria-current]', { hasText }).waitFor();
    }
    await press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('is:starred');
    await press('Enter');
    await until(async () => (await rows()) === 5);

    expect(left).toBe(COUNT - 35 - 3 - 1);
    expect(await Promise.all(['is:done', 'is:trash', 'is:spam'].map(found))).toEqual([...[25 + 3 + 1, 5, 5]]);
    expect(await Promise.all(['is:starred', 'tag:urgent', `assigned:${kim.email}`].map(found))).toEqual([5, 5, 5]);
    expect(await found('assigned:none is:done')).toBe(25 + 3 + 1 - 10);
  });
});
