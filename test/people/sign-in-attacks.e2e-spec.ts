import { DAY_MS, useClock } from '../support/clock.js';
import { elementsOf, hiddenOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { useService, type Caller } from '../support/service.js';

const service = useService({}, []);
const clock = useClock();
let owner: Caller;
let email: string;
let browser: Browser;
beforeEach(async () => {
  ({ owner, email, browser } = await service().openWithOwner());
});

/** Pages that people have open when they sign out. */
const PAGES = ['/inbox', '/forms', '/new-form', '/clients', '/people', '/tokens', '/account'];

const formsNamed = async (wanted: string) =>
  (await owner.read('/api/v1/forms')).forms.filter(({ name }) => name === wanted);

describe('A page for people who sign in', () => {
  it.each([...PAGES, '/account/passkeys', '/account/email', '/sign-in', '/setup', '/invitation'])(
    '%s is framed by no site, tells no other where one was, and is kept by no browser',
    async (path) => {
      const { headers } = await (
        path.startsWith('/account') || PAGES.includes(path) ? browser : new Browser(service())
      ).get(path);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("form-action 'self'");
      expect(headers['referrer-policy']).toBe('same-origin');
    },
  );

  it('is not shown by going back after signing out', async () => {
    await browser.post('/sign-out');
    for (const path of PAGES) {
      const { status, headers } = await browser.get(path);
      expect({ path, status, to: headers.location }).toEqual({
        path,
        status: 303,
        to: `/sign-in?next=${encodeURIComponent(path)}`,
      });
    }
  });
});

describe('A form that is sent when the session has ended', () => {
  const typed = { 'form.name': 'A "long" name <b>\nof two lines' };

  it('is not lost: the page offers to sign in, and sends the same fields again', async () => {
    clock.forward(8 * DAY_MS);
    const over = await browser.post('/forms', typed);

    expect(over.status).toBe(403);
    const links = elementsOf(over.text).map(({ attributes }) => attributes.href);
    expect(links).toContain('/sign-in');
    expect(hiddenOf(over.text)).toEqual(typed);
    const again = await browser.post('/forms', hiddenOf(over.text));
    expect(hiddenOf(again.text)).toEqual(typed);
    await browser.signIn(email);
    expect((await browser.post('/forms', hiddenOf(again.text))).status).toBe(303);
    expect(await formsNamed(typed['form.name'])).toHaveLength(1);
  });

  it('in another tab than the one where one signed out, is not lost either', async () => {
    const tab = new Browser(service());
    for (const [name, value] of browser.cookies) tab.cookies.set(name, value);
    await browser.post('/sign-out');
    const over = await tab.post('/forms', { 'form.name': 'Two tabs' });
    expect(hiddenOf(over.text)).toEqual({ 'form.name': 'Two tabs' });
    expect(await formsNamed('Two tabs')).toEqual([]);
  });

  it('is not echoed to another site, nor when it is too long or no form', async () => {
    const stranger = new Browser(service());
    const foreign = await stranger.post('/forms', typed, { 'Sec-Fetch-Site': 'cross-site' });
    expect([foreign.status, hiddenOf(foreign.text)]).toEqual([403, {}]);
    const long = await stranger.post('/forms', { 'form.name': 'x'.repeat(20_000) });
    expect(long.headers.location).toBe('/sign-in');
    const json = await stranger.call('post', '/forms', { 'form.name': 'x' });
    expect(json.headers.location).toBe('/sign-in');
  });

  it('is not kept where it holds passwords and codes', async () => {
    await browser.post('/sign-out');
    const secret = { current: 'a secret of mine', password: 'another secret' };
    for (const path of ['/account/password', '/account/totp', '/confirm']) {
      const { headers, text } = await browser.post(path, secret);
      expect({ path, to: headers.location }).toEqual({ path, to: '/sign-in' });
      expect(text).not.toContain('secret of mine');
    }
  });
});

describe('Two tabs of one browser', () => {
  it('go on together when one of them shows once more who it is', async () => {
    const former = browser.session;
    await browser.post('/confirm', { proof_to: '/', proof_password: 'purple otters juggle at noon' });
    expect(browser.session).not.toBe(former);
    expect((await browser.get('/inbox')).status).toBe(200);
    const stolen = new Browser(service());
    stolen.cookies.set('fcs_session', String(former));
    expect((await stolen.get('/inbox')).status).toBe(303);
  });

  it('end the first session when the second signs in as somebody else', async () => {
    const { email: theirs } = await service().makePerson(owner);
    const first = browser.session;
    await browser.signIn(theirs);
    expect((await browser.get('/account')).text).toContain(theirs);
    const former = new Browser(service());
    former.cookies.set('fcs_session', String(first));
    expect((await former.get('/account')).status).toBe(303);
  });
});
