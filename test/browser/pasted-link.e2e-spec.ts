import { itInBrowser } from '../support/browser.js';
import { useBrowser } from '../support/browser-pages.js';
import { useService } from '../support/service.js';

const browser = useBrowser();
const service = useService({ WORKERS: 'off' });

itInBrowser('A link that is pasted where its page is open already is taken, though only its end differs', async () => {
  const page = await browser().newPage();
  await page.goto(`${service().url}/setup`);
  const code = page.locator('[data-fragment] input');
  expect(await code.inputValue()).toBe('');

  await page.evaluate("location.href = '/setup#fcs_pasted'");

  await page.waitForFunction("location.hash === ''");
  expect(await code.inputValue()).toBe('fcs_pasted');
  expect(await code.isHidden()).toBe(true);
});
