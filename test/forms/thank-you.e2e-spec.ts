import { SigningService } from '../../src/platform/signed-links/signing.service.js';
import { parseUuid } from '../../src/platform/kernel/uuid.js';
import { PAYLOADS } from '../support/markup.js';
import { elementsOf, textOf } from '../support/page.js';
import { valuesOn } from '../support/page-forms.js';
import { useService } from '../support/service.js';
import { Inbox, multipart, send, urlencoded, type Sent } from '../support/submit.js';

const service = useService();
const open = (settings: object = {}) => Inbox.open(service(), settings);

/** Submits as a browser does, and gets the page it is sent to. */
async function submitAndFollow(inbox: Inbox, sent: Sent, headers: Record<string, string> = {}) {
  const answer = await inbox.submit({ ...sent, headers: { Accept: 'text/html', ...headers } });
  expect(answer.status).toBe(303);
  return visit(answer.headers.get('Location') ?? '');
}

async function visit(link: string) {
  const { pathname, search } = new URL(link);
  return send(service().url + pathname + search, { method: 'GET', headers: { Accept: 'text/html' } });
}

const ONE = urlencoded([['secret', 'only for me']]);

describe('The thank-you page', () => {
  it('thanks in the words and colours of the form', async () => {
    const inbox = await open({
      submission_text: 'Merci beaucoup!',
      bg_color: '#012345',
      text_color: 'white',
      link_color: '#abc',
    });
    const { status, text } = await submitAndFollow(inbox, ONE);

    expect(status).toBe(200);
    expect(text).toContain('Merci beaucoup!');
    for (const colour of ['background: #012345', 'color: white', 'a { color: #abc']) {
      expect(text).toContain(colour);
    }
  });

  it('says whose form it is, once the account has a name of its own', async () => {
    const owner = await service().openAccount('Bakery');
    for (const [name, shown] of [
      ['Bakery', true],
      ['My account', false],
    ] as const) {
      await owner.patch('/api/v1/account', { account: { name } }).expect(200);
      const { identifier } = await owner.makeForm();
      const { text } = await send(`${service().url}/f/${identifier}/thanks`, { method: 'GET' });

      expect({ name, shown: textOf(text, 'p').includes(name) }).toEqual({ name, shown });
    }
  });

  it('shows what was sent, files too, when the form says so', async () => {
    const inbox = await open({ show_submitted_values: true });
    const file = { field: 'cv', name: 'naïve <1>.pdf', bytes: 'x' };
    const { text } = await submitAndFollow(
      inbox,
      multipart(Object.entries({ first_name: '1', favouriteColour: '' }), [file]),
    );

    expect(textOf(text, 'dt')).toEqual(['First name', 'Favourite colour', 'Cv']);
    expect(textOf(text, 'dd')).toEqual(['1', '–', 'naïve <1>.pdf']);
  });

  it('shows nothing of what was sent otherwise', async () => {
    const { text } = await submitAndFollow(await open({ show_submitted_values: false }), ONE);
    expect(text).not.toContain('only for me');
  });

  it('is plain HTML under a policy without scripts, framable and kept by nobody', async () => {
    const { headers, text } = await submitAndFollow(await open(), ONE);

    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors \*$/,
    );
    expect(headers.get('X-Frame-Options')).toBeNull();
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(text).toMatch(/<html lang="en" dir="ltr">.*<meta name="viewport".*<main>/s);
  });
});

describe('The link to the thank-you page', () => {
  const linkOf = async (inbox: Inbox) => new URL((await inbox.submit(ONE)).body.next as string);
  const shows = async (link: URL) => {
    const { status, text } = await visit(link.href);
    expect(status).toBe(200);
    return text.includes('only for me');
  };

  it('shows the values, as often as it is opened', async () => {
    const link = await linkOf(await open({ show_submitted_values: true }));
    expect(await shows(link)).toBe(true);
    expect(await shows(link)).toBe(true);
  });

  it('shows nothing when it was altered anywhere', async () => {
    const link = await linkOf(await open({ show_submitted_values: true }));
    const signed = link.searchParams.get('s') ?? '';
    for (let at = 0; at < signed.length; at++) {
      const other = signed[at] === 'A' ? 'B' : 'A';
      link.searchParams.set('s', signed.slice(0, at) + other + signed.slice(at + 1));
      expect({ at, shows: await shows(link) }).toEqual({ at, shows: false });
    }
    for (const none of ['', 'x', signed.slice(4)]) {
      link.searchParams.set('s', none);
      expect(await shows(link)).toBe(false);
    }
    link.search = '';
    expect(await shows(link)).toBe(false);
  });

  it('shows nothing on the page of another form', async () => {
    const link = await linkOf(await open({ show_submitted_values: true }));
    link.pathname = `/f/${(await open({ show_submitted_values: true })).form.identifier}/thanks`;
    expect(await shows(link)).toBe(false);
  });

  it('shows nothing after its time, or when it was signed for something else', async () => {
    const inbox = await open({ show_submitted_values: true });
    const link = await linkOf(inbox);
    const [submission] = await inbox.all();
    const id = parseUuid(submission?.id ?? '') ?? Buffer.alloc(0);
    const signing = service().app.get(SigningService);
    const inMs = (ms: number) => new Date(Date.now() + ms);
    for (const [purpose, until, shown] of [
      ['thanks', inMs(60_000), true],
      ['thanks', inMs(-2_000), false],
      ['file', inMs(60_000), false],
    ] as const) {
      link.searchParams.set('s', await signing.sign(purpose, id, until));
      expect({ purpose, until, shown: await shows(link) }).toEqual({ purpose, until, shown });
    }
  });
});

