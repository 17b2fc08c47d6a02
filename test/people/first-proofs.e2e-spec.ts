import { Principal } from '../../src/accounts/access/principal.js';
import { InvitationsService } from '../../src/people/invitations/invitations.service.js';
import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { useOidcServer } from '../support/oidc.js';
import { accountOf, Browser, PASSWORD } from '../support/people.js';
import { useService, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { until } from '../support/until.js';

const THEIRS = 'seven quiet lanterns over water';
const OWN = 'nine brave turnips under bridges';

const mails = useMailServer();
const provider = useOidcServer();
const service = useService(() => ({ ...provider.settings, SMTP_URL: mails.url, BASE_URL: 'http://forms.test' }));

let made = 0;
let email: string;
let elsewhere: Caller;
let owner: Caller;
let id: number;
let intruder: Browser;
beforeEach(async () => {
  email = `victim${++made}@example.com`;
  elsewhere = await service().openAccount();
  owner = await service().openAccount();
  intruder = new Browser(service());
  const secret = await handedOut(elsewhere);
  expect((await accept(intruder, secret, THEIRS)).status).toBe(303);
  id = (await service().app.get(PeopleRepository).getByEmail(email)).id;
  await service().makePasskey(id);
  await service().makeIdentity(id);
});

async function handedOut(from: Caller): Promise<string> {
  const person = { email, name: 'V', role: 'owner', send: false };
  return (await from.create('/api/v1/people', { person })).link?.replace(/^.*#/, '') ?? '';
}

/** Returns the part after `#` in the emailed link. */
async function mailed(from: Caller): Promise<string> {
  const person = { email, name: 'V', role: 'owner' };
  await from.post('/api/v1/people', { person }).expect(201);
  return linkOf(/\/invitation\?[^#\s]+#(\S+)/);
}

async function linkOf(pattern: RegExp): Promise<string> {
  const texts = () => mails.to(email).map(({ mail: { text = '' } }) => pattern.exec(text)?.[1]);
  await until(() => texts().some((link) => link !== undefined));
  return texts().find((link) => link !== undefined) ?? '';
}

const accept = (browser: Browser, invitation: string, password: string) =>
  browser.post('/invitation/accept', { invitation, name: 'Vera', password });

async function signInByMail(browser: Browser) {
  await browser.post('/sign-in/link', { email });
  const code = await linkOf(/\/sign-in\/link#(\S+)/);
  return browser.post('/sign-in/link/use', { code });
}

async function setUp(browser: Browser) {
  const code = await service().setupCodeOf(owner);
  return browser.post('/setup', { code, email, name: 'Vera', password: OWN });
}

async function throughProvider(browser: Browser) {
  await provider.put(email, { email, email_verified: true, name: 'Vera' });
  return provider.through(browser, email);
}

async function passedOn(browser: Browser) {
  const { link } = await service()
    .app.get(InvitationsService)
    .invite(Principal.operator(await accountOf(owner)), { email, name: 'V' }, { clientId: null, role: 'owner' }, false);
  return accept(browser, link?.replace(/^.*#/, '') ?? '', OWN);
}

/** Returns the ways in that the earlier person still has. */
async function leftOvers() {
  const { body } = await elsewhere.get(`/api/v1/people/${id}/identities`).expect(200);
  const { identities } = body as { identities: { issuer: string }[] };
  return {
    session: (await intruder.get('/account')).status === 200,
    password: (await new Browser(service()).signIn(email, THEIRS)).status === 303,
    identity: identities.some(({ issuer }) => issuer === 'https://accounts.example.com'),
  };
}

const NOTHING = { session: false, password: false, identity: false };

describe('The first proof that an address is theirs', () => {
  it.each([
    ['a link that signs in by mail', signInByMail],
    ['the provider', throughProvider],
    ['a setup code', setUp],
    ['an invitation that was mailed', async (at: Browser) => accept(at, await mailed(owner), OWN)],
    ['an invitation that the operator passed on', passedOn],
  ])('ends what somebody else had made before: %s', async (_, prove) => {
    expect(await leftOvers()).toEqual({ session: true, password: true, identity: true });
    const victim = new Browser(service());

    expect((await prove(victim)).status).toBe(303);

    expect(await leftOvers()).toEqual(NOTHING);
    expect((await victim.get('/account')).status).toBe(200);
    expect((await victim.call('get', '/api/v1/me/passkeys')).body).toEqual({ passkeys: [] });
    const told = () => mails.to(email).map(({ mail }) => mail.subject);
    await until(() => told().includes('Your sign-in settings changed'));
  });

  it('ends nothing when it comes again', async () => {
    const victim = new Browser(service());
    await signInByMail(victim);
    await victim.post('/account/password', { current: '', password: OWN });

    await throughProvider(new Browser(service()));

    expect((await victim.get('/account')).status).toBe(200);
    expect((await new Browser(service()).signIn(email, OWN)).status).toBe(303);
  });

  it('is what a second membership waits for', async () => {
    const secret = await handedOut(owner);

    expect((await accept(intruder, secret, '')).status).toBe(409);

    const victim = new Browser(service());
    await signInByMail(victim);
    expect((await accept(victim, secret, '')).status).toBe(303);
  });

  it('is an invitation that was mailed, also for who is signed in', async () => {
    const other = new Browser(service());
    await other.signIn(email, THEIRS);

    expect((await accept(intruder, await mailed(owner), '')).status).toBe(303);

    expect((await intruder.get('/account')).status).toBe(200);
    expect((await other.get('/account')).status).toBe(303);
    expect((await new Browser(service()).signIn(email, THEIRS)).status).not.toBe(303);
  });

  it('takes nothing from a person whose address is proved', async () => {
    await signInByMail(new Browser(service()));
    expect((await accept(new Browser(service()), await mailed(owner), PASSWORD)).status).toBe(409);
  });
});
