import type { Response } from 'supertest';
import type { Schemas } from '../../build/api.js';
import { COMMAND_LINE } from '../../src/accounts/access/principal.js';
import { IdentitiesService } from '../../src/people/credentials/identities.service.js';
import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { Person } from '../../src/people/person/person.entity.js';
import type { SignedIn } from '../../src/people/sign-in/sign-in.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { PeopleService } from '../../src/people/members/members.service.js';
import { Authenticator, type Answer, type Misbehaviour } from '../support/authenticator.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { hiddenOf } from '../support/page.js';
import { Browser, PASSWORD } from '../support/people.js';
import { useService, type Caller } from '../support/service.js';

const ORIGIN = 'https://forms.example.com';
const PASSKEYS = '/api/v1/me/passkeys';
const SIGN_IN = '/api/v1/sign-in/passkey';

const service = useService({ BASE_URL: ORIGIN });
const clock = useClock();
let owner: Caller;
let email: string;
let browser: Browser;
beforeEach(async () => {
  ({ owner, email, browser } = await service().openWithOwner());
});

const optionsOf = ({ status, body }: Response) => {
  expect({ status, body: body }).toMatchObject({ status: 200 });
  return body.options;
};
const codeOf = ({ body }: Response) => body.type.replace(/^.*:/, '');

/** Makes a passkey in a browser that is signed in. */
async function add(device: Authenticator, { at = browser, name = 'Laptop', wrong = {} } = {}): Promise<Response> {
  const options = optionsOf(await at.call('post', `${PASSKEYS}/options`));
  const credential = device.make(options, wrong);
  return at.call('post', PASSKEYS, { passkey: { name }, credential });
}

async function added(device = new Authenticator(ORIGIN), name = 'Laptop'): Promise<Authenticator> {
  const { status, body } = await add(device, { name });
  expect({ status, body: body }).toMatchObject({ status: 201, body: { name } });
  return device;
}

/** Returns the answer of the device for a signed-out person. */
const answered = async (device: Authenticator, wrong: Misbehaviour = {}): Promise<Answer> =>
  device.sign(optionsOf(await new Browser(service()).call('post', `${SIGN_IN}/options`)), wrong);

const signIn = async (credential: object, at = new Browser(service())) => ({
  at,
  response: await at.call('post', SIGN_IN, { credential }),
});

const listed = async (at = browser) => (await at.call('get', PASSKEYS)).body.passkeys as Schemas['PasskeyDto'][];

