import { RIGHTS } from '../../src/accounts/access/principal.js';
import { refusal } from '../support/refusal.js';
import { API_ROUTES } from '../support/caller.js';
import { useService, type Caller } from '../support/service.js';

const ROUTES = API_ROUTES.map((route) => ({ ...route, path: route.path.replace(/\{\w+\}/g, '0') }));

const CHALLENGE = 'Bearer realm="Form Collection Service", error="insufficient_scope"';

const service = useService({ WORKERS: 'off' });
let owner: Caller;
beforeAll(async () => {
  owner = await service().openAccount('Shop', 'shop@example.com');
});

const withRights = async (rights: string[]) => service().as((await owner.makeToken({ rights })).token);

describe.each(RIGHTS)('The right %s', (right) => {
  const needed = ROUTES.filter((route) => route.right === right);

  it('is needed, and enough, on every route that is documented to ask for it', async () => {
    const without = await withRights(RIGHTS.filter((other) => other !== right));
    const withIt = await withRights([right]);

    expect(needed.length).toBeGreaterThan(0);
    for (const { method, path } of needed) {
      await without
        .send(method, path, {})
        .expect(refusal(403, 'missing_right'))
        .expect('WWW-Authenticate', `${CHALLENGE}, scope="${right}"`);
      await without.send(method, `${path}/`, {}).expect(refusal(403, 'missing_right'));
      const { status } = await withIt.send(method, path, {});
      expect({ method, path, refused: status === 401 || status === 403 }).toEqual({ method, path, refused: false });
    }
  });
});

it('Every route of the API is documented to ask for a right, but for what is about the token or the person itself', () => {
  const open = API_ROUTES.filter(({ path, right }) => path.startsWith('/api/v1/') && right === undefined).map(
    ({ method, path }) => `${method} ${path}`,
  );

  const ofToken = open.filter((route) => !/\/(?:me|sign-in)\//.test(route));
  expect(ofToken).toEqual(['get /api/v1/me', 'get /api/v1/me.json']);
});
