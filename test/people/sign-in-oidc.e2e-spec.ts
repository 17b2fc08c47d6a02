import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { departure, useOidcServer } from '../support/oidc.js';
import { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { codeOf, switchOnTotp } from '../support/second-factor.js';
import { useService, type Caller } from '../support/service.js';

const CALLBACK = '/sign-in/oidc/callback';
const LINK = '/sign-in/oidc/link';

const provider = useOidcServer();
const service = useService(() => provider.settings);
const clock = useClock();
let made = 0;
let subject: string;
let owner: Caller;
let id: number;
let email: string;
let browser: Browser;
beforeEach(async () => {
  subject = `subject-${++made}`;
  owner = await service().openAccount();
  ({ id, email } = await service().makePerson(owner));
  await provider.put(subject, { email, email_verified: true, name: 'At the provider' });
  browser = new Browser(service());
});

const isIn = async (who: Browser): Promise<boolean> => (await who.get('/account')).status === 200;

const identities = async (): Promise<{ id: string; issuer: string; email: string | null }[]> =>
  (await owner.read(`/api/v1/people/${id}/identities`)).identities;

describe('Signing in through the provider', () => {
  it('lets in the person of a verified address, and links the two', async () => {
    expect((await browser.get('/sign-in')).text).toContain('Sign in with Example Login');

    const done = await provider.through(browser, subject);

    expect({ status: done.status, to: done.headers.location }).toEqual({ status: 303, to: '/' });
    expect((await browser.get('/account')).text).toContain('Signed in by identity provider');
    expect(await identities()).toMatchObject([{ issuer: provider.issuer, email }]);
  });

  it('knows the person by the link from then on, whatever becomes of the address', async () => {
    await provider.through(browser, subject);
    await provider.put(subject, { email: 'elsewhere@example.org', email_verified: false });
    const other = new Browser(service());
    expect((await provider.through(other, subject)).status).toBe(303);
    expect((await other.get('/account')).text).toContain(email);
    expect(await identities()).toHaveLength(1);
  });

  it('asks those for a code who have switched codes on', async () => {
    await browser.signIn(email);
    const { secret } = await switchOnTotp(browser, clock);
    const other = new Browser(service());

    const half = await provider.through(other, subject, { next: '/account' });

    expect(half.headers.location).toBe('/sign-in/code?next=%2Faccount');
    expect(await isIn(other)).toBe(false);
    clock.forward(MINUTE_MS);
    await other.post('/sign-in/code', { code: codeOf(secret, clock), next: '/account' });
    expect(await isIn(other)).toBe(true);
  });

  it('takes somebody new in by an open invitation for the address, and by that alone', async () => {
    const address = `new${made}@example.com`;
    await provider.put(subject, { email: address, email_verified: true, name: 'Nova' });
    expect((await provider.through(browser, subject)).status).toBe(403);
    const invitee = { email: address.toUpperCase(), name: 'N', role: 'viewer', send: false };
    await owner.post('/api/v1/people', { person: invitee }).expect(201);

    expect((await provider.through(browser, subject)).status).toBe(303);

    expect((await owner.read('/api/v1/people')).people).toContainEqual(
      expect.objectContaining({ name: 'Nova', email: address, role: 'viewer' }),
    );
    expect(await owner.read('/api/v1/invitations')).toEqual({ invitations: [] });
    const password = 'seven green kettles in the fog';
    await browser.post('/account/password', { password });
    expect((await new Browser(service()).signIn(address, password)).status).toBe(303);
  });
});

describe('Nobody is let in through the provider', () => {
  it('by an address that is not verified', async () => {
    for (const claims of [{ email, email_verified: false }, { email }, { name: 'Nobody' }]) {
      await provider.put(subject, claims);
      const { status, text } = await provider.through(browser, subject);
      expect({ claims, status }).toEqual({ claims, status: 403 });
      expect(text).toContain('No one here uses this identity');
    }
    expect(await identities()).toEqual([]);
    expect(await owner.read('/api/v1/invitations')).toEqual({ invitations: [] });
  });

  it('by an invitation for an address that is not verified', async () => {
    const address = `new${made}@example.com`;
    const invitee = { email: address, name: 'N', role: 'owner', send: false };
    await owner.post('/api/v1/people', { person: invitee }).expect(201);
    await provider.put(subject, { email: address, email_verified: false });
    expect((await provider.through(browser, subject)).status).toBe(403);
  });

  it('who is disabled, linked or not', async () => {
    await provider.through(browser, subject);
    await service().app.get(PeopleService).disable(COMMAND_LINE, email, true);
    expect((await provider.through(new Browser(service()), subject)).status).toBe(403);
    const again = `${subject}-again`;
    await provider.put(again, { email, email_verified: true });
    expect((await provider.through(new Browser(service()), again)).status).toBe(403);
  });

  it('with an answer to another browser, or to none', async () => {
    const address = await departure(browser);
    const back = await provider.signIn(address, subject);
    const thief = new Browser(service());
    expect((await thief.get(back)).status).toBe(403);
    await departure(thief);
    expect((await thief.get(back)).status).toBe(403);
    expect(thief.session).toBeUndefined();
  });

  it.each([
    [
      'another state',
      (query: URLSearchParams) => {
        query.set('state', 'another');
      },
    ],
    [
      'no state',
      (query: URLSearchParams) => {
        query.delete('state');
      },
    ],
    [
      'no code',
      (query: URLSearchParams) => {
        query.delete('code');
      },
    ],
    [
      'a code that was made up',
      (query: URLSearchParams) => {
        query.set('code', 'made-up');
      },
    ],
    [
      'two codes',
      (query: URLSearchParams) => {
        query.append('code', 'another');
      },
    ],
    [
      'another issuer',
      (query: URLSearchParams) => {
        query.set('iss', 'https://evil.example');
      },
    ],
    [
      'a refusal',
      (query: URLSearchParams) => {
        query.set('error', 'access_denied');
      },
    ],
  ])('with %s', async (_, change) => {
    const back = await provider.signIn(await departure(browser), subject);
    const query = new URLSearchParams(back.slice(CALLBACK.length));
    change(query);

    const { status, text } = await browser.get(`${CALLBACK}?${query}`);

    expect(status).toBe(403);
    expect(text).toContain('did not finish signing in');
    expect(browser.session).toBeUndefined();
  });

  it('with a code that was used already', async () => {
    const address = await departure(browser);
    const copy = new Browser(service());
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const back = await provider.signIn(address, subject);
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(back)).status).toBe(403);

    expect((await copy.get(back)).status).toBe(403);
    expect(copy.session).toBeUndefined();
  });

  it('after ten minutes', async () => {
    const back = await provider.signIn(await departure(browser), subject);
    clock.forward(11 * MINUTE_MS);
    expect((await browser.get(back)).status).toBe(403);
  });

  it('whom another site sends off', async () => {
    for (const path of ['/sign-in/oidc', LINK]) {
      const { status, headers } = await browser.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' });
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(headers.refresh).toBeUndefined();
    }
    expect((await browser.get('/sign-in/oidc')).status).toBe(405);
  });
});