it.each([
  ['https://example.com/contact?a="1"&b=<2>', true],
  ['http://localhost:8080/', true],
  ['javascript:alert(1)', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['ftp://example.com/', false],
  ['//example.com', false],
  ['https://', false],
  ['x', false],
])('The link back for the page %s is there: %s', async (referer, there) => {
  const { text } = await submitAndFollow(await open(), ONE, { Referer: referer });
  const links = elementsOf(text).filter(({ name }) => name === 'a');
  expect(links).toEqual(there ? [{ name: 'a', attributes: { href: referer, target: '_top' } }] : []);
});

describe('Markup (O-01)', () => {
  it('of a visitor stays text on the thank-you page', async () => {
    const inbox = await open({ show_submitted_values: true });
    const plain = await submitAndFollow(inbox, urlencoded(PAYLOADS.map(() => ['a', 'b'])));
    const sent = urlencoded(PAYLOADS.map((payload) => [payload, payload]));
    const { text } = await submitAndFollow(inbox, sent);

    expect(elementsOf(text)).toEqual(elementsOf(plain.text));
    expect(textOf(text, 'dd')).toEqual(PAYLOADS);
    expect(textOf(text, 'dt')).toEqual(PAYLOADS);
  });
});

describe('The preview of the thank-you page', () => {
  const SETTINGS = { name: 'Contact', submission_text: 'Thanks', show_submitted_values: true };
  it('shows the page of the newest submission, or that of a sample', async () => {
    const inbox = await open(SETTINGS);
    const address = `/api/v1/forms/${inbox.form.identifier}/thank-you-page` as const;
    const before = (await inbox.owner.get(address).expect(200)).body;
    expect(before).toMatchObject({ redirect_url: null, submission_id: null });
    expect(textOf(before.html, 'dd')).toContain('Jane Doe');

    const id = await inbox.accept(ONE);
    const { html, submission_id } = (await inbox.owner.get(address).expect(200)).body;
    expect(submission_id).toBe(id);
    expect(textOf(html, 'dd')).toEqual(['only for me']);
  });

  it('shows what other settings would make of it, and stores nothing', async () => {
    const inbox = await open(SETTINGS);
    const address = `/api/v1/forms/${inbox.form.identifier}/thank-you-page/preview` as const;
    const form = { submission_text: 'Merci', bg_color: '#012345', redirect_url: 'https://a.test/x' };
    const { body } = await inbox.owner.post(address, { form }).expect(200);

    expect(body).toMatchObject({ redirect_url: 'https://a.test/x' });
    expect(body.html).toContain('Merci');
    expect(body.html).toContain('background: #012345');
    const stored = await inbox.owner.get(`/api/v1/forms/${inbox.form.identifier}`).expect(200);
    expect(stored.body).toEqual(inbox.form);
    await inbox.owner.post(address, { form: { bg_color: 'no colour' } }).expect(422);
  });

  it('is framed by the page of settings alone, with what is typed there', async () => {
    const { owner, browser } = await service().openWithOwner();
    const { identifier } = await owner.makeForm(SETTINGS);
    const address = `/forms/${identifier}/thanks`;
    const settings = (await browser.get(`/forms/${identifier}/settings`)).text;
    const frames = elementsOf(settings).filter(({ name }) => name === 'iframe');
    expect(frames.map(({ attributes }) => attributes.src)).toContain(address);

    const { text, headers } = await browser.get(address);
    expect(text).toContain('Thanks');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'self'; sandbox allow-same-origin");
    const typed = (more: object) => ({ ...valuesOn(settings), ...more });
    const shown = await browser.post(address, typed({ 'settings.submission_text': 'Merci' }));
    expect(shown.text).toContain('Merci');
    const away = await browser.post(address, typed({ 'settings.redirect_url': 'https://a.test/x' }));
    expect(away.text).toContain('https://a.test/x');
    expect(away.text).not.toContain('<h1>Thank you');
    const wrong = await browser.post(address, typed({ 'settings.bg_color': 'no colour' }));
    expect({ status: wrong.status, text: wrong.text }).toMatchObject({
      status: 422,
      text: expect.stringContaining('Must be a hex color'),
    });
    expect((await browser.get(address)).text).toContain('Thanks');
  });
});
