import type { Page, Route } from 'playwright-core';
import { chromium, inBrowser, useSite } from '../support/browser.js';
import { breachesOf, complaintsOf, useBrowser } from '../support/browser-pages.js';
import { freePort } from '../support/program.js';
import { useService } from '../support/service.js';
import { Inbox } from '../support/submit.js';
import { until } from '../support/until.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';

const port = await freePort();
const BASE_URL = `http://localhost:${port}`;
const browser = useBrowser();
const site = useSite();
const service = useService({ PORT: port, BASE_URL, HOST: 'localhost', WORKERS: 'off' });
/** All that the page of somebody else allows: nothing but what the documentation says. */
const STRICT = `default-src 'none'; script-src ${BASE_URL} 'nonce-n'; connect-src ${BASE_URL}; form-action ${BASE_URL}; require-trusted-types-for 'script'`;
const SCRIPT = `<script src="${BASE_URL}/f.js" crossorigin="anonymous" async></script>`;

let inbox: Inbox;
let action: string;
let page: Page;
let complaints: string[];
beforeEach(async () => {
  inbox = await Inbox.open(service());
  action = `${BASE_URL}/f/${inbox.form.identifier}`;
  if (chromium) await see();
});
const api = () => `/api/v1/forms/${inbox.form.identifier}` as const;

async function see(javaScriptEnabled = true): Promise<void> {
  page = await (await browser().newContext({ javaScriptEnabled })).newPage();
  complaints = complaintsOf(page, /error|warning/);
}

/** Fields have names of properties of forms too. */
const FIELDS = `<label>Email <input name="email" value="zoe@example.com"></label>
  <label>Message <input name="message" value="Hello"></label><input type="hidden" name="action" value="x">`;
const BUTTON = '<button>Send</button>';

/** Opens a page with a form under the strict policy, once its script is there. */
async function open({
  inside = FIELDS + BUTTON,
  more = '',
  attribute = 'data-fcs',
  path = '/form',
  language = 'en',
} = {}): Promise<void> {
  const form = `<main lang="${language}"><h1>Shop</h1><form ${attribute} method="post" action="${action}">${inside}</form></main>`;
  const html = `<html lang="en"><title>Shop</title>${form}${SCRIPT}${more}`;
  await page.goto(site().put(`${path}?utm_source=mail`, html, STRICT), { waitUntil: 'load' });
}

const inline = (code: string) => `<script nonce="n">${code}</script>`;
const click = () => page.getByRole('button', { name: 'Send' }).click();
/** Clicks, and waits for the answer; what was said before may still be there. */
async function clickAgain(name = 'Send', url = action): Promise<void> {
  const answered = page.waitForResponse(url);
  await page.getByRole('button', { name }).click();
  await answered;
}
const isThanked = () => page.getByRole('status').getByText('Thank you').waitFor();
const alert = () => page.getByRole('alert');
const values = async () => (await inbox.all()).map((each) => each.values);
/** Returns the score of each submission, newest first. */
async function scores(): Promise<number[]> {
  const verdicts = (await inbox.all()).map(({ id }) => inbox.owner.read(`${api()}/submissions/${id}/verdict`));
  return (await Promise.all(verdicts)).map(({ score }) => score);
}
const focused = () => page.locator(':focus');

/** Has what becomes of submissions be decided for one after the other; later ones get through. */
async function fates(...each: ((route: Route) => Promise<void>)[]): Promise<() => number> {
  let asked = 0;
  await page.route(action, (route) => (each[asked++] ?? pass)(route));
  return () => asked;
}
const pass = (route: Route) => route.continue();
const cut = (route: Route) => route.abort('connectionfailed');
const loseAnswer = async (route: Route) => {
  await route.fetch();
  await route.abort('connectionreset');
};
const answer = (status: number, headers: Record<string, string>) => (route: Route) =>
  route.fulfill({
    status,
    json: { message: `It is ${status}.`, errors: [] },
    headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After', ...headers },
  });

/** Has waits be over as soon as something waits. */
async function hurry(): Promise<void> {
  await page.clock.install();
}
async function untilAsked(asked: () => number, times: number): Promise<void> {
  for (let seconds = 0; asked() < times && seconds < 100; seconds++) await page.clock.runFor(1_000);
  expect(asked()).toBe(times);
}

