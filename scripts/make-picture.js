/**
 * Makes docs/inbox.png and docs/first-minute.png anew: the inbox with sample data, and the page of a new form, which
 * waits for its first submission. CHROMIUM names the browser (/usr/bin/chromium).
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASE_URL, becomeOwner, call, startBrowser, withService } from './sample-service.js';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

const FORMS = ['Contact', 'Orders'];
const VISITORS = [
  ['Ann Smith', 'ann@example.com', 'Do you bake for weddings? We are eighty people and marry in June.'],
  ['Jürgen Großmann', 'juergen@example.com', 'Haben Sie am Sonntag geöffnet?'],
  ['ليلى حسن', 'layla@example.com', 'هل لديكم خبز بدون غلوتين؟'],
  ['Marie Dubois', 'marie@example.com', 'Bonjour, deux tartes aux pommes pour samedi, s’il vous plaît.'],
  ['Tom Baker', 'tom@example.com', 'Loved the rye bread. Thanks!'],
];

await withService(async ({ token, link }) => {
  for (const [index, name] of FORMS.entries()) {
    const { identifier } = await call(token, '/api/v1/forms', { form: { name } });
    for (const [who, email, message] of VISITORS.slice(index, index + 4)) {
      await call(token, `/f/${identifier}`, { name: who, email, message });
    }
  }
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1100, height: 720 } });
  await becomeOwner(page, link);
  await page.goto(`${BASE_URL}/inbox`);
  await page.screenshot({ path: join(DOCS, 'inbox.png') });

  await page.goto(`${BASE_URL}/new-form`);
  await page.fill('[name="form.name"]', 'Wedding cakes');
  await page.click('main [type=submit]');
  await page.waitForURL(/\/forms\/./);
  await page.screenshot({ path: join(DOCS, 'first-minute.png') });
  await browser.close();
});