describe('A passkey', () => {
  it('signs in without an address, and no code is asked for', async () => {
    const device = await added();
    const { at, response } = await signIn(await answered(device));

    expect(response.status).toBe(200);
    expect((await at.get('/account')).text).toContain(email);
    expect((await at.get('/account')).text).toContain('by passkey');
    const [{ last_used_at: used } = { last_used_at: null }] = await listed(at);
    expect(used).not.toBeNull();
  });

  it('is one of several, each with its name, and each can be renamed and removed', async () => {
    const [laptop, phone] = [await added(), await added(new Authenticator(ORIGIN, false), 'Phone')];
    const [first, second] = await listed();
    expect(await listed()).toMatchObject([
      { name: 'Laptop', last_used_at: null },
      { name: 'Phone', last_used_at: null },
    ]);

    const renamed = await browser.call('patch', `${PASSKEYS}/${second?.id ?? ''}`, { passkey: { name: ' My phone ' } });
    expect(renamed.body).toMatchObject({ id: second?.id, name: 'My phone' });
    expect((await browser.call('delete', `${PASSKEYS}/${first?.id ?? ''}`)).status).toBe(200);

    expect(await listed()).toMatchObject([{ name: 'My phone' }]);
    expect((await signIn(await answered(laptop))).response.status).toBe(422);
    for (let uses = 0; uses < 2; uses++) {
      expect((await signIn(await answered(phone))).response.status).toBe(200);
    }
  });

  it('is not made twice by one device', async () => {
    const device = await added();
    const options = optionsOf(await browser.call('post', `${PASSKEYS}/options`));
    expect(options).toMatchObject({
      rp: { id: 'forms.example.com' },
      excludeCredentials: [{ id: device.id.toString('base64url') }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const again = await add(device);
    expect([again.status, codeOf(again)]).toEqual([409, 'passkey_known']);
  });

  it('is one of at most twenty', async () => {
    for (let made = 0; made < 20; made++) await added();
    const more = await browser.call('post', `${PASSKEYS}/options`);
    expect([more.status, codeOf(more)]).toEqual([409, 'too_many_passkeys']);
  });

  it('ends all other sessions when it comes and goes', async () => {
    for (const change of [() => added(), async () => removeAll()]) {
      const phone = await Browser.of(service(), email);
      await change();
      expect((await phone.get('/account')).status).toBe(303);
      expect((await browser.get('/account')).status).toBe(200);
    }
  });

  it('leaves an entry in the audit log when it comes, is renamed, used and goes', async () => {
    const device = await added();
    const [{ id } = { id: '' }] = await listed();
    await browser.call('patch', `${PASSKEYS}/${id}`, { passkey: { name: 'Old laptop' } });
    await signIn(await answered(device));
    await signIn(await answered(device, { uses: 0 }));
    await browser.call('delete', `${PASSKEYS}/${id}`);

    expect((await owner.read('/api/v1/audit')).entries.slice(0, 5)).toMatchObject([
      { action: 'person.factor_removed', details: { factor: 'passkey', passkey: 'Old laptop' } },
      { action: 'person.sign_in_refused' },
      { action: 'person.signed_in', details: { way: 'passkey' } },
      { action: 'person.passkey_renamed', details: { passkey: 'Old laptop', before: 'Laptop' } },
      { action: 'person.factor_added', details: { factor: 'passkey', passkey: 'Laptop' } },
    ]);
  });

  it('lets nobody in who is disabled', async () => {
    const credential = await answered(await added());
    await service().app.get(PeopleService).disable(COMMAND_LINE, email, true);
    expect((await signIn(credential)).response.status).toBe(422);
  });
});

async function removeAll(): Promise<void> {
  for (const { id } of await listed()) await browser.call('delete', `${PASSKEYS}/${id}`);
}

describe('A passkey is refused', () => {
  it.each<[string, Misbehaviour]>([
    ['made for another origin', { origin: 'https://forms.example.com.evil.example' }],
    ['made on plain http', { origin: 'http://forms.example.com' }],
    ['made for another site', { rpId: 'evil.example' }],
    ['made without asking who it is', { isVerified: false }],
  ])('when it was %s', async (_, wrong) => {
    const made = await add(new Authenticator(ORIGIN), { wrong });
    expect([made.status, codeOf(made)]).toEqual([422, 'passkey_refused']);
    expect(await listed()).toEqual([]);

    const device = await added();
    const { at, response } = await signIn(await answered(device, wrong));
    expect([response.status, codeOf(response)]).toEqual([422, 'passkey_refused']);
    expect(at.session).toBeUndefined();
  });

  it('when its answer comes a second time, also at the same moment', async () => {
    const device = await added(new Authenticator(ORIGIN, false));
    const credential = await answered(device);
    const tries = await Promise.all([signIn(credential), signIn(credential)]);
    expect(tries.map(({ response }) => response.status).sort()).toEqual([200, 422]);
    expect((await signIn(credential)).response.status).toBe(422);
  });

  it('when its making comes a second time', async () => {
    const options = optionsOf(await browser.call('post', `${PASSKEYS}/options`));
    const body = { passkey: { name: 'x' }, credential: new Authenticator(ORIGIN).make(options) };
    expect((await browser.call('post', PASSKEYS, body)).status).toBe(201);
    await removeAll();
    expect((await browser.call('post', PASSKEYS, body)).status).toBe(422);
  });

  it('when the answer took more than five minutes', async () => {
    const device = await added();
    const credential = await answered(device);
    clock.forward(5 * MINUTE_MS + 1_000);
    expect((await signIn(credential)).response.status).toBe(422);
  });

  it('when the challenge is for something else, of another session, or of our own making', async () => {
    const device = await added();
    const proof = optionsOf(await browser.call('post', `${PASSKEYS}/proof-options`));
    expect((await signIn(device.sign(proof))).response.status).toBe(422);
    const forged = { ...proof, challenge: Buffer.alloc(52, 1).toString('base64url') };
    expect((await signIn(device.sign(forged))).response.status).toBe(422);

    const other = await Browser.of(service(), email);
    const options = optionsOf(await other.call('post', `${PASSKEYS}/options`));
    const credential = new Authenticator(ORIGIN).make(options);
    const stolen = await browser.call('post', PASSKEYS, { passkey: { name: 'x' }, credential });
    expect(stolen.status).toBe(422);
  });

  it('when a copy of it was used before', async () => {
    const device = await added();
    expect((await signIn(await answered(device, { uses: 7 }))).response.status).toBe(200);
    for (const uses of [7, 3, 0]) {
      expect((await signIn(await answered(device, { uses }))).response.status).toBe(422);
    }
    expect((await signIn(await answered(device, { uses: 8 }))).response.status).toBe(200);
  });

  it("when it answers by another's id, or for another person", async () => {
    const mine = await added();
    const other = await service().makeBrowser(owner);
    const device = new Authenticator(ORIGIN);
    await add(device, { at: other });

    const id = mine.id.toString('base64url');
    const credential = { ...(await answered(device)), id, rawId: id };
    expect((await signIn(credential)).response.status).toBe(422);
    const handle = Buffer.alloc(16, 1).toString('base64url');
    expect((await signIn(await answered(mine, { userHandle: handle }))).response.status).toBe(422);
  });

  it('when it is nothing of the kind, in the same words', async () => {
    const device = await added();
    const right = await answered(device);
    const { response } = right;
    for (const credential of [
      {},
      { id: 5 },
      { id: 'a', rawId: 'b' },
      { ...right, response: null },
      { ...right, response: { ...response, clientDataJSON: 'AAAA' } },
      { ...right, response: { ...response, signature: '' } },
      { ...right, response: { ...response, authenticatorData: 'AAAA' } },
      { ...right, type: 'password' },
    ]) {
      const refused = (await signIn(credential)).response;
      expect([refused.status, codeOf(refused)]).toEqual([422, 'passkey_refused']);
      const options = optionsOf(await browser.call('post', `${PASSKEYS}/options`));
      const made = new Authenticator(ORIGIN).make(options);
      const odd = { ...made, ...credential };
      const answer = await browser.call('post', PASSKEYS, { passkey: { name: 'x' }, credential: odd });
      expect({ credential, status: answer.status < 500 }).toEqual({ credential, status: true });
    }
  });
});

it("Another person's passkey is answered like an unknown one", async () => {
  await added();
  const [{ id } = { id: '' }] = await listed();
  const other = await service().makeBrowser(owner);

  for (const path of [id, '0190163d-8694-739b-aea5-966c26f8ad91', 'nothing']) {
    const renamed = await other.call('patch', `${PASSKEYS}/${path}`, { passkey: { name: 'x' } });
    const removed = await other.call('delete', `${PASSKEYS}/${path}`);
    expect([renamed.status, codeOf(renamed)]).toEqual([404, 'passkey_not_found']);
    expect([removed.status, codeOf(removed)]).toEqual([404, 'passkey_not_found']);
  }
  expect(await listed(other)).toEqual([]);
  expect(await listed()).toHaveLength(1);
});

describe('The routes of passkeys', () => {
  it('ask for a fresh proof before ways to sign in change', async () => {
    await added();
    const [{ id } = { id: '' }] = await listed();
    clock.forward(10 * MINUTE_MS);
    const asked = [
      await browser.call('post', `${PASSKEYS}/options`),
      await browser.call('post', PASSKEYS, { passkey: { name: 'x' }, credential: {} }),
      await browser.call('delete', `${PASSKEYS}/${id}`),
    ];
    expect(asked.map(codeOf)).toEqual(Array(3).fill('proof_required'));
    expect(await listed()).toHaveLength(1);
  });
});

describe('Somebody without a password', () => {
  /** Becomes the owner by a passkey alone, as the page of a setup link does. */
  async function becomeOwner(address = 'ada@example.com') {
    const code = await service().setupCodeOf(owner);
    const ada = new Browser(service());
    const typed = { code, email: address, name: 'Ada' };
    const options = optionsOf(await ada.post('/setup/passkey', typed));
    const device = new Authenticator(ORIGIN);
    const credential = JSON.stringify(device.make(options));
    const done = await ada.post('/setup', { ...typed, credential });
    expect([done.status, done.headers.location]).toEqual([303, '/']);
    return { ada, device };
  }

  it('becomes the owner by a passkey, and signs in by it', async () => {
    const { ada, device } = await becomeOwner();
    expect((await ada.get('/account')).text).toContain('Set password');
    const { at, response } = await signIn(await answered(device));
    expect(response.status).toBe(200);
    expect((await at.get('/account')).text).toContain('ada@example.com');
  });

  it('loses all former passkeys by the way back in that the operator gives', async () => {
    const device = await added();
    const { device: fresh } = await becomeOwner(email);
    expect((await signIn(await answered(device))).response.status).toBe(422);
    expect((await signIn(await answered(fresh))).response.status).toBe(200);
    expect((await new Browser(service()).signIn(email)).status).toBe(422);
  });

  it('cannot remove the last way in, until there is another', async () => {
    const { ada, device } = await becomeOwner('eve@example.com');
    const [{ id } = { id: '' }] = await listed(ada);
    const refused = await ada.call('delete', `${PASSKEYS}/${id}`);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'last_way_in']);
    expect((await ada.post(`/account/passkeys/${id}/remove`)).text).toContain('last way to sign in');
    expect((await signIn(await answered(device))).response.status).toBe(200);

    expect((await ada.post('/account/password', { password: PASSWORD })).status).toBe(303);
    expect((await ada.call('delete', `${PASSKEYS}/${id}`)).status).toBe(200);
    expect((await new Browser(service()).signIn('eve@example.com')).status).toBe(303);
  });

  it('may remove the last passkey with an identity at a provider, and then not that', async () => {
    const { ada } = await becomeOwner('lea@example.com');
    const lea = await service().app.get(PeopleRepository).findByEmail('lea@example.com');
    const claims = { issuer: 'https://id.example.com', subject: 'lea', email: null };
    await service()
      .app.get(UnitOfWork)
      .run((tx) =>
        service()
          .app.get(IdentitiesService)
          .add(tx, lea ?? new Person(), claims, '192.0.2.1'),
      );
    const [{ id } = { id: '' }] = await listed(ada);
    expect((await ada.call('delete', `${PASSKEYS}/${id}`)).status).toBe(200);

    const { text } = await ada.get('/account');
    const [identity] = await service()
      .app.get(IdentitiesService)
      .listOf(lea ?? new Person());
    expect(text).toContain('id.example.com');
    const signedIn = { person: lea, principal: null } as unknown as SignedIn;
    const removing = service()
      .app.get(IdentitiesService)
      .removeOwn(signedIn, identity?.id ?? null, '192.0.2.1');
    await expect(removing).rejects.toThrow('last way to sign in');
  });

  it('does not lose the last two at the same moment', async () => {
    const { ada } = await becomeOwner('ida@example.com');
    await add(new Authenticator(ORIGIN), { at: ada });
    const ids = (await listed(ada)).map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => ada.call('delete', `${PASSKEYS}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('proves by the passkey that it is still the same person', async () => {
    const { ada, device } = await becomeOwner('joy@example.com');
    clock.forward(11 * MINUTE_MS);
    const asked = await ada.post('/account/password', { password: PASSWORD });
    expect(asked.status).toBe(403);
    expect(asked.text).not.toContain('name="proof_password"');
    const kept = hiddenOf(asked.text);
    expect(kept).toMatchObject({ password: PASSWORD });
    const options = optionsOf(await ada.call('post', `${PASSKEYS}/proof-options`));
    const proof = JSON.stringify(device.sign(options));

    expect((await ada.post('/confirm', { ...kept, proof_credential: '{}' })).status).toBe(422);
    const proved = await ada.post('/confirm', { ...kept, proof_credential: proof });

    expect([proved.status, proved.headers.location]).toEqual([307, '/account/password']);
    expect((await ada.post('/account/password', { password: PASSWORD })).status).toBe(303);
    expect((await ada.post('/confirm', { ...kept, proof_credential: proof })).status).toBe(422);
  });

  it("proves nothing by another person's passkey", async () => {
    const device = await added();
    const { ada } = await becomeOwner('kim@example.com');
    const options = optionsOf(await ada.call('post', `${PASSKEYS}/proof-options`));
    const proof = JSON.stringify(device.sign(options));
    const refused = await ada.post('/confirm', { proof_to: '/', proof_credential: proof });
    expect(refused.status).toBe(422);
  });
});
