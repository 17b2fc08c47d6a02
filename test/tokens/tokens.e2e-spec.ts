import { RIGHTS } from '../../src/accounts/access/principal.js';
import { isPlausibleSecret } from '../../src/platform/kernel/token-secret.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const TOKENS = '/api/v1/tokens';

const service = useService();
const owner = useOwner(service, 'Example Ltd', 'office@example.com');

describe('Issuing a token', () => {
  it('answers the secret once; lists and /me never show it', async () => {
    const terms = { name: ' CI ', rights: ['forms:read'], expires_at: '2100-01-31T12:00:00+01:00' };

    const { token: secret, ...shown } = await owner.create(TOKENS, { token: terms });
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'CI',
      rights: ['forms:read'],
      client_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: '2100-01-31T11:00:00.000Z',
      last_used_at: null,
    });
    expect(secret).toMatch(/^fcs_[0-9A-Za-z]{36}$/);
    expect(isPlausibleSecret(secret)).toBe(true);
    const list = await owner.get(`${TOKENS}/`).expect(200);
    expect(list.body.tokens).toContainEqual(shown);
    expect(list.text).not.toContain(secret);
    expect((await service().as(secret).get('/api/v1/me').expect(200)).text).not.toContain(secret);
  });

  it('gives every right when none is named', async () => {
    expect((await owner.makeToken()).rights).toEqual(RIGHTS);
    expect((await owner.makeToken({ rights: [] })).rights).toEqual(RIGHTS);
  });

  it.each([
    ['name', [undefined, null, '', ' ', 'x'.repeat(256), 1]],
    ['rights', [null, 'forms:read', ['forms:delete'], [1], [null], Array(RIGHTS.length + 1).fill('forms:read')]],
    ['expires_at', ['', 'tomorrow', '2100-02-30', '31.01.2100', 1, true, {}]],
    ['expires_at', ['2000-01-01T00:00:00Z', '2100-W01-1', '2100-001', '99999-01-01', '+9999-01-01']],
    ['expires_at', ['9999-12-31T23:59:59-12:00']],
    ['client_id', [1]],
    ['token', ['a'.repeat(30)]],
  ])('refuses %s by name when it is not right', async (field, refused: unknown[]) => {
    for (const value of refused) {
      const { status, body } = await owner.post(TOKENS, { token: { name: 'CI', [field]: value } });
      expect({ value, status, body }).toMatchObject({
        value,
        status: 422,
        body: { errors: [{ field: `token.${field}` }] },
      });
    }
  });
});

describe('Revoking a token', () => {
  it('makes it fail on the next request', async () => {
    const { id, token } = await owner.makeToken();
    const holder = service().as(token);
    await holder.get('/api/v1/me').expect(200);

    await owner.delete(`${TOKENS}/${id}`).expect(200, { message: 'The token has been revoked.' });

    await holder.get('/api/v1/me').expect(refusal(401, 'invalid_token'));
    await owner.delete(`${TOKENS}/${id}`).expect(refusal(404, 'token_not_found'));
    expect((await owner.read(TOKENS)).tokens).toHaveLength(1);
  });

  it('may hit the token that is used for it', async () => {
    const { id, token } = await owner.makeToken();

    await service().as(token).delete(`${TOKENS}/${id}/`).expect(200);
    await service().as(token).get('/api/v1/me').expect(401);
  });
});

it('A token stops working when it expires', async () => {
  const expires_at = new Date(Date.now() + 1500).toISOString();
  const holder = service().as((await owner.makeToken({ expires_at })).token);

  expect(await holder.read('/api/v1/me')).toMatchObject({ token: { expires_at } });
  for (;;) {
    const asked = Date.now();
    const answer = await holder.get('/api/v1/me');
    if (answer.status === 200) expect(asked).toBeLessThan(Date.parse(expires_at));
    else {
      refusal(401, 'invalid_token')(answer);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
      return;
    }
  }
});

it('The last use of a token is noted', async () => {
  const { id, token } = await owner.makeToken();
  const before = Date.now();
  await service().as(token).get('/api/v1/me').expect(200);

  let lastUsed: string | null | undefined = null;
  while (lastUsed === null) {
    lastUsed = (await owner.read(TOKENS)).tokens.find((each) => each.id === id)?.last_used_at;
  }

  expect(Date.parse(String(lastUsed))).toBeGreaterThanOrEqual(before);
  expect(Date.parse(String(lastUsed))).toBeLessThanOrEqual(Date.now());
});

