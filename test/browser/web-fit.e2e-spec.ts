import { PreviewLearner } from '../../src/search/previews/preview-learner.js';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const WIDE = { viewport: { width: 1280, height: 800 } };
const NARROW = { viewport: { width: 320, height: 640 } };
const ROOT = 'document.documentElement';
const LONG_NAME = 'W'.repeat(200);

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
let form: FormBody;
const owner = useOwner(service, 'Agentur Sonnenschein und Söhne, Werbung und Gestaltung');
beforeEach(async () => {
  form = await owner.makeForm({ name: LONG_NAME });
});

const open = async (path: string, options: object, who?: { email: string }): Promise<Page> =>
  openPage(browser(), service(), who ?? (await service().makePerson(owner)), path, options);
/** Returns by how much a page can be scrolled sideways, in pixels. */
const excess = (page: Page) => page.evaluate(`${ROOT}.scrollWidth - ${ROOT}.clientWidth`);
/** Begins to export the form. @returns the page of that job */
async function exportPath(): Promise<string> {
  const { body } = await owner.post(`/api/v1/forms/${form.identifier}/exports`, { format: 'csv' });
  return `/jobs/${body.id}`;
}

inBrowser('A page fits its window', () => {
  it('with a long name of the agency whose client looks', async () => {
    const clientId = await owner.makeClient({ form_ids: [form.id] });
    const kim = await service().makePerson(owner, { clientId, actions: ['see'] });
    expect(await excess(await open('/inbox', NARROW, kim))).toBe(0);
  });

  it('with long tags in the timeline, and names the page above in one line', async () => {
    const id = await service().submit(form, { name: 'Jane' });
    await owner.put(`${pathOf(form)}/${id}/tags`, { tags: ['t'.repeat(40), 'u'.repeat(40)] });
    const page = await open(`/inbox/${form.identifier}/${id}`, WIDE);
    expect(await excess(page)).toBe(0);
    await page.setViewportSize(NARROW.viewport);
    expect(await excess(page)).toBe(0);
    expect((await page.locator('.up').boundingBox())?.height).toBeLessThan(44);
  });

  it('where a list shows what waits for somebody, however long the name is', async () => {
    const link = 'Buy now http://a.example http://b.example http://c.example http://d.example';
    const name = 'Maria Theresia von Habsburg-Lothringen zu Hohenzollern';
    const id = await service().submit(form, { name, message: link });
    await owner.put(`${pathOf(form)}/${id}/tags`, { tags: ['urgent'] });
    await owner.patch(`${pathOf(form)}/${id}/marks`, { marks: { starred: true } }).expect(200);
    const page = await open('/inbox?q=', WIDE);
    const cell = await page.locator('.submissions tbody th').boundingBox();
    const ends = await page
      .locator('.sender > :is(.sign, .chip)')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
    expect(ends.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...ends)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
  });

  it('and names the form that its list is about, among many', async () => {
    for (let n = 0; n < 30; n++) await owner.makeForm({ name: `Form number ${n}` });
    const last = await owner.makeForm({ name: 'The last' });
    const page = await open(`/inbox?q=form:${last.identifier}`, NARROW);
    expect(await page.locator('.switch').innerText()).toContain('The last');
    await page.locator('.switch').click();
    await page.locator('.form-list [aria-current]', { hasText: 'The last' }).waitFor();
    expect(await page.locator('.form-list a').count()).toBeLessThan(16);
  });
});

inBrowser('The inbox', () => {
  const topOf = async (page: Page, selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

  it.each([
    { width: 1280, height: 800, top: 170 },
    { width: 390, height: 780, top: 190 },
  ])(
    'begins its first row within $top pixels of the top at $width, and a selection moves nothing',
    async ({ width, height, top }) => {
      await owner.makeForm({ name: 'Another' });
      for (let n = 0; n < 3; n++) await service().submit(form, { name: `Jane ${n}` });
      const page = await open('/inbox', { viewport: { width, height } });
      expect(await page.locator('.trouble').count()).toBe(1);
      const before = await topOf(page, '#list tbody tr');
      expect(before).toBeLessThanOrEqual(top);
      await page.locator('.select').first().check();
      await page.locator('.bulk-actions button[name="done"]').waitFor();
      expect(await page.locator('.bulk-count').innerText()).toBe('1 selected');
      expect(await topOf(page, '#list tbody tr')).toBe(before);
    },
  );

  it('shows a message beside the list without scrolling, and each scrolls by itself', async () => {
    const message = 'I would like to order twelve chairs and one table.';
    for (let n = 0; n < 30; n++) await service().submit(form, { name: `Jane ${n}`, message: `${message} ${n}` });
    await service().app.get(PreviewLearner).learnAll({ now: new Date() });
    await service().submit(form, { name: 'Jane Doe', email: 'jane@example.com', message });
    const page = await open('/inbox', WIDE);
    await page.locator('a.row').first().click();
    const box = await page.locator('#submission .letter dd').boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(WIDE.viewport.height / 2);
    expect(await page.evaluate(`${ROOT}.scrollHeight - ${ROOT}.clientHeight`)).toBe(0);
  });
});

inBrowser('A page says what it is about', () => {
  it('by the letters of the name of a file, whatever marks of direction are among them', async () => {
    const id = await service().submitFile(form, 'a file', { name: '\u202Efdp.exe' });
    const page = await open(`/inbox/${form.identifier}/${id}`, WIDE);
    expect((await page.locator('.values a[download]').innerText()).trim()).toBe('fdp.exe');
  });

  it('by the name of the form that an export is of, and leads back to its list', async () => {
    const page = await open(await exportPath(), WIDE);
    expect(await page.locator('.facts').innerText()).toContain(LONG_NAME);
    expect(await page.locator('.up').getAttribute('href')).toBe(`/inbox?q=form%3A${form.identifier}`);
  });
});

inBrowser('A page that renews a part of itself', () => {
  it('leaves the focus where it is', async () => {
    const path = await exportPath();
    const page = await open(path, WIDE);
    await page.getByRole('button', { name: 'Stop' }).focus();
    for (let times = 0; times < 2; times++) {
      await page.waitForResponse((response) => response.url().endsWith(path));
    }
    // The first answer is in the page by now.
    expect(await page.locator(':focus').innerText()).toBe('Stop');
  });
});
