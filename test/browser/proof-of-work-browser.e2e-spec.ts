import { type Page } from 'playwright-core';
import { formHtml } from '../../src/forms/model/form-snippet.js';
import { chromium, inBrowser, useSite } from '../support/browser.js';
import { complaintsOf, useBrowser } from '../support/browser-pages.js';
import { freePort } from '../support/program.js';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';

const port = await freePort();
const BASE_URL = `http://localhost:${port}`;
// A name that is not this machine's own, so that browsers take its pages for what they are: plain http.
const browser = useBrowser(['--host-resolver-rules=MAP shop.test 127.0.0.1']);
const site = useSite();
const service = useService({ PORT: port, BASE_URL, HOST: 'localhost', WORKERS: 'off' });
/** All that the page of somebody else allows: nothing but what the documentation says. */
const STRICT = `default-src 'none'; script-src ${BASE_URL}; connect-src ${BASE_URL}; form-action ${BASE_URL}`;

let inbox: Inbox;
let action: string;
let page: Page;
let complaints: string[];
beforeEach(async () => {
  inbox = await Inbox.open(service());
  const spam = { signals: { proof_of_work: { enabled: true }, repetition: { enabled: false } } };
  await inbox.owner.put(`${api()}/spam`, { spam }).expect(200);
  action = `${BASE_URL}/f/${inbox.form.identifier}`;
  if (chromium) await see(true);
});

const api = () => `/api/v1/forms/${inbox.form.identifier}` as const;

async function see(javaScriptEnabled: boolean): Promise<void> {
  page = await (await browser().newContext({ javaScriptEnabled })).newPage();
  complaints = complaintsOf(page, /error|warning/);
}

/** A form without the script that sends it in place, with a field whose name is also that of a property of forms. */
const plain = () =>
  formHtml({ address: action, name: 'Contact', fields: [] }, '\n<input type="hidden" name="action">').replace(
    ' data-fcs',
    '',
  );
const withLine = () => `${plain()}<script type="module" src="${BASE_URL}/proof-of-work.js"></script>`;

async function fillAndSend(message = 'Hello'): Promise<void> {
  await page.getByLabel('Your email').fill('zoe@example.com');
  await page.getByLabel('Message').fill(message);
  await page.getByRole('button').click();
}

/** Returns the score of each submission, newest first. */
const scores = async () => {
  const verdictOf = ({ id }: { id: string }) => `${api()}/submissions/${id}/verdict` as const;
  const verdicts = (await inbox.all()).map((each) => inbox.owner.read(verdictOf(each)));
  return (await Promise.all(verdicts)).map(({ score }) => score);
};

const UNPROVEN = 3;

inBrowser('A page of another origin with a strict policy', () => {
  it('does the work by one line, and shows nothing of it', async () => {
    await page.goto(site().put('/bare', plain(), STRICT));
    const bare = await page.locator('body').ariaSnapshot();
    await page.goto(site().put('/form', withLine(), STRICT));
    const challenge = page.waitForResponse(`${action}/challenge`);
    await page.getByLabel('Message').focus();
    await challenge;
    await page.waitForFunction(() => document.querySelector('input[name="altcha"]'));
    expect(await page.locator('body').ariaSnapshot()).toBe(bare);

    await fillAndSend();

    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await scores()).toEqual([0]);
    const [{ values } = { values: {} }] = await inbox.all();
    expect(values).toEqual({ email: 'zoe@example.com', message: 'Hello', action: '' });
    expect(complaints).toEqual([]);
  });

  it('lets who sends at once wait for the work, and sends it once however often they click, by that button', async () => {
    const form = `<form method="post" action="${action}"><input name="a" value="1"><button name="choice" value="b">Send</button></form>`;
    const line = `<script type="module" src="${BASE_URL}/proof-of-work.js"></script>`;
    const clicks = `<script nonce="n">
        addEventListener('load', () => { for (const _ of [1, 2, 3]) document.querySelector('button').click(); });
      </script>`;
    const policy = STRICT.replace('script-src', "script-src 'nonce-n'");
    await page.goto(site().put('/at-once', form + line + clicks, policy));

    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await scores()).toEqual([0]);
    expect(await inbox.all()).toMatchObject([{ values: { a: '1', choice: 'b' } }]);
  });

  it('that sends by its own script gets a new solution each time, and one event for each click', async () => {
    const html = `<form data-proof-of-work="${action}">
        <label>Your email <input name="email"></label>
        <label>Message <input name="message"></label><button>Send</button></form><p>0</p>
        <script type="module" src="${BASE_URL}/proof-of-work.js"></script>
        <script nonce="n">
          let sent = 0;
          document.querySelector('form').addEventListener('submit', async (event) => {
            event.preventDefault();
            const body = new FormData(event.target);
            await fetch('${action}', { method: 'POST', headers: { Accept: 'application/json' }, body });
            document.querySelector('p').textContent = ++sent;
          });
        </script>`;
    const policy = STRICT.replace('script-src', "script-src 'nonce-n'");
    await page.goto(site().put('/own', html, policy));
    for (const times of ['1', '2', '3']) {
      await fillAndSend(`Hello ${times}`);
      await page.getByText(times, { exact: true }).waitFor();
    }
    expect(await scores()).toEqual([0, 0, 0]);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['when its policy forbids to ask for it', STRICT.replace(/connect-src \S+ /, ''), true],
    ['in a browser without script', STRICT, false],
  ])('sends without the work %s, which is stored and scored', async (_, policy, hasScript) => {
    await see(hasScript);
    await page.goto(site().put('/without', withLine(), policy));
    await fillAndSend();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await scores()).toEqual([UNPROVEN]);
  });

  it('on plain http sends without the work, which is not expected there', async () => {
    await inbox.owner.put(`${api()}/spam`, { spam: { proof_of_work: { require: true } } }).expect(200);
    const address = site().put('/plain', withLine(), STRICT).replace('127.0.0.1', 'shop.test');
    const form = { whitelisted_domains: new URL(address).origin };
    await inbox.owner.put(api(), { form }).expect(200);
    await page.goto(address);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await fillAndSend();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await scores()).toEqual([0]);
  });
});