describe('What happened', () => {
  it('is on record: who came in, who was linked, who was refused', async () => {
    await provider.through(browser, subject);
    await service().app.get(PeopleService).disable(COMMAND_LINE, email, true);
    await provider.through(new Browser(service()), subject);
    expect((await owner.read('/api/v1/audit')).entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.signed_in', 'identity.linked', 'person.identity_refused']),
    );
  });

  it('is logged without codes, tokens and what ties them to a browser', async () => {
    const back = await provider.signIn(await departure(browser), subject);
    const query = new URLSearchParams(back.slice(CALLBACK.length));
    const code = query.get('code') ?? '';
    const state = query.get('state') ?? '';
    query.set('state', 'another');
    await browser.get(`${CALLBACK}?${query}`);
    await provider.through(browser, subject);
    expect(service().log).toContain('A sign-in through the provider failed');
    for (const secret of [code, state]) {
      expect(secret).not.toBe('');
      expect(service().log).not.toContain(secret);
    }
  });
});

describe('An identity', () => {
  it('is linked by who is signed in, without a verified address', async () => {
    await provider.put(subject, {});
    await browser.signIn(email);

    expect((await provider.through(browser, subject, {}, LINK)).headers.location).toBe('/account');
    expect((await browser.get('/account')).text).toContain('No email address');
    expect((await provider.through(new Browser(service()), subject)).status).toBe(303);
  });

  it('is linked to whoever began it, in that session alone', async () => {
    await browser.signIn(email);
    const back = await provider.signIn(await departure(browser, {}, LINK), subject);
    const other = await service().makePerson(owner);
    await browser.post('/sign-out');
    await browser.signIn(other.email);

    expect((await browser.get(back)).status).toBe(403);
    expect(await identities()).toEqual([]);
  });

  it('is linked to one person', async () => {
    await provider.through(browser, subject);
    const theirs = await service().makeBrowser(owner);
    expect((await provider.through(theirs, subject, {}, LINK)).status).toBe(409);
    expect(await identities()).toHaveLength(1);
  });

  it('is linked and unlinked with a fresh proof alone', async () => {
    await provider.through(browser, subject);
    const [{ id: identity } = { id: '' }] = await identities();
    clock.forward(11 * MINUTE_MS);
    expect((await browser.post(LINK)).status).toBe(403);
    expect((await browser.post('/account/identities/remove', { identity })).status).toBe(403);
    expect(await identities()).toHaveLength(1);
  });

  it('is unlinked by its person, and by nobody else', async () => {
    await provider.through(browser, subject);
    const [{ id: identity } = { id: '' }] = await identities();
    const theirs = await service().makeBrowser(owner);
    const remove = (who: Browser) => who.post('/account/identities/remove', { identity });
    expect((await remove(theirs)).status).toBe(404);

    expect((await remove(browser)).headers.location).toBe('/account');

    expect(await identities()).toEqual([]);
    expect((await remove(browser)).status).toBe(404);
  });

  it('is listed and unlinked through the API by its account alone', async () => {
    await provider.through(browser, subject);
    const [{ id: identity } = { id: '' }] = await identities();
    const path = `/api/v1/people/${id}/identities` as const;
    await owner.delete(`${path}/nonsense`).expect(refusal(404, 'identity_not_found'));

    await owner.delete(`${path}/${identity}`).expect(200);

    await owner.delete(`${path}/${identity}`).expect(refusal(404, 'identity_not_found'));
    expect(await identities()).toEqual([]);
  });
});
