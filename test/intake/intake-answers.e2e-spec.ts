import { elementsOf, textOf } from '../support/page.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, send, urlencoded, type Answer } from '../support/submit.js';

const BASE_URL = 'https://forms.example.com';
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const AXIOS = 'application/json, text/plain, */*';
const JQUERY = 'application/json, text/javascript, */*; q=0.01';

const service = useService({ BASE_URL });
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service(), { submission_text: 'Merci!' });
});

const ONE = urlencoded([['email', 'jane@example.com']]);
const EMPTY = urlencoded([]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('A script that submits', () => {
  it('gets 200 and exactly these keys', async () => {
    const { status, headers, body } = await inbox.submit(ONE);

    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toEqual({
      success: true,
      ok: true,
      status: 'success',
      code: 200,
      message: 'Merci!',
      submission_text: 'Merci!',
      next: expect.stringMatching(`^${BASE_URL}/f/${inbox.form.identifier}/thanks\\?s=[\\w-]+$`),
      redirect: null,
      id: expect.stringMatching(UUID),
    });
  });

  it('gets where the form leads as next and redirect, and is never redirected', async () => {
    const target = 'https://example.com/thanks?a=1#x';
    const leading = await Inbox.open(service(), { redirect_url: target });
    for (const accept of ['*/*', 'application/json', AXIOS, JQUERY]) {
      const { status, headers, body } = await leading.submit({ ...ONE, headers: { Accept: accept } });
      expect({ accept, status, location: headers.get('Location') }).toEqual({ accept, status: 200, location: null });
      expect(body).toMatchObject({ next: target, redirect: target });
    }
  });

  it('gets exactly these keys when it is refused', async () => {
    const { status, headers, body } = await inbox.submit(EMPTY);

    expect(status).toBe(422);
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    const message = expect.stringContaining('without any fields');
    expect(body).toEqual({
      success: false,
      ok: false,
      status: 'error',
      code: 422,
      message,
      error: message,
      errors: [{ field: null, code: 'EMPTY', message }],
    });
  });

  it.each(['', 'nonsense', 'image/png', 'text/plain', 'a/b;q=2', ';;;', 'text/htmlx', 'TEXT/XML'])(
    'gets JSON whatever it accepts: "%s"',
    async (accept) => {
      const headers = { Accept: accept };
      expect((await inbox.submit({ ...ONE, headers })).body).toMatchObject({ success: true });
      expect((await inbox.submit({ ...EMPTY, headers })).body).toMatchObject({ success: false });
    },
  );
});

describe('A script that asks for HTML', () => {
  const MODES = ['cors', 'no-cors', 'same-origin', 'websocket'];
  const headersOf = (mode: string, site: string) => ({
    Accept: 'text/html, */*; q=0.01',
    'Sec-Fetch-Mode': mode,
    'Sec-Fetch-Site': site,
  });

  /** Not by `fetch`, which sets the mode itself. */
  const post = (sent: string, headers: Record<string, string>) =>
    service().anonymous().post(`/f/${inbox.form.identifier}`).type('form').set(headers).send(sent);

  it.each(MODES)('gets JSON, and no redirect that it may not read: %s', async (mode) => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = headersOf(mode, site);
      expect((await post('a=1', headers).expect(200)).body).toMatchObject({ success: true });
      expect((await post('', headers).expect(422)).body).toMatchObject({ success: false });
    }
  });

  it('is sent on as a browser is where it may read what follows', () =>
    post('a=1', headersOf('cors', 'same-origin')).expect(303));

  it.each(['cross-site', 'same-site', 'same-origin', 'none'])('is a browser when it navigates: %s', async (site) => {
    await post('a=1', headersOf('navigate', site)).expect(303);
    await post('', headersOf('navigate', site)).expect('Content-Type', /text\/html/);
  });

  it('as HTMX gets the words to put into the page, escaped', async () => {
    const bold = await Inbox.open(service(), { submission_text: '<b>Merci</b> & bye' });
    for (const accept of ['*/*', 'text/html']) {
      const headers = { 'HX-Request': 'true', Accept: accept };
      const stored = await bold.submit({ ...ONE, headers });
      expect(stored.status).toBe(200);
      expect(elementsOf(stored.text).map(({ name }) => name)).toEqual(['p']);
      expect(textOf(stored.text, 'p')).toEqual(['<b>Merci</b> & bye']);
      expect(stored.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      const refused = await bold.submit({ ...EMPTY, headers });
      expect(refused.status).toBe(422);
      expect(refused.text).toMatch(/^<p>The form was sent without any fields.*<\/p>$/);
    }
  });

  it.each([
    ['HTMX', { 'HX-Request': 'true' }, '', 'HX-Redirect'],
    ['an AMP page', { 'AMP-Same-Origin': 'true' }, '', 'AMP-Redirect-To'],
    ['an AMP cache', {}, '?__amp_source_origin=https%3A%2F%2Fsite.example', 'AMP-Redirect-To'],
  ])('as %s is led on, by a header that its page may read', async (_, headers, query, name) => {
    const led = await Inbox.open(service(), { redirect_url: 'https://site.example/thanks' });
    const stays = await Inbox.open(service());
    const at = async ({ form }: Inbox) => {
      const url = `${service().url}/f/${form.identifier}${query}`;
      return send(url, { ...ONE, headers: { Origin: 'https://site.example', ...headers } });
    };
    const { headers: answered } = await at(led);
    expect(answered.get(name)).toBe('https://site.example/thanks');
    expect(answered.get('Access-Control-Expose-Headers')?.split(', ')).toContain(name);
    expect((await at(stays)).headers.get(name)).toBeNull();
    // Other scripts are told in the body alone.
    const plain = await led.submit({ ...ONE, headers: { Accept: 'application/json' } });
    expect(plain.headers.get(name)).toBeNull();
  });

  it('as HTMX that boosts a form is sent on', async () => {
    const headers = { 'HX-Request': 'true', 'HX-Boosted': 'true', Accept: 'text/html, */*' };
    expect((await inbox.submit({ ...ONE, headers })).status).toBe(303);
  });
});

