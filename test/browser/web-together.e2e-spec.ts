import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { openPage, useBrowser } from '../support/browser-pages.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const WIDE = { viewport: { width: 1280, height: 800 } };
/** Too narrow for a list and a submission beside one another. */
const NARROW = { viewport: { width: 800, height: 800 } };

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
let id: string;
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  await service().submit(form, { name: 'Somebody else' });
  id = await service().submit(form, { name: 'Ann' });
});

const here = () => `/inbox/${form.identifier}/${id}`;
const presence = (page: Page) => page.locator('#presence');
const looking = (page: Page, name: string) => presence(page).getByText(`${name} is looking at this`).waitFor();
const isAlone = (page: Page) => until(async () => (await presence(page).textContent()) === '');
const resource = async (name: string) => (await owner.get(`${pathOf(form)}/${id}/${name}`).expect(200)).body;

const TAGS = '[name="tags"]:not([type="hidden"])';

async function tag(page: Page, text: string): Promise<void> {
  await page.fill(TAGS, text);
  await page.press(TAGS, 'Enter');
}

inBrowser('Two people on one submission', () => {
  it('see one another while both have it open, beside the list and on its page', async () => {
    const [jane, kim] = [
      await service().makePerson(owner),
      await service().makePerson(owner, { clientId: null, role: 'editor' }),
    ];
    const ofJane = await openPage(browser(), service(), jane, '/inbox', WIDE);
    await ofJane.locator('a.row').first().click();
    await isAlone(ofJane);
    const ofKim = await openPage(browser(), service(), kim, here(), NARROW);
    await looking(ofKim, jane.name);
    await looking(ofJane, kim.name);

    await ofJane.keyboard.press('j');
    await isAlone(ofKim);
    await ofJane.keyboard.press('k');
    await looking(ofKim, jane.name);
    await ofJane.keyboard.press('Escape');
    await isAlone(ofKim);
    await ofJane.locator('a.row').first().click();
    await looking(ofJane, kim.name);
    await ofKim.goto(`${service().url}/forms`);
    await isAlone(ofJane);
  });

  it('see what the other does, and lose nothing when both change it', async () => {
    const [jane, kim] = [await service().makePerson(owner), await service().makePerson(owner)];
    const ofJane = await openPage(browser(), service(), jane, here(), NARROW);
    const ofKim = await openPage(browser(), service(), kim, here(), NARROW);
    await ofJane.fill('[name="note.text"]', 'Half a no');
    await ofKim.getByRole('button', { name: 'Star', exact: true }).click();
    await ofJane.getByRole('button', { name: 'Unstar' }).waitFor();
    await ofKim.fill('[name="note.text"]', 'She knows');
    await ofKim.getByRole('button', { name: 'Add note' }).click();
    await ofJane.locator('.note').getByText('She knows').waitFor();
    expect(await ofJane.inputValue('[name="note.text"]')).toBe('Half a no');
    expect(await ofJane.locator('[name="note.text"]:focus').count()).toBe(1);

    await ofJane.fill(TAGS, 'vip');
    await tag(ofKim, 'urgent');
    await ofJane.locator('#tags .chip').getByText('urgent').waitFor();
    await ofJane.press(TAGS, 'Enter');
    await ofKim.locator('#tags .chip').getByText('vip').waitFor();
    await ofKim.locator('#marks .more > summary').click();
    await Promise.all([
      ofKim.getByRole('button', { name: 'Answered', exact: true }).click(),
      ofJane.getByRole('button', { name: 'Add note' }).click(),
    ]);
    await ofKim.locator('.note').getByText('Half a no').waitFor();
    await ofJane.locator('#marks button[name="answered"][value="false"]').waitFor({ state: 'attached' });

    expect(await resource('tags')).toEqual({ tags: ['urgent', 'vip'] });
    expect(await resource('marks')).toMatchObject({ marks: { starred: true, answered: true } });
    const { notes } = (await resource('notes')) as { notes: { text: string }[] };
    expect(notes.map(({ text }) => text)).toEqual(['She knows', 'Half a no']);
    await ofJane.reload();
    expect(await ofJane.inputValue(TAGS)).toBe('urgent, vip');
    // The undo that is still offered has a field of the same name, which is not the one to type into.
    await ofJane.keyboard.press('t');
    expect(await ofJane.locator(`${TAGS}:focus`).count()).toBe(1);
    await tag(ofJane, 'vip');
    await ofJane.getByRole('button', { name: 'Undo' }).click();
    await ofJane.locator('#tags .chip').getByText('urgent').waitFor();
    expect(await resource('tags')).toEqual({ tags: ['urgent', 'vip'] });
  });
});
