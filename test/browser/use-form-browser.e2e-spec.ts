import type { Page, Route } from 'playwright-core';
import { inBrowser, useSite } from '../support/browser.js';
import { useBrowser } from '../support/browser-pages.js';
import { bundleForBrowsers, codeIn } from '../support/readme.js';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';

const browser = useBrowser();
const site = useSite();
const service = useService({ WORKERS: 'off' });

/** Address in the code that is shown. */
const SHOWN = /https:\/\/forms\.example\.com\/f\/\w+/g;
let script: string;
beforeAll(async () => {
  const [code = ''] = codeIn('packages/client/README.md', 'jsx');
  script = await bundleForBrowsers(
    `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
    ${code
      .replace(/(?<=useForm\()[^)]+/, '$&, { onSent: ({ redirect }) => (document.title = redirect) }')
      .replace("=== 'sent'", "=== 'sent' && location.hash !== '#stays'")}
    createRoot(document.getElementById('root')).render(createElement(Contact));`,
  );
});

let inbox: Inbox;
let page: Page;
/** Bodies of what the page sent to the form. */
let sent: string[];
beforeEach(async () => {
  inbox = await Inbox.open(service(), { submission_text: 'Merci!', redirect_url: 'https://example.com/thanks' });
  page = await (await browser().newContext()).newPage();
  sent = [];
  page.on('request', (request) => {
    if (request.url() === inbox.url) sent.push(request.postDataBuffer()?.toString() ?? '');
  });
  await page.goto(site().put('/contact', '<html lang="fr"><title>Contact</title><div id="root"></div>'));
  await page.addScriptTag({ content: script.replace(SHOWN, inbox.url), type: 'module' });
  await page.getByLabel('Email').fill('jane@example.com');
  await page.getByLabel('Message').fill('Grüße');
});

const send = () => page.getByRole('button').click();
const keys = () => sent.map((body) => /name="_idempotency_key"\r\n\r\n(\w+)/.exec(body)?.[1]);

inBrowser('A form of React', () => {
  it('is stored with its button and its page, and says what the service answers', async () => {
    await send();
    await page.getByRole('status').filter({ hasText: 'Merci!' }).waitFor();
    expect(await page.title()).toBe('https://example.com/thanks');
    const [stored] = await inbox.all();
    expect(stored?.values).toEqual({ email: 'jane@example.com', message: 'Grüße', via: 'page' });
    expect(sent[0]).toContain(`name="_page"\r\n\r\n${site().origin}/contact\r\n`);
    expect(sent[0]).toContain('name="_language"\r\n\r\nfr\r\n');
  });

  it('shows what is wrong beside its field, and is sent again under another key once that is mended', async () => {
    await inbox.owner.setFields(inbox.form, [{ name: 'email', pattern: '.*@example\\.org' }]);
    await send();
    await page.getByRole('alert').filter({ hasText: 'Veuillez vérifier ces champs.' }).waitFor();
    expect(await page.locator('#email-error').textContent()).not.toBe('');
    await page.getByLabel('Email').fill('jane@example.org');
    await send();
    await page.getByRole('status').waitFor();
    expect(await inbox.all()).toHaveLength(1);
    expect(new Set(keys()).size).toBe(2);
  });

  it('is sent once, however often it is submitted at a time', async () => {
    await page.evaluate('document.forms[0].requestSubmit(); document.forms[0].requestSubmit()');
    await page.getByRole('status').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('is another submission once the last is stored', async () => {
    await page.evaluate("location.hash = 'stays'");
    for (const times of [1, 2]) {
      const answered = page.waitForResponse(inbox.url);
      await send();
      await (await answered).finished();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      expect(new Set(keys()).size).toBe(times);
    }
  });

  it('is stored once when the answer is lost, under the key of the first try', async () => {
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.evaluate(() => {
      const { setTimeout: later } = globalThis;
      Object.assign(globalThis, { setTimeout: (run: () => void) => later(run) });
    });
    await page.route(inbox.url, lose, { times: 5 });
    await send();
    await page.getByRole('alert').filter({ hasText: 'We could not send this.' }).waitFor();
    await send();
    await page.getByRole('status').waitFor();
    expect(await inbox.all()).toHaveLength(1);
    expect(keys()).toHaveLength(6);
    expect(new Set(keys()).size).toBe(1);
  });
});
