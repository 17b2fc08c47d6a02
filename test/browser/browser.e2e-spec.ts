import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import ts from 'typescript';
import { snippetsFor } from '../../src/visitor-pages/snippets.js';
import { inBrowser, useSite } from '../support/browser.js';
import { complaintsOf, useBrowser, visit } from '../support/browser-pages.js';
import { freePort } from '../support/program.js';
import { useService, useOwner } from '../support/service.js';
import { until } from '../support/until.js';

const site = useSite();
const port = await freePort();
const browser = useBrowser();

/** Visits a page of the site until that, or where it leads, shows some HTML. */
const shows = (path: string, html: string, shown: string, policy?: string) =>
  visit(browser(), site().put(path, html, policy), shown);
const service = useService({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
const owner = useOwner(service);

const FIELDS = `<input name="name" value="Zoë"><textarea name="message">Two
lines 🙂</textarea>`;
const FILE = `<input type="file" name="cv"><script>
  const picked = new DataTransfer();
  picked.items.add(new File(['a file'], 'cv ü.txt', { type: 'text/plain' }));
  document.querySelector('[type=file]').files = picked.files;
</script>`;
const SUBMIT = '<script>document.querySelector("form").submit()</script>';
const CLICK_TWICE = `<button>Send</button><script>
  for (const _ of [1, 2]) document.querySelector('button').click();
</script>`;

/** A script that sends by `fetch` and shows the answer. */
function fetching(url: string, init: string): string {
  return `<pre></pre><script>
    const show = (text) => (document.querySelector('pre').textContent = text);
    fetch('${url}', ${init}).then(async (answer) => show(answer.status + await answer.text()), show);
  </script>`;
}

async function formAt(settings: object = {}) {
  const { identifier } = await owner.makeForm(settings);
  return { identifier, action: `${service().config.baseUrl}/f/${identifier}` };
}

const submissionsOf = async (identifier: string, query = '') =>
  (await owner.read(`/api/v1/forms/${identifier}/submissions${query}`)).submissions;

async function pageOfNewest(identifier: string) {
  const [newest] = await submissionsOf(identifier);
  const path = `/api/v1/forms/${identifier}/submissions/${newest?.id ?? ''}/source` as const;
  return (await owner.read(path)).referer;
}

inBrowser('A visitor of a page on another site', () => {
  it('sends a form and lands on the thank-you page', async () => {
    const { identifier, action } = await formAt({ show_submitted_values: true, bg_color: '#123' });
    const page = `<form method="post" action="${action}">${FIELDS}</form>${SUBMIT}`;

    const { dom, complaints } = await shows('/form', page, '<h1>Thank you</h1>');

    expect(dom).toContain('>Zoë</bdi></dd>');
    expect(dom).toContain(`href="${site().origin}/"`);
    expect(complaints).toEqual([]);
    const [submission] = await submissionsOf(identifier);
    expect(submission?.values).toEqual({ name: 'Zoë', message: 'Two\r\nlines 🙂' });
  });

  it('sends a file', async () => {
    const { identifier, action } = await formAt();
    const page = `<form method="post" action="${action}" enctype="multipart/form-data">${FIELDS}${FILE}</form>${SUBMIT}`;

    await shows('/file', page, '<h1>Thank you</h1>');

    const [submission] = await submissionsOf(identifier);
    expect(submission?.files).toMatchObject([{ name: 'cv ü.txt' }]);
  });

  it('is sent on to the page of the owner, and has sent nothing twice after a double click', async () => {
    const landing = site().put('/landed', '<h1>Landed</h1>');
    const { identifier, action } = await formAt({ redirect_url: landing });
    const key = '<input type="hidden" name="_idempotency_key" value="one visit">';
    const page = `<form method="post" action="${action}">${FIELDS}${key}${CLICK_TWICE}</form>`;

    await shows('/twice', page, '<h1>Landed</h1>');

    expect(await submissionsOf(identifier)).toHaveLength(1);
  });

  it.each([
    ['JSON', `headers: { 'Content-Type': 'application/json', 'X-Any': 'thing' }, body: TEXT`],
    ['text', `body: TEXT`],
    ['FormData', `body: new FormData(document.querySelector('form'))`],
    ['credentials', `credentials: 'include', body: 'name=Zo%C3%AB', headers: FORM`],
    ['credentials and JSON', `credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: TEXT`],
    ['a wish for HTML', `body: 'name=Zo%C3%AB', headers: { ...FORM, Accept: 'text/html, */*' }`],
  ])('has a script that sends %s and reads the answer', async (name, init) => {
    const { identifier, action } = await formAt();
    const page = `<form><input name="name" value="Zoë"></form><script>
      const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const TEXT = '{"name":"Zoë"}';
    </script>${fetching(action, `{ method: 'POST', ${init} }`)}`;

    const { complaints } = await shows(`/${encodeURIComponent(name)}`, page, '200{"success":true');

    expect(complaints).toEqual([]);
    expect(await submissionsOf(identifier)).toMatchObject([{ values: { name: 'Zoë' } }]);
  });

  it('has a script that sends JSON as HTMX does and gets HTML', async () => {
    const { action } = await formAt({ submission_text: 'Merci' });
    const init = `{ method: 'POST', headers: { 'HX-Request': 'true', Accept: 'text/html', 'Content-Type': 'application/json' }, body: '{"name":"Zoë"}' }`;

    const { complaints } = await shows('/htmx', fetching(action, init), '200&lt;p&gt;Merci&lt;/p&gt;');

    expect(complaints).toEqual([]);
  });

  it('sends JSON by a beacon when it leaves', async () => {
    const { identifier, action } = await formAt();
    const blob = `new Blob(['{"name":"Zoë"}'], { type: 'application/json' })`;
    const page = `<pre></pre><script>
        document.querySelector('pre').textContent = navigator.sendBeacon('${action}', ${blob});
      </script>`;

    const { complaints } = await shows('/beacon', page, '<pre>true</pre>');

    expect(complaints).toEqual([]);
    await until(async () => (await submissionsOf(identifier)).length > 0);
    expect(await submissionsOf(identifier)).toMatchObject([{ values: { name: 'Zoë' } }]);
  });

  it('sees what went wrong, on a page', async () => {
    const { action } = await formAt();
    const page = `<form method="post" action="${action}"></form>${SUBMIT}`;

    const { complaints } = await shows('/empty', page, '<h1>Your submission was not sent</h1>');

    expect(complaints.filter((line) => !line.includes('422'))).toEqual([]);
  });
});

inBrowser("A form's own page", () => {
  it('keeps to its own policy, which lets its form lead where the form leads', async () => {
    const landing = site().put('/tried', '<h1>Landed</h1>');
    const { action } = await formAt({ redirect_url: landing });

    const { complaints } = await visit(browser(), action, '&lt;form data-fcs action="');

    expect(complaints).toEqual([]);
    const policy = (await fetch(action)).headers.get('content-security-policy');
    expect(policy).toContain('form-action http: https:;');
  });
});

const FILL_AND_SEND = `document.querySelector('[name=email]').value = 'zoe@example.com';
  document.querySelector('[name=message]').value = 'Hello';
  document.querySelector('form button').click();`;

/** The text of an ES module as an address that a page can import. */
function moduleOf(file: string): string {
  const code = readFileSync(new URL(`../../node_modules/preact/${file}.mjs`, import.meta.url));
  return `data:text/javascript;base64,${code.toString('base64')}`;
}

/** A page that shows the component of a snippet; Preact stands for React, whose components it draws. */
function pageOfComponent(snippet: string): string {
  const imports = {
    preact: moduleOf('dist/preact'),
    'preact/hooks': moduleOf('hooks/dist/hooks'),
    react: moduleOf('compat/dist/compat'),
    'react/jsx-runtime': moduleOf('jsx-runtime/dist/jsxRuntime'),
  };
  const { ESNext: module } = ts.ModuleKind;
  const compilerOptions = { jsx: ts.JsxEmit.ReactJSX, module, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(snippet.replace('export default', 'export'), { compilerOptions });
  return `<main></main><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">${outputText}
      import { createElement, render } from 'react';
      render(createElement(Contact), document.querySelector('main'));
    </script>`;
}

inBrowser('A snippet of the page of a form', () => {
  const SENT = { values: { email: 'zoe@example.com', message: 'Hello' }, spam: false };
  const snippetOf = (action: string, name: string) =>
    snippetsFor({ address: action, name: 'Contact', fields: [] }).find((snippet) => snippet.name === name)?.code ?? '';

  it.each([
    ['HTML', (code: string) => code],
    ['Astro', (code: string) => code.split('---\n')[2] ?? ''],
    ['Hugo', (code: string) => code.split('}}\n')[1] ?? ''],
    ['SvelteKit', (code: string) => code.replace(/<\/?svelte:head>/g, '')],
    ['Next and React', pageOfComponent],
  ])('sends in place as it is printed: %s', async (name, pageOf) => {
    const { identifier, action } = await formAt();
    const html = pageOf(snippetOf(action, name));
    const path = `/${name.replaceAll(' ', '-')}`;
    const page = await (await browser().newContext()).newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${site().put(`${path}?utm_source=mail`, html)}#form`, { waitUntil: 'networkidle' });
    await page.getByLabel('Your email').fill('zoe@example.com');
    await page.getByLabel('Message').fill('Hello');
    await page.getByRole('button').click();
    await page.getByRole('status').getByText('Thank you').waitFor();

    expect(complaints).toEqual([]);
    expect(await submissionsOf(identifier)).toMatchObject([{ values: SENT.values }]);
    expect(await pageOfNewest(identifier)).toBe(`${site().origin}${path}?utm_source=mail`);
    expect(await submissionsOf(identifier, `?q=page:${path}`)).toHaveLength(1);
  });

  it('sends as it is printed: fetch', async () => {
    const { identifier, action } = await formAt();
    const html = `<form><input name="email" value="zoe@example.com"><input name="message" value="Hello"></form>
      <p></p><script type="module">${snippetOf(action, 'fetch')}
      document.querySelector('p').textContent = response.ok;</script>`;
    await shows('/fetch', html, '<p>true</p>');
    expect(await submissionsOf(identifier)).toMatchObject([SENT]);
    expect(await pageOfNewest(identifier)).toBe(`${site().origin}/fetch`);
  });

  it('is sent without its script where the content is not the one that the page names', async () => {
    const { identifier, action } = await formAt();
    const html = snippetOf(action, 'HTML').replace('sha384-', 'sha384-A');

    await shows('/forged', `${html}<script>${FILL_AND_SEND}</script>`, '<h1>Thank you</h1>');

    expect(await submissionsOf(identifier)).toMatchObject([SENT]);
  });

  it('sends as it is printed: curl', async () => {
    const { identifier, action } = await formAt();

    const { stdout } = await promisify(execFile)('sh', ['-c', snippetOf(action, 'curl')]);

    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    const values = { email: 'jane@example.com', message: 'Hello' };
    expect(await submissionsOf(identifier)).toMatchObject([{ values }]);
  });
});
