import { SetupCodesRepository } from '../../src/people/setup/setup-codes.repository.js';
import { SetupService } from '../../src/people/setup/setup.service.js';
import { useClock } from '../support/clock.js';
import { accountOf, Browser, PASSWORD } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner } from '../support/service.js';
import { until } from '../support/until.js';

const PEOPLE = '/api/v1/people';
const service = useService();
const clock = useClock();
const owner = useOwner(service);

/** Invites a person. @returns the part after `#` in the link */
async function invite(path: string, person: object): Promise<{ id: string; secret: string }> {
  const { id, link } = await owner.create(path, { person: { send: false, ...person } });
  return { id, secret: link.replace(/^.*#/, '') };
}

const accept = (browser: Browser, invitation: string) =>
  browser.post('/invitation/accept', { invitation, name: 'Jane', password: PASSWORD });

describe('The settings of a person', () => {
  const SETTINGS = '/api/v1/me/settings';

  it('are their own, and hold in every browser', async () => {
    const [browser, other, stranger] = [1, 2, 3].map(() => new Browser(service()));
    if (!browser || !other || !stranger) throw new Error('There are three.');
    const { email } = await service().makePerson(owner);
    await browser.signIn(email);
    await other.signIn(email);
    await stranger.signIn((await service().makePerson(owner)).email);
    const keysOf = async (of: Browser) => (await of.call('get', SETTINGS)).body;
    const [ON, OFF] = [true, false].map((keys) => ({ settings: { keys, time_zone: 'UTC' } }));

    expect(await keysOf(browser)).toEqual(ON);
    expect((await browser.call('patch', SETTINGS, OFF)).body).toEqual(OFF);
    expect((await other.get('/inbox')).text).toContain('data-off');
    expect((await browser.call('patch', SETTINGS, { settings: {} })).body).toEqual(OFF);
    expect(await keysOf(stranger)).toEqual(ON);
    expect((await stranger.get('/inbox')).text).not.toContain('data-off');
    expect((await other.post('/account/keys', { keys: 'true' })).status).toBe(303);

    expect(await keysOf(browser)).toEqual(ON);
  });

  it('have the time zone in which the pages tell times, from then on', async () => {
    const browser = await service().makeBrowser(owner);
    const zoneOn = async () => / title="[^"]*(UTC|GMT\+9)"/.exec((await browser.get('/account')).text);
    browser.cookies.set('fcs_zone', 'Asia/Tokyo');

    expect((await zoneOn())?.[1]).toBe('UTC');
    expect((await browser.get('/account')).text).toContain('Use this browser’s time zone, Asia/Tokyo');
    const typed = { 'settings.time_zone': 'asia/tokyo' };
    expect((await browser.post('/account/time-zone', typed)).status).toBe(303);
    expect((await zoneOn())?.[1]).toBe('GMT+9');
    expect((await browser.get('/account')).text).not.toContain('Use this browser’s time zone');
    expect((await browser.call('get', SETTINGS)).body).toEqual({ settings: { keys: true, time_zone: 'Asia/Tokyo' } });
    await browser.call('patch', SETTINGS, { settings: { time_zone: 'UTC' } });
    expect((await zoneOn())?.[1]).toBe('UTC');
    const wrong = await browser.post('/account/time-zone', { 'settings.time_zone': 'Mars/Base' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Must be a time zone such as Europe/Berlin');
  });

  it('are yes or no, and no token has them', async () => {
    const browser = await service().makeBrowser(owner);

    for (const sent of [
      {},
      { settings: { keys: 'perhaps' } },
      { settings: { keys: null } },
      { settings: { time_zone: 'Mars' } },
    ])
      expect((await browser.call('patch', SETTINGS, sent)).status).toBe(422);
    expect((await owner.get(SETTINGS)).status).toBe(401);
  });
});

describe('The setup code', () => {
  const claim = (browser: Browser, code: string, email: string) =>
    browser.post('/setup', { code, email, name: 'Ada', password: PASSWORD });

  it('makes an owner once; opening its page uses nothing up', async () => {
    const code = await service().setupCodeOf(owner);
    const [browser, other] = [new Browser(service()), new Browser(service())];
    await browser.get('/setup');
    await browser.head('/setup');
    // Both find the code before either takes it.
    const codes = service().app.get(SetupCodesRepository);
    const find = codes.findByDigest.bind(codes);
    let found = 0;
    jest.spyOn(codes, 'findByDigest').mockImplementation(async (digest) => {
      const code = await find(digest);
      found++;
      await until(() => found > 1);
      return code;
    });

    const answers = await Promise.all([claim(browser, code, 'ada@example.com'), claim(other, code, 'eve@example.com')]);

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect((await owner.read(PEOPLE)).people.map(({ role }) => role)).toEqual(['owner']);
    expect((await claim(new Browser(service()), code, 'mallory@example.com')).status).toBe(404);
  });

  it('has forms tell the owner from then on, unless the account has an address', async () => {
    const code = await service().setupCodeOf(owner);
    await owner.patch('/api/v1/account', { account: { email: null } }).expect(200);
    await claim(new Browser(service()), code, 'ada@example.com');
    expect((await owner.get('/api/v1/me').expect(200)).body).toMatchObject({ account: { email: 'ada@example.com' } });

    const later = await service().setupCodeOf(owner);
    await claim(new Browser(service()), later, 'bob@example.com');
    expect((await owner.get('/api/v1/me').expect(200)).body).toMatchObject({ account: { email: 'ada@example.com' } });
  });

  it('is the way back in: the person gets a new password, and former sessions end', async () => {
    const { email } = await service().makePerson(owner);
    const lost = await Browser.of(service(), email);
    const code = await service().setupCodeOf(owner);
    const password = 'seven green kettles in the fog';

    await lost.post('/setup', { code, email, name: 'Ada', password });

    expect((await new Browser(service()).signIn(email)).status).toBe(422);
    expect((await new Browser(service()).signIn(email, password)).status).toBe(303);
  });

  it('gives way to the next one, and is not used up by a poor password', async () => {
    const setup = service().app.get(SetupService);
    const account = await accountOf(owner);
    const [former, code] = [await setup.issueFor(account), await setup.issueFor(account)];
    const browser = new Browser(service());
    expect((await claim(browser, former, 'bob@example.com')).status).toBe(404);
    const poor = { code, email: 'bob@example.com', name: 'Bob', password: 'passwordpassword' };
    expect((await browser.post('/setup', poor)).status).toBe(422);
    expect((await claim(browser, code, 'bob@example.com')).status).toBe(303);
  });
});

describe('An invitation', () => {
  it('makes a member of the role it names, once', async () => {
    const { secret } = await invite(PEOPLE, { email: 'j1@example.com', name: 'J', role: 'viewer' });
    const browser = new Browser(service());
    await browser.get('/invitation');
    expect((await browser.post('/invitation', { invitation: secret })).text).toContain('An account');

    expect((await accept(browser, secret)).status).toBe(303);

    expect((await owner.get(PEOPLE)).body).toMatchObject({
      people: [{ name: 'Jane', email: 'j1@example.com', role: 'viewer', disabled: false }],
    });
    expect((await accept(new Browser(service()), secret)).status).toBe(404);
    expect((await browser.get('/account')).text).toContain('Viewer');
  });

  it('cannot be accepted when it was taken back', async () => {
    const { id, secret } = await invite(PEOPLE, { email: 'j2@example.com', name: 'J', role: 'editor' });
    const { body } = await owner.get('/api/v1/invitations').expect(200);
    expect(body).toMatchObject({ invitations: [{ id, role: 'editor', client_id: null }] });
    expect(JSON.stringify(body)).not.toContain(secret);

    await owner.delete(`/api/v1/invitations/${id}`).expect(200);

    expect((await accept(new Browser(service()), secret)).status).toBe(404);
  });

  it('takes nobody over: who signs in already has to, and only with its address', async () => {
    const known = await service().makePerson(await service().openAccount());
    const stranger = await service().makePerson(await service().openAccount());
    const { secret } = await invite(PEOPLE, { email: known.email, name: 'J', role: 'editor' });

    expect((await accept(new Browser(service()), secret)).status).toBe(409);
    const theirs = await Browser.of(service(), stranger.email);
    expect((await accept(theirs, secret)).status).toBe(403);

    const browser = await Browser.of(service(), known.email);
    expect((await accept(browser, secret)).status).toBe(303);
    const { text } = await browser.get('/account');
    const [, place = ''] = /plain" name="membership" value="(\d+)"/.exec(text) ?? [];
    expect((await browser.post('/account/switch', { membership: place })).status).toBe(303);
    expect((await browser.get('/account')).text).not.toContain(`plain" name="membership" value="${place}"`);
  });

  it('is mailed to its address, and then shown to nobody else', async () => {
    const person = { email: 'j3@example.com', name: 'J', role: 'viewer' };
    expect(await owner.create(PEOPLE, { person })).toMatchObject({ link: null });
  });

  it('is mailed to one address only so often, whoever invites', async () => {
    clock.stop();
    const email = 'bomb@victim.example';
    const stranger = await service().openAccount();
    const statuses: number[] = [];
    for (const inviter of [owner, stranger, owner, stranger, owner, stranger]) {
      const spelled = inviter === owner ? email : email.toUpperCase();
      const person = { email: spelled, name: 'J', role: 'viewer' };
      statuses.push((await inviter.post(PEOPLE, { person })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);

    const id = (await owner.read('/api/v1/invitations')).invitations[0]?.id ?? '';
    await owner.post(`/api/v1/invitations/${id}/resend`, {}).expect(refusal(429, 'rate_limited'));
    const other = { email: 'other@example.com', name: 'J', role: 'viewer' };
    await owner.post(PEOPLE, { person: other }).expect(201);
    await invite(PEOPLE, { email, name: 'J', role: 'viewer' });
  });

  it('takes the place of a former one of the same address to the same account or client', async () => {
    const former = await invite(PEOPLE, { email: 'j5@example.com', name: 'J', role: 'editor' });
    const client = await owner.makeClient();
    const theirs = await invite(`/api/v1/clients/${client}/people`, { email: 'j5@example.com', name: 'J' });
    const later = await invite(PEOPLE, { email: 'J5@example.com', name: 'J', role: 'viewer' });

    const { body } = await owner.get('/api/v1/invitations').expect(200);
    expect(body.invitations.map(({ id }) => id)).toEqual([later.id, theirs.id]);
    expect((await accept(new Browser(service()), former.secret)).status).toBe(404);
    expect((await accept(new Browser(service()), later.secret)).status).toBe(303);
  });

  it('goes to no name that holds a web address', async () => {
    const person = { email: 'j6@example.com', name: 'WIN http://evil.example/', role: 'viewer' };
    const { body } = await owner.post(PEOPLE, { person }).expect(422);
    expect(body).toMatchObject({ errors: [{ code: 'not_a_name' }] });
  });

  it('is withdrawn by who might have given it alone', async () => {
    const { id } = await invite(PEOPLE, { email: 'boss@example.com', name: 'B', role: 'owner' });
    const rights = ['people:read', 'people:write'];
    const few = service().as((await owner.makeToken({ rights })).token);

    const path = `/api/v1/invitations/${id}` as const;
    await few.delete(path).expect(refusal(403, 'role_exceeded'));
    await owner.delete(path).expect(200);
  });

  it('gives no more than its maker has', async () => {
    const person = { email: 'j4@example.com', name: 'J', send: false };
    const rights = ['people:read', 'people:write', 'forms:read', 'clients:read', 'submissions:read'];
    const some = service().as((await owner.makeToken({ rights })).token);
    await some.post(PEOPLE, { person: { ...person, role: 'viewer' } }).expect(201);
    for (const role of ['editor', 'owner']) {
      await some.post(PEOPLE, { person: { ...person, role } }).expect(refusal(403, 'role_exceeded'));
    }
    const client = await owner.makeClientCaller();
    await client.post(PEOPLE, { person: { ...person, role: 'viewer' } }).expect(refusal(403, 'invitation_forbidden'));
    expect((await client.get(PEOPLE).expect(200)).body).toEqual({ people: [] });
  });
});

describe('A member', () => {
  it('gets another role, is kept out at once and let in again', async () => {
    await service().makePerson(owner);
    const { id, email } = await service().makePerson(owner, { clientId: null, role: 'editor' });
    const browser = await Browser.of(service(), email);

    const { body } = await owner.patch(`${PEOPLE}/${id}`, { person: { role: 'viewer' } }).expect(200);
    expect(body).toMatchObject({ id, role: 'viewer' });
    await owner.patch(`${PEOPLE}/${id}`, { person: { disabled: true } }).expect(200);
    expect((await browser.get('/account')).text).toContain('You have no workspace yet');
    expect((await browser.get('/forms')).status).toBe(303);
    await owner.patch(`${PEOPLE}/${id}`, { person: { disabled: false } }).expect(200);
    expect((await browser.get('/account')).text).toContain('Viewer');
    await owner.delete(`${PEOPLE}/${id}`).expect(200);
    expect((await browser.get('/account')).text).toContain('You have no workspace yet');
  });

  it('who is the last owner stays one, whoever tries at once', async () => {
    const [a, b] = [await service().makePerson(owner), await service().makePerson(owner)];
    const answers = await Promise.all(
      [a, b].map(({ id }) => owner.patch(`${PEOPLE}/${id}`, { person: { role: 'viewer' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const left = answers[0]?.status === 409 ? a : b;
    await owner.delete(`${PEOPLE}/${left.id}`).expect(refusal(409, 'last_owner'));
    await owner.patch(`${PEOPLE}/${left.id}`, { person: { disabled: true } }).expect(refusal(409, 'last_owner'));
  });

  it('is not changed by who may do less', async () => {
    await service().makePerson(owner);
    const { id } = await service().makePerson(owner);
    const rights = ['people:write', 'forms:read', 'clients:read', 'submissions:read'];
    const some = service().as((await owner.makeToken({ rights })).token);
    await some.patch(`${PEOPLE}/${id}`, { person: { role: 'viewer' } }).expect(refusal(403, 'role_exceeded'));
  });
});

it('The people of a client are invited with the actions they may take, and seen by their account alone', async () => {
  const client = await owner.makeClient();
  const path = `/api/v1/clients/${client}/people` as const;
  const { secret } = await invite(path, { email: 'c1@example.com', name: 'C', actions: ['export'] });
  const browser = new Browser(service());
  await accept(browser, secret);

  const { people } = await owner.read(path);
  expect(people).toMatchObject([{ email: 'c1@example.com', actions: ['see', 'export'] }]);
  expect((await owner.get(PEOPLE)).body).toEqual({ people: [] });
  await owner.patch(`${path}/${people[0]?.id ?? 0}`, { person: { actions: ['triage'] } }).expect(200);
  expect((await browser.get('/account')).text).toContain('<span class="hint">Client');

  expect((await browser.get('/inbox')).status).toBe(200);
  await owner.delete(`/api/v1/clients/${client}`).expect(200);
  expect((await browser.get('/account')).text).toContain('You have no workspace yet');
  expect((await browser.get('/inbox')).status).toBe(303);
});
