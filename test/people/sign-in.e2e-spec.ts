import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { DAY_MS, HOUR_MS, useClock } from '../support/clock.js';
import { Browser, PASSWORD } from '../support/people.js';
import { useService, useOwner } from '../support/service.js';
import { until } from '../support/until.js';

const BASE_URL = 'http://forms.test';
const service = useService({ BASE_URL });
const clock = useClock();
let email: string;
let browser: Browser;
const owner = useOwner(service);
beforeEach(async () => {
  ({ email } = await service().makePerson(owner));
  browser = new Browser(service());
});

describe('Signing in', () => {
  it('opens the pages until one signs out', async () => {
    await browser.signIn(email);
    expect((await browser.get('/account')).text).toContain(email);

    expect((await browser.post('/sign-out')).headers.location).toBe('/sign-in');
    expect(browser.session).toBeUndefined();
    expect((await browser.get('/account')).status).toBe(303);
  });

  it('leads from the start to what one begins with', async () => {
    expect((await browser.get('/')).headers.location).toBe('/sign-in');

    expect((await browser.signIn(email)).headers.location).toBe('/');

    const { status, headers } = await browser.get('/');
    expect(status).toBe(303);
    expect((await browser.get(String(headers.location))).status).toBe(200);
  });

  it('takes the address in any case of letters', async () => {
    expect((await browser.signIn(email.toUpperCase())).status).toBe(303);
  });

  it('answers a wrong password, an unknown address and a disabled person alike', async () => {
    const disabled = await service().makePerson(owner);
    await service().app.get(PeopleService).disable(COMMAND_LINE, disabled.email, true);
    const tries = [
      await browser.signIn(email, 'another password entirely'),
      await browser.signIn('nobody@example.com'),
      await browser.signIn(disabled.email),
    ];

    expect(tries.map(({ status }) => status)).toEqual([422, 422, 422]);
    const pages = tries.map(({ text }) => text.replaceAll(/\b\w{1,20}@example\.com/g, 'SOMEBODY'));
    expect(new Set(pages).size).toBe(1);
    expect(browser.session).toBeUndefined();
  });

  it('takes no session that was there before: the secret is a new one', async () => {
    browser.cookies.set('fcs_session', 'fcs_chosenByAnAttacker000000000000000000');
    await browser.signIn(email);
    const first = browser.session;
    expect(first).toMatch(/^fcs_[0-9A-Za-z]{36}$/);

    await browser.signIn(email);

    expect(browser.session).not.toBe(first);
    const former = new Browser(service());
    former.cookies.set('fcs_session', String(first));
    expect((await former.get('/account')).status).toBe(303);
  });

  it('keeps the cookie from scripts and from other sites', async () => {
    const { headers } = await browser.signIn(email);
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^fcs_session=/);
    expect(cookie).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect(cookie).toContain(`Max-Age=${30 * 24 * 3_600}`);
    expect(cookie).not.toContain('Secure');
  });

  it('goes on to the page that was asked for', async () => {
    const asked = await browser.get('/account?tab=1');
    expect(asked.headers.location).toBe('/sign-in?next=%2Faccount%3Ftab%3D1');

    const done = await browser.signIn(email, PASSWORD, { next: '/account?tab=1' });

    expect(done.headers.location).toBe('/account?tab=1');
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never goes on to %s',
    async (next) => {
      const page = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
      expect(page.text).not.toContain('evil');
      expect((await browser.signIn(email, PASSWORD, { next })).headers.location).toBe('/');
      const again = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
      expect(again.headers.location).toBe('/');
    },
  );

  it('survives forms that no page sends', async () => {
    for (const fields of [{}, { email: 'x'.repeat(5_000) }, { 'email[]': 'a', password: 'b' }]) {
      expect((await browser.post('/sign-in', fields as Record<string, string>)).status).toBe(422);
    }
  });
});

it('Without a mail server nobody is offered a link by mail, and who asks anyway is told why', async () => {
  expect((await browser.get('/sign-in')).text).not.toContain('sign-in link');
  const { status, text } = await browser.post('/sign-in/link', { email });
  expect(status).toBe(404);
  expect(text).toContain('SMTP_URL');
});

