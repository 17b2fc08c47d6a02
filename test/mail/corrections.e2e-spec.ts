import { elementsOf } from '../support/page.js';
import { useService } from '../support/service.js';
import { Inbox, send, urlencoded, type Answer } from '../support/submit.js';

const BASE_URL = 'https://forms.example.com';
const SITE = 'https://shop.example';
const KEY = '4f8f3c1e-9f0a-4d8e-8b53-0c6f5f1f2a12';
const service = useService({ BASE_URL, WORKERS: 'off' });

let inbox: Inbox;
let made = 0;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  await inbox.owner.setFields(inbox.form, [{ name: 'email', kind: 'email', required: true }]);
});
const api = () => `/api/v1/forms/${inbox.form.identifier}` as const;

/** Sends a form as the browser of a visitor does, from a page of this origin. */
const browse = (path: string, pairs: readonly [string, string][], origin: string) =>
  send(service().url + path, {
    ...urlencoded(pairs),
    headers: { Accept: 'text/html', Origin: origin, Referer: `${origin}/` },
  });

/** The fields that the page of an answer sends, in their order. */
const fieldsOf = ({ text }: Answer) =>
  elementsOf(text).flatMap(({ name, attributes }): [string, string][] =>
    name === 'input' ? [[attributes.name ?? '', attributes.value ?? '']] : [],
  );

/** Sends what breaks a rule, then the fields of the page that says so with a good address. */
async function correct(path: string, pairs: readonly [string, string][]) {
  const refused = await browse(path, [...pairs, ['email', 'jane@']], SITE);
  expect(refused.status).toBe(422);
  const fields = fieldsOf(refused).map(([name, value]): [string, string] => [
    name,
    name === 'email' ? 'jane@example.com' : value,
  ]);
  const { status, headers } = await browse(path, fields, BASE_URL);
  return { refused, fields, status, location: headers.get('Location') };
}

async function sourceOfNewest() {
  const [newest] = await inbox.all();
  expect(newest?.values).toEqual({ email: 'jane@example.com' });
  const path = `${api()}/submissions/${newest?.id ?? ''}/source`;
  const { origin, referer } = await inbox.owner.read(path);
  return { origin, referer };
}

const lead = (provider: string, value: string) =>
  inbox.owner.post(`${api()}/aliases`, { alias: { provider, value } }).expect(201);

describe('Answers that a visitor corrects', () => {
  it('lead where a page of Formspree says, and are from that page', async () => {
    const id = `fixed${String(++made).padStart(3, '0')}`;
    await lead('formspree', id);
    const page = `${SITE}/contact?utm_source=mail`;
    const sent = await correct(`/f/${id}`, [
      ['_next', 'thanks?a="><b>'],
      ['_page', page],
      ['_cc', 'other@example.com'],
      ['_gotcha', ''],
    ]);

    expect(sent).toMatchObject({ status: 303, location: `${SITE}/thanks?a=%22%3E%3Cb%3E` });
    expect(sent.fields.map(([name]) => name)).toEqual(['_next', '_page', 'email']);
    expect(sent.refused.text).not.toContain('"><b>');
    expect(sent.refused.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${SITE};`);
    expect(await sourceOfNewest()).toEqual({ origin: SITE, referer: page });
  });

  it('reach the form that a page of Web3Forms names, of which browsers tell the site alone', async () => {
    await lead('web3forms', KEY);
    const sent = await correct('/submit', [
      ['access_key', KEY],
      ['redirect', `${SITE}/thanks`],
    ]);

    expect(sent).toMatchObject({ status: 303, location: `${SITE}/thanks` });
    expect(await sourceOfNewest()).toEqual({ origin: SITE, referer: SITE });
    expect(await inbox.owner.get(`${api()}/submissions?q=page:none`)).toMatchObject({ body: { submissions: [{}] } });
  });

  it('are taken from the sites that a form allows', async () => {
    const site = new URL(SITE).hostname;
    const allow = { form: { whitelisted_domains: site } };
    await inbox.owner.patch(`/api/v1/forms/${inbox.form.identifier}`, allow).expect(200);
    expect((await correct(`/f/${inbox.form.identifier}`, [])).status).toBe(303);
    expect(await sourceOfNewest()).toEqual({ origin: SITE, referer: SITE });
  });

  it('lead to no other site, and say no page of one', async () => {
    const id = `fixed${String(++made).padStart(3, '0')}`;
    await lead('formspree', id);
    const sent = await correct(`/f/${id}`, [
      ['_next', 'https://evil.example/'],
      ['_page', 'https://evil.example/page'],
    ]);

    expect(sent.status).toBe(303);
    expect(sent.location).toContain(`${BASE_URL}/f/`);
    expect(await sourceOfNewest()).toEqual({ origin: SITE, referer: SITE });
  });
});