describe('A browser that submits', () => {
  it('is sent by 303 to the thank-you page', async () => {
    for (const accept of [NAVIGATION, 'TEXT/HTML']) {
      for (const sent of [ONE, multipart([['a', '1']]), json([['a', '1']])]) {
        const { status, headers, text } = await inbox.submit({ ...sent, headers: { Accept: accept } });
        expect({ status, text }).toEqual({ status: 303, text: '' });
        expect(headers.get('Location')).toMatch(`${BASE_URL}/f/${inbox.form.identifier}/thanks?s=`);
      }
    }
  });

  it('is sent by 303 to where the form leads', async () => {
    const target = 'https://example.com/thanks?a=1#x';
    const leading = await Inbox.open(service(), { redirect_url: target });
    const { status, headers } = await leading.submit({ ...ONE, headers: { Accept: NAVIGATION } });
    expect({ status, location: headers.get('Location') }).toEqual({ status: 303, location: target });
  });

  it('gets a page in words when it is refused, with the way back', async () => {
    const answer = await inbox.submit({
      ...EMPTY,
      headers: { Accept: NAVIGATION, Referer: 'https://example.com/contact' },
    });

    expect(answer.status).toBe(422);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; /);
    expect(textOf(answer.text, 'h1')).toEqual(['Your submission was not sent']);
    // Going back shows what was typed; a link to the page would load it anew, empty.
    expect(answer.text).toMatch(/without any fields.*Go back/s);
    expect(answer.text).not.toContain('href=');
  });
});

describe('The clients of form services understand', () => {
  const success = () => inbox.submit({ ...ONE, headers: { Accept: 'application/json' } });
  const failure = () => inbox.submit({ ...EMPTY, headers: { Accept: 'application/json' } });
  const ok = ({ status }: Answer) => status >= 200 && status < 300;

  it.each<[string, (answer: Answer) => boolean]>([
    ['FormBackend', ({ status, body }) => status === 200 && body.submission_text === 'Merci!'],
    [
      'Formspree',
      (answer) =>
        ok(answer) && typeof answer.body.next === 'string' && !('errors' in answer.body) && !('error' in answer.body),
    ],
    ['Basin', (answer) => ok(answer) && answer.body.success === true],
    ['Getform', ({ body }) => body.success === true && !body.error],
    ['Formcarry', ({ body }) => body.code === 200 && body.status === 'success' && typeof body.message === 'string'],
    ['Web3Forms', ({ status, body }) => status === 200 && body.success === true && typeof body.message === 'string'],
    ['StaticForms', ({ body }) => body.success === true && typeof body.message === 'string'],
    ['Formspark', ok],
  ])('%s', async (_, isSuccess) => {
    expect(isSuccess(await success())).toBe(true);
    expect(isSuccess(await failure())).toBe(false);
  });

  it('why it failed, as the Formspree client reads it', async () => {
    const { body } = await failure();
    expect(typeof body.error).toBe('string');
    for (const { code, message } of body.errors as { code: unknown; message: unknown }[]) {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(typeof message).toBe('string');
    }
  });
});

describe('Pages of any origin (O-10)', () => {
  it.each(['https://x.example', 'null', 'http://127.0.0.1:5500'])(
    'may read the answer, with credentials too: %s',
    async (origin) => {
      for (const sent of [ONE, EMPTY]) {
        const { headers } = await inbox.submit({ ...sent, headers: { Origin: origin } });
        expect(headers.get('Access-Control-Allow-Origin')).toBe(origin);
        expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
        expect(headers.get('Vary')).toBe('Origin');
      }
    },
  );

  it('may read it also where the origin is not said', async () => {
    const { headers } = await inbox.submit(ONE);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Vary')).toBe('Origin');
  });

  it('may send whatever headers they ask for, and need not ask again for a while', async () => {
    const asked = 'content-type,formspree-client,x-anything';
    for (const url of [inbox.url, `${inbox.url}/`]) {
      const { status, headers } = await send(url, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://x.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': asked,
        },
      });
      expect(status).toBe(204);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('https://x.example');
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
      expect(headers.get('Vary')).toBe('Origin, Access-Control-Request-Headers');
      expect(headers.get('Access-Control-Allow-Methods')).toContain('POST');
      expect(headers.get('Access-Control-Allow-Headers')).toBe(asked);
      expect(Number(headers.get('Access-Control-Max-Age'))).toBeGreaterThanOrEqual(7_200);
    }
  });
});