inBrowser('A form with the script, on a page of another origin with a strict policy', () => {
  it('is sent in place: what is said is announced and has the focus, and the form is empty again', async () => {
    await open();
    await page.getByLabel('Message').fill('Hi');
    expect(await page.getByRole('status').textContent()).toBe('');
    await click();
    await isThanked();

    expect(await focused().getAttribute('role')).toBe('status');
    expect(await page.getByLabel('Message').inputValue()).toBe('Hello');
    expect(await values()).toEqual([{ email: 'zoe@example.com', message: 'Hi', action: 'x' }]);
    const [{ id } = { id: '' }] = await inbox.all();
    const source = await inbox.owner.read(`${api()}/submissions/${id}/source`);
    expect(source.referer).toBe(`${site().origin}/form?utm_source=mail`);
    expect(await breachesOf(page)).toEqual([]);

    await clickAgain();
    await isThanked();
    expect(await inbox.count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('is answered in the language of its part of the page, and says which that is', async () => {
    await open({ language: 'de' });
    await click();
    await page.getByRole('status').getByText('Vielen Dank').waitFor();
    expect(await focused().getAttribute('lang')).toBe('de');
  });

  it('says what is wrong beside each field until it is sent again', async () => {
    const fields = [
      { name: 'email', kind: 'email' },
      { name: 'message', max_length: 3 },
      { name: 'phone', required: true },
    ];
    await inbox.owner.setFields(inbox.form, fields);
    const own = '<p id="hint">Ours</p><p data-fcs-error-for="message"></p>';
    await open({ inside: `${FIELDS}${own}${BUTTON}`.replace('name="email"', 'name="email" aria-describedby="hint"') });
    const email = page.getByLabel('Email');
    await email.fill('zoe@');
    await click();
    await alert().getByText('check these fields').waitFor();

    expect(await focused().getAttribute('name')).toBe('email');
    const noted = await email.evaluate((input) => ({
      invalid: input.ariaInvalid,
      said: document.getElementById(input.getAttribute('aria-errormessage') ?? '')?.textContent,
      described: input
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    }));
    expect(noted).toMatchObject({
      invalid: 'true',
      said: expect.stringContaining('name@example.com'),
      described: ['Ours', noted.said],
    });
    expect(await page.locator('[data-fcs-error-for="message"]').textContent()).toContain('3');
    expect(await alert().textContent()).toContain('Fill in this field.');
    expect(await breachesOf(page)).toEqual([]);

    await inbox.owner.setFields(inbox.form, []);
    await click();
    await isThanked();
    expect(await alert().textContent()).toBe('');
    expect(await email.evaluate((input) => [input.ariaInvalid, input.getAttribute('aria-describedby')])).toEqual([
      'false',
      'hint',
    ]);
    expect(await page.locator('[data-fcs-error-for="message"]').textContent()).toBe('');
  });

  it('leads on to the page of its owner, from which one can come back and send once more', async () => {
    const redirect = site().put('/thanks', '<h1>Merci</h1>');
    await inbox.owner.patch(api(), { form: { redirect_url: redirect } }).expect(200);
    await open();
    await click();
    await page.getByRole('heading', { name: 'Merci' }).waitFor();
    await page.goBack();
    await page.getByLabel('Message').fill('Again');
    await click();
    await page.getByRole('heading', { name: 'Merci' }).waitFor();
    expect((await values()).map(({ message }) => message)).toEqual(['Again', 'Hello']);
  });

  it('is stored once for a double click, with the button that was pressed, where that says', async () => {
    const other = await inbox.owner.makeForm();
    const there = `formaction="${BASE_URL}/f/${other.identifier}"`;
    const buttons = `<button name="choice" value="a">Send</button><button name="choice" value="b" ${there}>Elsewhere</button>`;
    await open({ inside: FIELDS + buttons });
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await isThanked();
    await clickAgain('Elsewhere', `${BASE_URL}/f/${other.identifier}`);
    expect(await values()).toMatchObject([{ choice: 'a' }]);
    const { submissions } = await inbox.owner.list(other);
    expect(submissions).toMatchObject([{ values: { choice: 'b' } }]);
  });

  it.each([
    ['before the service has it', cut],
    ['after the service has it', loseAnswer],
    ['and the service is busy', answer(503, {})],
  ])('is sent again, and stored once, when the network breaks %s', async (_, fate) => {
    await hurry();
    const asked = await fates(fate, fate);
    await open();
    await click();
    await untilAsked(asked, 3);
    await isThanked();
    expect(await inbox.count()).toBe(1);
  });

  it('says in the words of the page that it was not sent, and keeps what a later click sends once', async () => {
    await hurry();
    const asked = await fates(...Array.from({ length: 5 }, () => loseAnswer));
    await open({ more: inline(`document.querySelector('form').dataset.fcsFailed = 'Schade.'`) });
    await click();
    await untilAsked(asked, 5);
    await alert().getByText('Schade.').waitFor();
    await click();
    await isThanked();
    expect(await inbox.count()).toBe(1);
    await page.unroute(action);

    const again = await fates(...Array.from({ length: 5 }, () => loseAnswer));
    await page.getByLabel('Message').fill('Hi');
    await click();
    await untilAsked(again, 5);
    await alert().getByText('Schade.').waitFor();
    await page.getByLabel('Message').fill('Changed');
    await clickAgain();
    expect((await values()).map(({ message }) => message)).toEqual(['Changed', 'Hi', 'Hello']);
  });

  it('waits as long as it is told to, and no longer than a minute', async () => {
    await hurry();
    const asked = await fates(answer(429, { 'Retry-After': '7' }), answer(429, { 'Retry-After': '61' }));
    await open();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await clickAgain();
    await page.clock.runFor(6_900);
    expect(asked()).toBe(1);
    await page.clock.runFor(200);
    await alert().getByText('It is 429.').waitFor();
    expect(asked()).toBe(2);
    expect(await inbox.count()).toBe(0);
  });

  it('waits for the network in the words of the service, and is sent then', async () => {
    await open({ language: 'de' });
    const token = page.waitForResponse(`${action}/token?_language=de`);
    await page.getByLabel('Message').focus();
    await token;
    await page.context().setOffline(true);
    await click();
    await page.getByRole('status').getByText('Sie sind offline.').waitFor();
    expect(await page.getByRole('status').getAttribute('lang')).toBe('de');
    await page.context().setOffline(false);
    await page.getByRole('status').getByText('Vielen Dank').waitFor();
    expect(await inbox.count()).toBe(1);
  });

  it('shows how much of a file was sent', async () => {
    const file = '<input type="file" name="cv"><progress value="0"></progress>';
    await open({ inside: FIELDS + file + BUTTON });
    await page
      .locator('[type=file]')
      .setInputFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.alloc(300_000, 'a') });
    await click();
    await isThanked();
    const [done, all] = await page.locator('progress').evaluate((bar: HTMLProgressElement) => [bar.value, bar.max]);
    expect(done).toBeGreaterThan(300_000);
    expect(done).toBe(all);
    expect(await inbox.all()).toMatchObject([{ files: [{ name: 'cv.txt' }] }]);
  });

  it('of each of two tabs is stored', async () => {
    await open();
    const first = page;
    await page.getByLabel('Message').fill('Hi');
    page = await page.context().newPage();
    await open();
    for (const tab of [first, page]) await tab.getByRole('button').click();
    for (const tab of [first, page]) await tab.getByRole('status').getByText('Thank you').waitFor();
    expect(await inbox.count()).toBe(2);
  });

  it.each([
    ['when its script is blocked', async () => void (await page.route('**/f.js', (route) => route.abort()))],
    ['in a browser without script', () => see(false)],
  ])('is sent as any form %s', async (_, prepare) => {
    await prepare();
    await open();
    await click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await inbox.count()).toBe(1);
  });

  it('that is added later tells the page what becomes of it, which can do all else by itself', async () => {
    const redirect = site().put('/never', '<h1>Never</h1>');
    await inbox.owner.patch(api(), { form: { redirect_url: redirect } }).expect(200);
    await open({
      inside: 'Old',
      more: inline(`
        const old = document.querySelector('form');
        const fresh = old.cloneNode();
        fresh.append(Object.assign(document.createElement('input'), { name: 'a', value: 'b' }));
        fresh.append(Object.assign(document.createElement('button'), { textContent: 'Send' }));
        old.replaceWith(fresh);
        let clicks = 0;
        fresh.addEventListener('submit', (event) => { if (++clicks === 1) event.preventDefault(); });
        document.addEventListener('fcs:success', (event) => {
          event.preventDefault();
          document.title = event.detail.id;
        });`),
    });
    await click();
    expect(await inbox.count()).toBe(0);
    await clickAgain();
    await page.waitForFunction(() => document.title !== 'Shop');
    expect(await inbox.all()).toMatchObject([{ id: await page.title() }]);
    expect(await page.getByRole('status').textContent()).toBe('');
  });

  it('does the proof of work that its form asks for, also for who sends at once', async () => {
    const off = { enabled: false };
    const spam = { signals: { proof_of_work: { enabled: true }, repetition: off, fill_time: off } };
    await inbox.owner.put(`${api()}/spam`, { spam }).expect(200);
    await open({ more: inline(`addEventListener('load', () => document.querySelector('button').click());`) });
    await isThanked();
    await page.getByLabel('Message').fill('Hi');
    await clickAgain();
    await isThanked();
    expect(await scores()).toEqual([0, 0]);
    expect(complaints).toEqual([]);
  });

  it('tells how long it took, and nothing of who comes back to what the browser has filled in', async () => {
    await hurry();
    await open();
    await click();
    await isThanked();
    await open();
    await page.clock.runFor(5_000);
    await page.getByLabel('Message').fill('Hi');
    await clickAgain();
    await isThanked();
    expect(await scores()).toEqual([0, 5]);
  });

  it.each([
    ['in place', 'data-fcs data-fcs-draft', 'Thank you', 'status'],
    ['as any form', 'data-fcs-draft', 'Thank you', 'heading'],
  ] as const)(
    'keeps a draft of what was typed on this page until it is sent %s',
    async (_, attribute, thanks, role) => {
      const secrets = ['password', 'hidden', 'file', 'checkbox'].map((type) => `<input type="${type}" name="${type}">`);
      const inside = `${FIELDS}<input aria-label="Odd" name="_odd"><input aria-label="Tag" name="tag"><input aria-label="Tags" name="tag">${secrets.join('')}${BUTTON}`;
      const more = `<script src="${BASE_URL}/f-draft.js" crossorigin="anonymous" async></script>`;
      const typed = async () => {
        const labels = ['Email', 'Message', 'Odd', 'Tag', 'Tags'];
        return Promise.all(labels.map((label) => page.getByLabel(label, { exact: true }).inputValue()));
      };
      await open({ inside, more, attribute });
      for (const label of ['Message', 'Odd', 'Tags']) await page.getByLabel(label, { exact: true }).fill(label);
      await page.locator('[type=password]').fill('secret');
      const kept = await page.evaluate(() => JSON.stringify(localStorage));
      expect(kept).not.toMatch(/secret|_odd|hidden|file/);
      await open({ inside, more, attribute, path: '/elsewhere' });
      expect(await typed()).toEqual(['zoe@example.com', 'Hello', '', '', '']);
      await open({ inside, more, attribute });
      expect(await typed()).toEqual(['zoe@example.com', 'Message', '', '', 'Tags']);

      await click();
      await page.getByRole(role).getByText(thanks).waitFor();
      await open({ inside, more, attribute });
      expect(await typed()).toEqual(['zoe@example.com', 'Hello', '', '', '']);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  it('tells once that its page was visited, how the visitor got there, and whether they began to fill it in', async () => {
    const isTold = (views: number) =>
      until(async () => {
        await service().app.get(WaitingCounts).flush();
        return (await inbox.owner.read(`${api()}/statistics/visits`)).total.views === views;
      });
    await open({ more: SCRIPT });
    await page.goto(site().put('/other', '<h1>Other</h1>'));
    await isTold(1);
    await open();
    await page.getByLabel('Message').fill('Hi');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      for (const _ of [1, 2]) document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await isTold(2);
    await page.goto(site().put('/other', '<h1>Other</h1>'));
    const { pages, campaigns } = await inbox.owner.read(`${api()}/statistics/visits`);
    const visits = { views: 2, starts: 1, submissions: 0 };
    expect([pages, campaigns]).toMatchObject([[{ value: '/form', ...visits }], [{ value: 'mail', ...visits }]]);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