describe('A right', () => {
  it('to change submissions shows nothing of them, nor how many a filter finds', async () => {
    const form = await owner.makeForm();
    const id = await service().submit(form, { name: 'Ann' });
    const { token } = await owner.makeToken({ rights: ['submissions:write'] });
    const path = pathOf(form);

    for (const call of [
      service()
        .as(token)
        .patch(`${path}/${id}`, { submission: { spam: true } }),
      service().as(token).post(`${path}/rejudge`, { q: 'Ann', dry_run: true }),
      service().as(token).post(`${path}/rejudge`, { q: 'Ann' }),
    ]) {
      await call.expect(refusal(403, 'missing_right'));
    }
    expect(await owner.read(`${path}/${id}`)).toMatchObject({ spam: false });
  });

  it('that a token lacks cannot be handed on, to the account or to a client', async () => {
    const client = await owner.makeClient();
    const rights = ['tokens:write', 'clients:write', 'forms:read'];
    const holder = service().as((await owner.makeToken({ rights })).token);

    for (const path of [TOKENS, `/api/v1/clients/${client}/tokens`]) {
      for (const wanted of [undefined, [], ['forms:write'], ['forms:read', 'clients:read']]) {
        const token = { name: 'More', rights: wanted };
        await holder.post(path, { token }).expect(refusal(403, 'rights_exceeded'));
      }
      await holder.post(path, { token: { name: 'Same', rights } }).expect(201);
    }
  });
});

describe('What a token issues', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const pathsOf = async () => [TOKENS, `/api/v1/clients/${await owner.makeClient()}/tokens`];

  it('does not outlive it, whether an end is named or not', async () => {
    const expires_at = inAnHour();
    const holder = service().as((await owner.makeToken({ expires_at })).token);

    for (const path of await pathsOf()) {
      for (const wanted of [undefined, null, '2100-01-01', '9999-12-31T23:59:59Z']) {
        const token = { name: 'Longer', expires_at: wanted };
        await holder.post(path, { token }).expect(refusal(403, 'expiry_exceeded'));
      }
      const shorter = new Date(Date.parse(expires_at) - 60_000).toISOString();
      for (const wanted of [expires_at, shorter]) {
        const { body } = await holder.post(path, { token: { name: 'Same', expires_at: wanted } }).expect(201);
        expect(body.expires_at).toBe(wanted);
      }
    }
  });

  it('has a list of rights if it has one itself, though it were a list of all', async () => {
    const holder = service().as((await owner.makeToken({ rights: [...RIGHTS] })).token);

    for (const path of await pathsOf()) {
      for (const rights of [undefined, []]) {
        const token = { name: 'Every, also later ones', rights };
        await holder.post(path, { token }).expect(refusal(403, 'rights_exceeded'));
      }
      await holder.post(path, { token: { name: 'These', rights: [...RIGHTS] } }).expect(201);
    }
  });

  it('goes on working when it is revoked, so that a token can be replaced by another', async () => {
    const former = await owner.makeToken();
    const { token } = await service().as(former.token).makeToken();
    await owner.delete(`${TOKENS}/${former.id}`).expect(200);

    await service().as(token).get('/api/v1/me').expect(200);
    await service().as(former.token).get('/api/v1/me').expect(401);
  });
});

describe('Changing the account', () => {
  const ACCOUNT = '/api/v1/account';

  it('takes the name and where mails go; what is absent stays', async () => {
    const { body } = await owner.patch(ACCOUNT, { account: { name: ' New ' } }).expect(200);
    expect(body).toEqual({ account: { id: expect.any(Number), name: 'New', email: 'office@example.com' } });
    const account = { email: 'New@EXAMPLE.com' };
    const { body: mailed } = await owner.patch(ACCOUNT, { account }).expect(200);
    expect(mailed.account).toMatchObject({ name: 'New', email: 'New@example.com' });
    await owner.patch(ACCOUNT, { account: { email: null } }).expect(200);
    await owner.patch(ACCOUNT, { account: {} }).expect(200);

    expect((await owner.read('/api/v1/me')).account).toMatchObject({ name: 'New', email: null });
  });

  it.each([
    ['name', [null, '', ' ', 'x'.repeat(256), 1]],
    ['email', ['', 'a', 'a@b, c@d', 1]],
    ['id', [2]],
  ])('refuses %s by name when it is not right', async (field, refused: unknown[]) => {
    for (const value of refused) {
      const { status, body } = await owner.patch(ACCOUNT, { account: { [field]: value } });
      expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ field: `account.${field}` }] } });
    }
  });

  it('is for a token of the account itself with every right', async () => {
    const client = await owner.makeClient();
    const { token } = await owner.makeToken({ rights: ['tokens:write', 'forms:write'] });
    const forbidden = refusal(403, 'account_change_forbidden');

    for (const secret of [await owner.makeClientToken(client), token]) {
      const call = service()
        .as(secret)
        .patch(ACCOUNT, { account: { name: 'Mine' } });
      await call.expect(forbidden);
    }
  });
});

it.each(['/api/v1/me', '/api/v1/me/', '/api/v1/me.json'])('Who am I %s tells', async (path) => {
  await owner.makeForm();
  const { id, token } = await owner.makeToken({ name: 'CI', rights: ['submissions:read'] });

  expect(await service().as(token).read(path)).toEqual({
    account: { id: expect.any(Number), name: 'Example Ltd', email: 'office@example.com' },
    token: { id, name: 'CI', rights: ['submissions:read'], client_id: null, expires_at: null },
  });
});
