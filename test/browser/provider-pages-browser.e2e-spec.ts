import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { inBrowser, useSite } from '../support/browser.js';
import { useBrowser } from '../support/browser-pages.js';
import { freePort } from '../support/program.js';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';

const AJAX = 'node_modules/@formspree/ajax/dist/global.js';
const KEY = '4f8f3c1e-9f0a-4d8e-8b53-0c6f5f1f2a10';

const port = await freePort();
const BASE_URL = `http://localhost:${port}`;
const browser = useBrowser();
const site = useSite();
const service = useService({ PORT: port, BASE_URL, HOST: 'localhost', WORKERS: 'off' });

let inbox: Inbox;
let page: Page;
beforeAll(async () => {
  inbox = await Inbox.open(service());
  const path = `/api/v1/forms/${inbox.form.identifier}/aliases` as const;
  for (const [provider, value] of [
    ['formspree', 'xpzvnqkd'],
    ['web3forms', KEY],
    ['formsubmit', 'owner@example.com'],
  ]) {
    await inbox.owner.post(path, { alias: { provider, value } }).expect(201);
  }
});

async function open(html: string): Promise<void> {
  page = await (await browser().newContext()).newPage();
  site().put('/thanks', '<title>Thanks</title><h1>Thanks of the site</h1>');
  await page.goto(site().put('/contact', html));
}

const newest = async () => (await inbox.all())[0]?.values;
const FIELDS = `<label>Email <input type="email" name="email"></label>
<label>Message <textarea name="message"></textarea></label><button type="submit">Send</button>`;
const VALUES = { email: 'jane@example.com', message: 'Grüße' };

async function fillAndSend(): Promise<void> {
  await page.getByLabel('Email').fill(VALUES.email);
  await page.getByLabel('Message').fill(VALUES.message);
  await page.getByRole('button', { name: 'Send' }).click();
}

inBrowser('A plain page of another provider, with the host replaced', () => {
  it.each([
    ['Formspree', '/f/xpzvnqkd', '<input type="hidden" name="_next" value="/thanks">'],
    [
      'Web3Forms',
      '/submit',
      `<input type="hidden" name="access_key" value="${KEY}"><input type="checkbox" name="botcheck" style="display:none">`,
    ],
    [
      'FormSubmit',
      '/owner@example.com',
      '<input type="hidden" name="_captcha" value="false"><input type="hidden" name="_next" value="/thanks">',
    ],
  ])('of %s stores, and leads on to the page that it names or to ours', async (_, path, hidden) => {
    await open(`<form action="${BASE_URL}${path}" method="POST">${hidden}${FIELDS}</form>`);
    await fillAndSend();
    const heading = hidden.includes('/thanks') ? 'Thanks of the site' : 'Thank you';
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await newest()).toEqual(VALUES);
  });

  it('with the script of Formspree stores, and shows what was wrong', async () => {
    const script = readFileSync(AJAX, 'utf8');
    await open(`<form id="form">${FIELDS}<p data-fs-success></p><p data-fs-error></p></form>
        <script>${script}</script>
        <script>formspree('initForm', { formElement: '#form', formId: 'xpzvnqkd', origin: '${BASE_URL}' });</script>`);
    const answered = page.waitForResponse(`${BASE_URL}/f/xpzvnqkd`);
    await fillAndSend();
    expect((await answered).status()).toBe(200);
    await page.locator('[data-fs-success]').filter({ hasText: /./ }).waitFor();
    expect(await newest()).toEqual(VALUES);
  });

  it('that leads nowhere tells the visitor, and its owner what to do', async () => {
    await open(`<form action="${BASE_URL}/f/nobody" method="POST">${FIELDS}</form>`);
    await fillAndSend();
    await page.getByText('Is this your site?').waitFor();
    expect(await page.getByRole('main').ariaSnapshot()).toContain('add the id of the old form');
  });
});
