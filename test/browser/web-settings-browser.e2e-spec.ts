import { inBrowser } from '../support/browser.js';
import { breachesOf, openPage, useBrowser } from '../support/browser-pages.js';
import { useForm, useOwner, useService } from '../support/service.js';

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });

inBrowser('What is typed into the settings of a form', () => {
  async function open() {
    const fields = ['email', 'topic', 'message'].map((name) => ({ name }));
    await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);
    const person = await service().makePerson(owner);
    return openPage(browser(), service(), person, `/forms/${form.identifier}/settings`);
  }

  it('is counted in a bar that saves or discards it, and asked about before it is lost', async () => {
    const page = await open();
    const bar = page.locator('.save-bar');
    expect(await bar.locator('output').textContent()).toBe('');

    await page.fill('[name="settings.name"]', 'Orders');
    await page.check('[name="settings.paused"]');
    expect(await bar.locator('output').textContent()).toBe('2 unsaved changes');
    expect(await breachesOf(page)).toEqual([]);

    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.click('.rail a').catch(() => undefined);
    expect(asked).toEqual(['beforeunload']);
    expect(await page.inputValue('[name="settings.name"]')).toBe('Orders');

    await bar.locator('[type=reset]').click();
    expect(await page.inputValue('[name="settings.name"]')).toBe('Contact');
  });

  it('has the fields in the order into which the keyboard brings them', async () => {
    const page = await open();

    await page.focus('[data-sorts] li:last-child .grip');
    await page.keyboard.press('ArrowUp');
    await page.click('.save-bar button:not([type=reset])');
    await page.waitForLoadState();

    const { body } = await owner.get(`/api/v1/forms/${form.identifier}/fields`).expect(200);
    expect(body.fields.map(({ name }) => name)).toEqual(['email', 'message', 'topic']);
  });
});
