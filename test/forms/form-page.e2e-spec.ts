import { inBrowser } from '../support/browser.js';
import { breachesOf, EVERY_VIEW, useBrowser } from '../support/browser-pages.js';
import { elementsOf, textOf } from '../support/page.js';
import { freePort } from '../support/program.js';
import { useService } from '../support/service.js';
import { Inbox, named, send, urlencoded } from '../support/submit.js';

const port = await freePort();
const service = useService({ WORKERS: 'off', PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service(), { name: 'Orders' });
});
const set = (part: string, body: object) =>
  inbox.owner.put(`/api/v1/forms/${inbox.form.identifier}/${part}`, body).expect(200);
const turnOn = (page: object = {}) => set('page', { page: { enabled: true, ...page } });
const open = (query = '', headers: Record<string, string> = {}) =>
  send(inbox.url + query, { method: 'GET', headers: { Accept: 'text/html', ...headers } });
const inputsOf = (html: string) =>
  elementsOf(html).filter(({ name, attributes }) => attributes.name !== undefined && name !== 'meta');

const FIELDS = [
  { name: 'email', kind: 'email', label: 'Your email', required: true },
  { name: 'day', kind: 'date' },
  { name: 'people', kind: 'number', min: 2, max: 20, help: 'At least two.' },
  { name: 'cake', kind: 'choice', choices: ['Apple', 'Cherry'], required: true },
  { name: 'town', kind: 'choice', choices: Array.from('ABCDEFGH') },
  { name: 'extras', kind: 'choices', choices: ['Cream', 'Candles'] },
  { name: 'picture', kind: 'file', file_types: ['.png'], max_file_bytes: 2_000_000 },
  { name: 'campaign', kind: 'hidden' },
  { name: 'message', kind: 'long_text', max_length: 500 },
  { name: 'terms', kind: 'check', required: true },
];

describe('The page of a form at its own address', () => {
  it('is off until its owner turns it on, and says what the owner says', async () => {
    expect((await open()).text).toContain('Add this to your');
    const off = { page: { enabled: false, title: null, text: null, indexed: false } };
    await inbox.owner.get(`/api/v1/forms/${inbox.form.identifier}/page`).expect(200, off);

    await turnOn();
    expect(textOf((await open()).text, 'h1')).toEqual(['Orders']);
    await turnOn({ title: 'Order a cake', text: 'Until noon.\nEvery day.' });
    const { text, headers } = await open();
    expect(textOf(text, 'h1')).toEqual(['Order a cake']);
    expect(text).toContain('Until noon.\nEvery day.');
    expect(text).toContain('name="robots" content="noindex"');
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
    );

    await turnOn({ indexed: true });
    expect((await open()).text).not.toContain('noindex');
  });

  it('is a tool of agents in browsers, which leave its honeypot empty', async () => {
    await turnOn({ title: 'Order a cake' });
    const elements = elementsOf((await open()).text);

    expect(elements.find(({ name }) => name === 'form')?.attributes).toMatchObject({
      toolname: 'send_order_a_cake',
      tooldescription: 'Send the form Order a cake to the owner of this site',
    });
    expect(elements.find(({ attributes }) => attributes.name === '_gotcha')?.attributes).toMatchObject({
      toolparamdescription: 'Leave this empty',
    });
  });

  it('has a control for each kind of field, with what browsers check by themselves', async () => {
    await turnOn();
    await set('fields', { fields: FIELDS });
    const { text } = await open();
    const shown = inputsOf(text).map(({ name, attributes: { name: field, type } }) => `${field} ${type ?? name}`);
    expect(shown).toEqual([
      ...['_token hidden', '_language hidden', '_page hidden', 'email email', 'day date', 'people number'],
      ...['cake radio', 'cake radio', 'town select', 'extras checkbox', 'extras checkbox', 'picture file'],
      ...['campaign hidden', 'message textarea', 'terms checkbox', '_gotcha text'],
    ]);
    const attributesOf = (wanted: string) =>
      inputsOf(text).find(({ attributes }) => attributes.name === wanted)?.attributes;
    expect(attributesOf('people')).toMatchObject({ min: '2', max: '20', step: 'any' });
    expect(attributesOf('message')).toMatchObject({ maxlength: '500' });
    expect(attributesOf('picture')).toMatchObject({ accept: '.png' });
    for (const field of ['email', 'cake', 'terms']) expect(attributesOf(field)).toHaveProperty('required');
    expect(text).toContain('enctype="multipart/form-data"');
    expect(text).toContain('Types: .png. Up to 2 MB.');
    expect(text).toContain('At least two.');
    expect(textOf(text, 'label').filter((label) => label.endsWith('(optional)'))).toHaveLength(5);
  });

  it('asks for an email and a message where no fields are known', async () => {
    await turnOn();
    expect(textOf((await open()).text, 'label')).toEqual(['Your email', 'Message']);
  });

  it('is filled in by its address, with fields that it has', async () => {
    await turnOn();
    await set('fields', { fields: FIELDS });
    const { text } = await open('?email=a%40b.example&cake=Cherry&campaign=spring&other=x&message=%3Cb%3E');
    const filled = inputsOf(text).filter(({ attributes }) => attributes.checked !== undefined);
    expect(filled.map(({ attributes }) => attributes.value)).toEqual(['Cherry']);
    expect(text).toContain('value="a@b.example"');
    expect(text).toContain('value="spring"');
    expect(text).toContain('&lt;b>');
    expect(text).not.toContain('value="x"');
  });

  it('may be framed by the websites of the form alone, and takes submissions whatever these are', async () => {
    await turnOn();
    expect((await open()).headers.get('Content-Security-Policy')).toContain('frame-ancestors *');
    await inbox.owner
      .patch(`/api/v1/forms/${inbox.form.identifier}`, {
        form: { whitelisted_domains: '*.shop.example,https://a.example' },
      })
      .expect(200);
    const policy = (await open()).headers.get('Content-Security-Policy');
    expect(policy).toContain("frame-ancestors 'self' *.shop.example https://a.example");

    const { origin } = new URL(inbox.url);
    const fromPage = async (page: string) => {
      const sent = named({ message: `Hello from ${page}`, _page: page });
      const id = await inbox.accept({ ...sent, headers: { Origin: origin } });
      const { body } = await inbox.owner.get(`/api/v1/forms/${inbox.form.identifier}/submissions/${id}/verdict`);
      return JSON.stringify(body).includes('not an allowed domain');
    };
    expect(await fromPage(inbox.url)).toBe(false);
    expect(await fromPage(`${origin}/elsewhere`)).toBe(true);
  });

  it('says why a form is closed', async () => {
    await turnOn();
    await set('intake', { intake: { paused: true } });
    expect(textOf((await open()).text, 'h1')).toEqual(['This form is closed']);
  });

  it('stays one page with 250 fields and hostile labels', async () => {
    await turnOn();
    const label = '"><script>alert(1)</script>';
    const fields = Array.from({ length: 250 }, (_, at) => ({ name: `f${at}`, kind: 'text', label: `${label}${at}` }));
    await set('fields', { fields });
    const { text } = await open();
    expect(text).not.toContain('<script>');
    expect(inputsOf(text)).toHaveLength(254);
    const refused = await inbox.submit({
      ...urlencoded(fields.map(({ name }) => [name, 'x'])),
      headers: { Accept: 'text/html' },
    });
    expect(refused.status).toBe(303);
  });
});

