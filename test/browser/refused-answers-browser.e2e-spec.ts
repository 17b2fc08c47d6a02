import type { Page } from 'playwright-core';
import { inBrowser, useSite } from '../support/browser.js';
import { breachesOf, EVERY_VIEW, useBrowser } from '../support/browser-pages.js';
import { elementsOf } from '../support/page.js';
import { freePort } from '../support/program.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { multipart, send, named, urlencoded, type Sent } from '../support/submit.js';

const NAVIGATION = { Accept: 'text/html' };

const browser = useBrowser();
const site = useSite();
const port = await freePort();
const BASE_URL = `http://127.0.0.1:${port}`;
const service = useService({ WORKERS: 'off', PORT: port, BASE_URL });
let form: FormBody;
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm({ redirect_url: site().put('/thanks', '<h1>Merci</h1>') });
  await owner.setFields(form, [
    { name: 'email', label: 'Your <email>', kind: 'email', required: true },
    { name: 'size', kind: 'choice', choices: ['Small', 'Large & wide'], required: true },
    { name: 'message', max_length: 100 },
  ]);
});

const set = (part: string, body: object) => owner.put(`/api/v1/forms/${form.identifier}/${part}`, body).expect(200);
const change = (settings: object) => owner.patch(`/api/v1/forms/${form.identifier}`, { form: settings }).expect(200);
const refused = async (sent: Sent) => {
  const answer = await send(`${service().url}/f/${form.identifier}`, { ...sent, headers: NAVIGATION });
  expect(answer.status).toBe(422);
  return answer;
};
const LONG = 'Two\r\nlines <b>&</b> "quotes" '.repeat(5);
const BAD = urlencoded([
  ['email', 'jane@'],
  ['message', LONG],
  ['_gotcha', ''],
  ['_token', 'secret-token'],
  ['g-recaptcha-response', 'secret-captcha'],
  ['note', '"><script>alert(1)</script>'],
]);

describe('The page with answers that break rules', () => {
  it('names each field with its label, and shows every answer but special fields', async () => {
    const { text, headers } = await refused(BAD);

    expect(headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${site().origin}; base-uri 'none'`);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(text).toContain('Your &lt;email>');
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/secret|_gotcha|_token/);
    const fields = elementsOf(text).filter(({ attributes }) => attributes.name);
    const named = fields.filter(({ name }) => name !== 'meta');
    expect(named.map(({ attributes }) => attributes.name)).toEqual([...['email', 'message', 'note', 'size', 'size']]);
    expect(named.map(({ attributes }) => attributes['aria-invalid'] ?? null)).toEqual([
      ...['true', 'true', null, null, null],
    ]);
    expect(text).toContain('Send again');
  });

  it('leaves room for a longer text, however short it was', async () => {
    const { text } = await refused(named({ email: 'jane@', message: 'short', note: 'short' }));
    const drawn = elementsOf(text).filter(({ name }) => name === 'textarea');
    expect(drawn.map(({ attributes }) => attributes.name)).toEqual(['message']);
  });

  it.each([
    ['asks for proof of work', () => set('spam', { spam: { signals: POW } })],
    ['shows a captcha', () => set('spam', { spam: { captcha: CAPTCHA } })],
    ['accepts other domains alone', () => change({ whitelisted_domains: 'shop.example.com' })],
  ])('offers to go back in place of sending if the form %s', async (_, prepare) => {
    await prepare();
    const { text } = await refused(BAD);
    expect(text).toContain('Go back');
    expect(text).not.toContain('Send again');
    expect(text).toContain('jane@');
  });

  it('does so if files came, a box was not ticked, or there are too many answers', async () => {
    const file = { field: 'cv', name: 'cv.pdf', bytes: 'x' };
    const { text } = await refused(multipart([['email', 'x']], [file]));
    expect(text).toContain('Your files were not kept.');
    expect(text).not.toContain('Send again');
    const many = Array.from({ length: 200 }, (_, at) => [`f${at}`, 'typed'.repeat(80)] as const);
    expect((await refused(urlencoded(many))).text).not.toMatch(/Send again|typed/);
    await owner.setFields(form, [{ name: 'agree', required: true }]);
    expect((await refused(BAD)).text).not.toContain('Send again');
  });

  it('is a list for htmx', async () => {
    const { text } = await send(`${service().url}/f/${form.identifier}`, { ...BAD, headers: { 'HX-Request': 'true' } });
    expect(text).toContain('<li>Your &lt;email>: Enter an address such as name@example.com.</li>');
  });
});

inBrowser('A visitor whose answers break rules', () => {
  const open = async (options: object): Promise<Page> => {
    const context = await browser().newContext({ ...options, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const html = `<form method="post" action="${BASE_URL}/f/${form.identifier}">
      <input name="email" value="jane@"><textarea name="message">${'long '.repeat(30)}</textarea>
      <input type="hidden" name="_gotcha"><button>Send</button></form>`;
    await page.goto(site().put('/form', html));
    await page.getByRole('button').click();
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    return page;
  };

  it('corrects them there, without script, and goes on to the site of the form', async () => {
    const page = await open({ javaScriptEnabled: false });
    const email = page.getByLabel('Your <email>');
    expect(await email.inputValue()).toBe('jane@');
    expect(await page.locator(':focus').getAttribute('name')).toBe('email');
    const id = (await email.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${id}`).textContent()).toBe('Enter an address such as name@example.com.');
    await email.fill('jane@example.com');
    await page.getByLabel('Message').fill('Short\nand\ngood');
    await page.getByRole('group', { name: 'Size' }).getByLabel('Large & wide').check();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL(`${site().origin}/thanks`);

    const corrected = { email: 'jane@example.com', size: 'Large & wide' };
    expect((await owner.list(form)).submissions).toMatchObject([
      { values: { ...corrected, message: 'Short\r\nand\r\ngood' } },
    ]);
  });

  it('finds a page that shuts nobody out, on any screen, in the colors of the form', async () => {
    for (const colors of [{}, { bg_color: '#203040', text_color: '#ffffff' }]) {
      await change(colors);
      for (const { scheme, width } of EVERY_VIEW.filter(({ script }) => script)) {
        const page = await open({ colorScheme: scheme, viewport: { width, height: 800 } });
        expect(await breachesOf(page)).toEqual([]);
        const overflow = 'document.documentElement.scrollWidth > innerWidth';
        expect(await page.evaluate(overflow)).toBe(false);
        await page.context().close();
      }
    }
  });
});

const POW = { proof_of_work: { enabled: true } };
const CAPTCHA = { provider: 'turnstile', site_key: 'site', secret: 'secret' };
