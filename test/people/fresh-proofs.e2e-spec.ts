import { MINUTE_MS, useClock } from '../support/clock.js';
import { elementsOf, hiddenOf } from '../support/page.js';
import { Browser, PASSWORD } from '../support/people.js';
import { codeOf, switchOnTotp } from '../support/second-factor.js';
import { useService, useOwner, useSignedIn } from '../support/service.js';

const service = useService();
const clock = useClock();
let other: { id: number; email: string };
const owner = useOwner(service);
const browser = useSignedIn(service, owner);
beforeEach(async () => {
  other = await service().makePerson(owner);
});

/** Values of the hidden fields of this name, in order. */
const valuesOf = (page: string, wanted: string) =>
  elementsOf(page)
    .filter(({ name, attributes }) => name === 'input' && attributes.name === wanted)
    .map(({ attributes }) => attributes.value);

async function invitationOf(): Promise<string> {
  const person = { email: 'new@example.com', name: 'New', role: 'viewer', send: false };
  return (await owner.create('/api/v1/people', { person })).id;
}

const FORMS: Record<string, () => Promise<[path: string, fields: Record<string, string>]>> = {
  'makes a token': () => Promise.resolve(['/tokens', { 'token.name': 'Robot' }]),
  'invites a person': () =>
    Promise.resolve(['/people', { 'person.name': 'Jo', 'person.email': 'jo@example.com', 'person.role': 'viewer' }]),
  'makes a new link for an invitation': async () => [`/invitations/${await invitationOf()}/resend`, {}],
  'changes a role': () => Promise.resolve([`/people/${other.id}`, { 'person.role': 'viewer' }]),
  'removes a person': () => Promise.resolve([`/people/${other.id}/remove`, {}]),
  'signs a person out': () => Promise.resolve([`/people/${other.id}/sessions/end`, {}]),
  'makes a new secret for a webhook': async () => [
    `${await owner.firstPath(await owner.makeForm(), 'webhook')}/secret`,
    {},
  ],
  'removes a passkey': () => Promise.resolve(['/account/passkeys/x/remove', {}]),
  'adds a passkey': () => Promise.resolve(['/account/passkeys', { name: 'Laptop' }]),
  'switches codes off': () => Promise.resolve(['/account/totp/remove', {}]),
  'erases a visitor': async () => {
    const email = 'visitor@example.com';
    await service().submit(await owner.makeForm(), { email });
    return [`/visitors/${encodeURIComponent(email)}/erase`, { typed_email: email }];
  },
  'makes recovery codes': () => Promise.resolve(['/account/totp/codes', {}]),
};

describe('A form of a page', () => {
  it.each(Object.entries(FORMS))(
    'that %s asks who it is after ten minutes, and keeps what was typed',
    async (_, make) => {
      const [path, fields] = await make();
      expect((await browser.post(path, fields)).text).not.toContain('Confirm it’s you');
      clock.forward(10 * MINUTE_MS);

      const asked = await browser.post(path, fields);
      expect(asked.status).toBe(403);
      expect(asked.text).toContain('Confirm it’s you');
      const kept = hiddenOf(asked.text);
      expect(kept).toMatchObject(fields);
      const proved = await browser.post('/confirm', { ...kept, proof_password: PASSWORD });

      expect([proved.status, proved.headers.location]).toEqual([307, path]);
      expect((await browser.post(path, fields)).text).not.toContain('Confirm it’s you');
    },
  );

  it('keeps every one of several boxes that were ticked', async () => {
    clock.forward(10 * MINUTE_MS);
    const ticked = ['forms:read', 'submissions:read'];
    const asked = await browser.post('/tokens', { 'token.name': 'Robot', 'token.rights': ticked as unknown as string });
    expect(valuesOf(asked.text, 'token.rights')).toEqual(ticked);
  });

  it('is not interrupted where it changes what it always may', async () => {
    clock.forward(10 * MINUTE_MS);
    expect((await browser.post('/forms', { 'form.name': 'Contact' })).status).toBe(303);
    expect((await browser.get('/tokens')).status).toBe(200);
  });
});

it('A token is asked for no proof', async () => {
  clock.forward(60 * MINUTE_MS);
  await owner.post('/api/v1/tokens', { token: { name: 'Robot' } }).expect(201);
  await owner.patch(`/api/v1/people/${other.id}`, { person: { role: 'viewer' } }).expect(200);
});

describe('A proof', () => {
  it('is the password or a code of the app, whichever comes', async () => {
    const { secret, codes } = await switchOnTotp(browser, clock);
    clock.forward(11 * MINUTE_MS);
    const asked = await browser.get('/account/totp');
    expect(asked.text).toContain('name="proof_password"');
    expect(asked.text).toContain('name="proof_code"');
    const kept = hiddenOf(asked.text);

    const wrong = await browser.post('/confirm', { ...kept, proof_code: '000000' });
    expect(wrong.status).toBe(422);
    expect(hiddenOf(wrong.text)).toEqual(kept);
    const proof_code = codeOf(secret, clock);
    expect((await browser.post('/confirm', { ...kept, proof_code })).status).toBe(303);
    expect((await browser.get('/account/totp')).status).toBe(200);
    clock.forward(11 * MINUTE_MS);
    expect((await browser.post('/confirm', { ...kept, proof_code })).status).toBe(422);
    const recovery = { ...kept, proof_code: codes[0] ?? '' };
    expect((await browser.post('/confirm', recovery)).status).toBe(303);
    expect((await browser.post('/confirm', recovery)).status).toBe(422);
  });

  it('is nothing at all for nobody', async () => {
    const stranger = await new Browser(service()).post('/confirm', { proof_to: '/tokens' });
    expect(stranger.headers.location).toBe('/sign-in');
    for (const field of ['proof_password', 'proof_code', 'proof_credential', 'none']) {
      expect((await browser.post('/confirm', { proof_to: '/', [field]: 'x' })).status).toBe(422);
    }
  });
});
