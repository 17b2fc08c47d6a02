import { LANGUAGES } from '../../src/languages/words.js';
import { inBrowser } from '../support/browser.js';
import { breachesOf, useBrowser } from '../support/browser-pages.js';
import { freePort } from '../support/program.js';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';

const port = await freePort();
const service = useService({ WORKERS: 'off', PORT: port, BASE_URL: `http://127.0.0.1:${port}` });

inBrowser('The pages of visitors', () => {
  const browser = useBrowser();

  it.each(LANGUAGES)('shut nobody out and fit a phone in the language %s', async (language) => {
    const inbox = await Inbox.open(service(), { show_submitted_values: true });
    const set = (part: string, body: object) =>
      inbox.owner.put(`/api/v1/forms/${inbox.form.identifier}/${part}`, body).expect(200);
    await set('page', { page: { enabled: true, text: 'Until noon.' } });
    await set('fields', {
      fields: [
        { name: 'email', kind: 'email', required: true },
        { name: 'size', kind: 'choice', choices: ['S', 'M'] },
        { name: 'count', kind: 'number', min: 2 },
        { name: 'cv', kind: 'file', file_types: ['.pdf'], max_file_bytes: 1_000_000 },
        { name: 'terms', kind: 'check', required: true },
      ],
    });
    const context = await browser().newContext({ ...{ locale: language, viewport: { width: 320, height: 640 } } });
    // Each page of its own, in place of messages in the first one.
    await context.route('**/f.*.js', (route) => route.abort());
    const page = await context.newPage();
    const seen = async () => {
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('html').getAttribute('dir')).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
      expect(await breachesOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    };
    await page.goto(inbox.url);
    await seen();
    await page.locator('[name=email]').fill('jane@example.com');
    await page.locator('[name=terms]').check();
    await page.locator('[name=count]').evaluate((input) => {
      input.removeAttribute('min');
    });
    await page.locator('[name=count]').fill('1');
    await page.locator('button').click();
    await page.waitForLoadState();
    await seen();
    await page.locator('[name=count]').fill('2');
    await page.locator('button').click();
    await page.waitForURL(/\/thanks\?/);
    await seen();
    await context.close();
  });
});
