import { DataSource } from 'typeorm';
import { makeFullAccount, type Ids } from '../support/full-account.js';
import { elementsOf, hiddenOf } from '../support/page.js';
import { formsOn } from '../support/page-forms.js';
import { Browser } from '../support/people.js';
import { fillTemplate, isPage, templatesOf } from '../support/routes.js';
import { useService } from '../support/service.js';

/** Ends an attribute and begins an element in pages that forget to escape. */
const PAYLOAD = `'" onx="'><evil>`;
const QUERY = new URLSearchParams(
  ['q', 'name', 'from', 'to', 'actor', 'action', 'target', 'of'].map((name) => [name, PAYLOAD]),
);
/** Forms that would take away what is shown; visitors send those below `/f`. */
const LEFT_OUT = /^\/(?:f|sign-out)(?:\/|$)|\/(?:delete|erase|remov\w+|revoke|withdraw|reset|release|end|view|undo)$/;

const service = useService({ WORKERS: 'off' });
let ids: Ids;
let browser: Browser;

beforeAll(async () => {
  const account = await makeFullAccount(service(), { name: PAYLOAD });
  const values = { [PAYLOAD]: PAYLOAD, email: 'visitor@example.com', list: [PAYLOAD] };
  const headers = { Referer: `https://a.test/${PAYLOAD}`, 'User-Agent': PAYLOAD };
  const form = { identifier: String(account.ids.forms) };
  ids = { ...account.ids, submissions: await service().submit(form, values, headers) };
  const { id, email } = await service().makePerson(account.owner);
  await service().app.get(DataSource).query('UPDATE people SET name = ? WHERE id = ?', [PAYLOAD, id]);
  browser = new Browser(service());
  await browser.signIn(email);
});

const pages = () =>
  templatesOf(service().app)
    .filter(({ method, path }) => method === 'get' && isPage(path) && path !== '/events')
    .map(({ path }) => fillTemplate(path, (noun) => String(ids[noun])));

/** @param strict what fields hold that take no text of any kind */
const filled = (names: string[], strict: string) =>
  Object.fromEntries(
    names.map((name) => {
      if (strict === '' && name.includes('email')) return [name, 'typed@example.com'];
      return [name, /colo|reply_to|url|domains/.test(name) ? strict : PAYLOAD];
    }),
  );

it('A page for people who sign in shows as text all that was typed into any form and any address, if it was refused too', async () => {
  const wrong: object[] = [];
  const shown = new Set<string>();
  const look = (path: string, { type, text }: { type: string; text: string }) => {
    if (type !== 'text/html') return;
    const broken = elementsOf(text).filter(({ name, attributes }) => name === 'evil' || 'onx' in attributes);
    if (broken.length > 0) wrong.push({ path, broken });
    if (text.includes('&lt;evil>')) shown.add(path);
  };
  const sent = new Set<string>();
  for (const path of pages()) {
    const { text } = await browser.get(path);
    for (const form of formsOn(text, path)) {
      if (form.method === 'GET' || LEFT_OUT.test(form.path) || sent.has(form.path)) continue;
      sent.add(form.path);
      const hidden = hiddenOf(text);
      look(form.path, await browser.post(form.path, filled(form.names, PAYLOAD)));
      look(form.path, await browser.post(form.path, { ...filled(form.names, PAYLOAD), ...hidden }));
      look(form.path, await browser.post(form.path, { ...filled(form.names, ''), ...hidden }));
    }
  }
  for (const path of pages()) {
    look(path, await browser.get(path));
    look(path, await browser.get(`${path}?${QUERY}`));
  }
  expect(wrong).toEqual([]);
  expect(shown.size).toBeGreaterThan(70);
});