inBrowser('A visitor of the page of a form', () => {
  const browser = useBrowser();

  it('fills it in without script, corrects it on the same controls, and is thanked', async () => {
    await turnOn();
    await set('fields', { fields: FIELDS });
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${inbox.url}?campaign=spring`);
    await page.getByLabel('Your email').fill('jane@example.com');
    await page.getByLabel('People (optional)').fill('4');
    await page.getByLabel('Cherry').check();
    await page.getByLabel('Cream').check();
    await page.getByLabel('Terms').check();
    // What browsers do not compare.
    await set('fields', { fields: [...FIELDS, { name: 'people', kind: 'number', max: 3 }].slice(1).toSpliced(1, 1) });
    await page.getByRole('button', { name: 'Send' }).click();

    expect(await page.getByRole('heading').first().textContent()).toBe('Your submission was not sent');
    expect(await page.getByLabel('Cherry').isChecked()).toBe(true);
    expect(await page.getByLabel('Cream').isChecked()).toBe(true);
    expect(await page.getByLabel('Candles').isChecked()).toBe(false);
    await page.getByLabel('People').fill('3');
    await page.getByRole('button', { name: 'Send again' }).click();

    expect(await page.getByRole('heading').first().textContent()).toBe('Thank you');
    const { submissions } = await inbox.owner.list(inbox.form);
    expect(submissions).toMatchObject([
      { values: { email: 'jane@example.com', people: '3', cake: 'Cherry', extras: 'Cream', campaign: 'spring' } },
    ]);
    await context.close();
  });

  it('is told beside each field what is wrong, and goes on to the page that thanks, where scripts run', async () => {
    await turnOn();
    await set('fields', { fields: [{ name: 'code', kind: 'text', min_length: 3, required: true }] });
    const page = await (await browser().newContext()).newPage();
    await page.goto(inbox.url);
    await page.evaluate('document.forms[0].noValidate = true');
    await page.getByLabel('Code').fill('ab');
    await page.getByRole('button', { name: 'Send' }).click();
    const problem = 'Write at least 3 characters; you wrote 2.';
    await page.getByText(problem).waitFor();
    await page.getByLabel('Code').fill('abc');
    await page.getByRole('button', { name: 'Send' }).click();

    await page.waitForURL(/\/thanks\?s=/);
    expect(await page.getByRole('heading').first().textContent()).toBe('Thank you');
    expect((await inbox.owner.list(inbox.form)).submissions).toMatchObject([{ values: { code: 'abc' } }]);
    await page.context().close();
  });

  it('finds a page that shuts nobody out, on any screen', async () => {
    await turnOn({ text: 'Until noon.' });
    await set('fields', { fields: FIELDS });
    for (const { scheme, width } of EVERY_VIEW.filter(({ script }) => script)) {
      const context = await browser().newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto(inbox.url);
      expect(await breachesOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await context.close();
    }
  });
});