describe('A request that changes something', () => {
  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: BASE_URL }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['nobody knows where', {}],
    ['another origin', { Origin: 'https://evil.example' }],
    ['an origin that begins like ours', { Origin: `${BASE_URL}.evil.example` }],
    ['an origin without a name', { Origin: 'null' }],
  ])('is refused when it comes from %s', async (_, headers: Record<string, string>) => {
    await browser.signIn(email);
    for (const path of ['/sign-in', '/sign-out', '/setup', '/account/switch', '/invitation']) {
      const { status, text } = await browser.post(path, {}, headers);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(text).toContain('did not come from a page of this service');
    }
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('is taken from a page of ours, also where browsers say no more than the origin', async () => {
    const { status } = await browser.post('/sign-in', { email, password: PASSWORD }, { Origin: BASE_URL });
    expect(status).toBe(303);
  });
});

describe('A session', () => {
  it('opens no route of the API, and a token opens no page', async () => {
    await browser.signIn(email);
    expect((await browser.get('/api/v1/forms')).status).toBe(401);

    expect((await owner.get('/account')).headers.location).toBe('/sign-in?next=%2Faccount');
  });

  it('ends after a week without use, and after a month in any case', async () => {
    await browser.signIn(email);
    clock.forward(6 * DAY_MS);
    expect((await browser.get('/account')).status).toBe(200);
    await until(async () => (await lastSeen()) > 0);
    clock.forward(8 * DAY_MS);
    expect((await browser.get('/account')).status).toBe(303);
  });

  it('ends after an hour without use on a device that others use too', async () => {
    const { headers } = await browser.signIn(email, PASSWORD, { shared: 'true' });
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).not.toMatch(/Max-Age|Expires/);
    clock.forward(HOUR_MS - 1_000);
    expect((await browser.get('/account')).status).toBe(200);
    clock.forward(2 * HOUR_MS);
    expect((await browser.get('/account')).status).toBe(303);
  });

  it('is shown with the others, and each can be ended from another', async () => {
    const phone = await Browser.of(service(), email);
    await browser.signIn(email);
    const { text } = await browser.get('/account');
    const [, id = ''] = /name="session" value="([^"]+)"/.exec(text) ?? [];

    const ended = await browser.post('/account/sessions/end', { session: id });

    expect(ended.headers.location).toBe('/account');
    expect((await phone.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await browser.post('/account/sessions/end', { session: id })).status).toBe(404);
  });

  it('of somebody else cannot be ended', async () => {
    const other = await service().makePerson(owner);
    const theirs = await Browser.of(service(), other.email);
    await new Browser(service()).signIn(other.email);
    const { text } = await theirs.get('/account');
    const [, id = ''] = /name="session" value="([^"]+)"/.exec(text) ?? [];
    await browser.signIn(email);

    expect((await browser.post('/account/sessions/end', { session: id })).status).toBe(404);
  });

  it('ends everywhere else when the password changes, and when one wishes it', async () => {
    const phone = await Browser.of(service(), email);
    await browser.signIn(email);
    const password = 'seven green kettles in the fog';
    expect((await browser.post('/account/password', { current: 'no', password })).status).toBe(422);

    await browser.post('/account/password', { current: PASSWORD, password });

    expect((await phone.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await phone.signIn(email)).status).toBe(422);
    expect((await phone.signIn(email, password)).status).toBe(303);

    await browser.post('/account/sessions/end-others');
    expect((await phone.get('/account')).status).toBe(303);
  });

  it('ends when the person is disabled', async () => {
    await browser.signIn(email);
    await service().app.get(PeopleService).disable(COMMAND_LINE, email, true);
    expect((await browser.get('/account')).status).toBe(303);
  });
});

/** How many milliseconds after its begin the only session of the person was last seen. */
async function lastSeen(): Promise<number> {
  const { SessionsService } = await import('../../src/people/sessions/sessions.service.js');
  const { PeopleService: People } = await import('../../src/people/members/members.service.js');
  const person = (await service().app.get(People).list()).find((each) => each.email === email);
  const [session] = await service()
    .app.get(SessionsService)
    .list(person?.id ?? 0);
  return session ? session.lastSeenAt.getTime() - session.createdAt.getTime() : 0;
}
