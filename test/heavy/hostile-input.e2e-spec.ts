import fc from 'fast-check';
import { useService, useOwner } from '../support/service.js';

const FORMS = '/api/v1/forms';
const CLIENTS = '/api/v1/clients';
const TOKENS = '/api/v1/tokens';

const service = useService();
const owner = useOwner(service);

let made = 0;
const person = () => ({ name: 'Jane', email: `person${++made}@example.com` });
const keysOf = (body: unknown) => Object.keys(body as object).sort();

describe('Fields that nobody may set (A-02)', () => {
  const FORBIDDEN = [
    ...['id', 'account_id', 'accountId', 'submission_count', 'identifier', 'permissions'],
    ...['client_id', 'created_at', 'deletedAt', 'digest', '__proto__', 'constructor'],
  ];
  const extras = fc
    .array(
      fc.tuple(
        fc.constantFrom(...FORBIDDEN),
        fc.oneof(
          fc.integer(),
          fc.string(),
          fc.boolean(),
          fc.constant(null),
          fc.constantFrom({ can_create_forms: true }, { constructor: 1 }, [{ constructor: 'x' }]),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((entries) => entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`));
  /** JSON by hand: `__proto__` in an object literal would set a prototype instead of a key. */
  const json = (noun: string, fields: object, extra: string[]) => {
    const own = Object.entries(fields).map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
    return `{${JSON.stringify(noun)}:{${[...own, ...extra].join(',')}}}`;
  };
  const send = (method: 'post' | 'patch', path: string, body: string) =>
    owner[method](path).set('Content-Type', 'application/json').send(body);
  const runs = { numRuns: 60 };

  it('are refused or ignored when a form is created or changed', async () => {
    const form = await owner.makeForm();
    const path = `${FORMS}/${form.identifier}`;
    await fc.assert(
      fc.asyncProperty(extras, async (extra) => {
        const created = await send('post', FORMS, json('form', { name: 'New' }, extra));
        expect([201, 422]).toContain(created.status);
        if (created.status === 201) {
          const { id, identifier } = created.body;
          const fresh = { ...form, id, identifier, name: 'New' };
          expect(created.body).toEqual(fresh);
          await owner.get(`${FORMS}/${identifier}`).expect(200, fresh);
        }
        const changed = await send('patch', path, json('form', {}, extra));
        expect([200, 422]).toContain(changed.status);
        await owner.get(path).expect(200, form);
      }),
      runs,
    );
  });

  it('are refused or ignored when a client is created or changed', async () => {
    const id = await owner.makeClient();
    const before = await owner.read(`${CLIENTS}/${id}`);
    await fc.assert(
      fc.asyncProperty(extras, async (extra) => {
        const created = await send('post', CLIENTS, json('client', person(), extra));
        expect([201, 422]).toContain(created.status);
        if (created.status === 201) {
          expect(keysOf(created.body)).toEqual(['email', 'forms', 'id', 'name', 'permissions']);
          expect(created.body).toMatchObject({ permissions: { can_create_forms: false } });
        }
        const changed = await send('patch', `${CLIENTS}/${id}`, json('client', {}, extra));
        expect([200, 422]).toContain(changed.status);
        await owner.get(`${CLIENTS}/${id}`).expect(200, before);
      }),
      runs,
    );
  });

  it('are refused or ignored when a token is issued', async () => {
    const { token: _, ...known } = await owner.makeToken();
    await fc.assert(
      fc.asyncProperty(extras, async (extra) => {
        const { status, body } = await send('post', TOKENS, json('token', { name: 'x' }, extra));
        expect([201, 422]).toContain(status);
        if (status === 201) {
          expect(keysOf(body)).toEqual([...Object.keys(known), 'token'].sort());
          expect(body).toMatchObject({ client_id: null, rights: known.rights });
        }
      }),
      runs,
    );
  });

  it('are refused or ignored when a submission, a webhook or a retention is changed', async () => {
    const form = await owner.makeForm();
    const path = `${FORMS}/${form.identifier}`;
    const id = await service().submit(form, { m: 'hello' });
    const webhook_url = 'https://example.com/hook'; // set last, so that no delivery goes there
    await owner.patch(path, { form: { webhook_url } }).expect(200);
    const paths = [path, `${path}/submissions/${id}`, `${path}/webhook`, `${path}/retention`];
    const seen = () => Promise.all(paths.map((each) => owner.read(each)));
    const before = await seen();
    await fc.assert(
      fc.asyncProperty(extras, async (extra) => {
        for (const [method, at, body] of [
          ['patch', 1, json('submission', { spam: false }, extra)],
          ['patch', 2, json('webhook', { enabled: true }, extra)],
          ['put', 3, `{"days":null,${extra.join(',')}}`],
        ] as const) {
          const call = owner[method](paths[at] ?? '').set('Content-Type', 'application/json');
          const { status } = await call.send(body);
          expect([200, 422]).toContain(status);
        }
        expect(await seen()).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });

  it('never reach a prototype, in a query string neither', async () => {
    const query = 'client[__proto__][polluted]=1&__proto__[polluted]=1&client[constructor]=1';
    const { name, email } = person();

    await owner.post(`${CLIENTS}?client[name]=${name}&client[email]=${email}&${query}`);

    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('Input written to be SQL (A-07)', () => {
  const PIECES = [
    "' OR 1=1 -- ",
    '" OR ""="',
    "'; DROP TABLE forms; -- ",
    '1); DELETE FROM tokens; --',
    '1 UNION SELECT digest FROM tokens',
    "\\' OR 1=1 #",
    '%27%20OR%201=1',
    '`',
    '\0',
    '%',
    '_'.repeat(16),
  ];
  const OBJECTS: unknown[] = [{ token: 1 }, { $ne: null }, [[1]], ['id'], { toString: 1 }];

  it('is kept to the letter as text', async () => {
    for (const text of PIECES) {
      const form = await owner.makeForm({ name: `x${text}x`, submission_text: text });
      expect(form).toMatchObject({ name: `x${text}x`, submission_text: text });
      await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
    }
    expect((await owner.get(FORMS).expect(200)).body).toMatchObject({
      forms: PIECES.map((text) => ({ name: `x${text}x` })),
    });
  });

  it('finds nothing as part of an address, a token or a query', async () => {
    const form = await owner.makeForm();
    const id = await owner.makeClient();
    for (const text of PIECES) {
      const piece = encodeURIComponent(text);
      const ids = [`${CLIENTS}/${id}${piece}`, `${CLIENTS}/${piece}`, `${TOKENS}/${piece}`];
      for (const path of [`${FORMS}/${piece}`, `${FORMS}/${form.identifier}${piece}`, ...ids]) {
        expect({ path, status: (await owner.delete(path)).status }).toEqual({ path, status: 404 });
      }
      for (const query of [`page=${piece}`, `per_page=1${piece}`, `order=${piece}`]) {
        const { status } = await owner.get(`${FORMS}?${query}`);
        expect({ query, status }).toEqual({ query, status: 422 });
      }
      const stranger = service().anonymous();
      const header = text.replaceAll('\0', '');
      const { status } = await stranger.get(FORMS).set('Authorization', `Bearer ${header}`);
      expect([400, 401]).toContain(status);
    }
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
    await owner.get(`${CLIENTS}/${id}`).expect(200);
  });

  it('is refused as an object or a list wherever a plain value belongs', async () => {
    const form = await owner.makeForm();
    const id = await owner.makeClient();
    const inputs: [string, string, string[]][] = [
      [FORMS, 'form', ['name', 'submission_text', 'webhook_url', 'notify_submitter', 'bg_color']],
      [FORMS, 'form', ['notify_owner_emails', 'notify_submitter_from', 'whitelisted_domains']],
      [`${FORMS}/${form.identifier}`, 'form', ['name', 'redirect_url', 'link_color']],
      [CLIENTS, 'client', ['name', 'email', 'can_create_forms']],
      [`${CLIENTS}/${id}`, 'client', ['name', 'email', 'can_create_forms']],
      [TOKENS, 'token', ['name', 'rights', 'expires_at']],
    ];
    for (const [path, noun, fields] of inputs) {
      const method = path.split('/').length > 4 ? 'patch' : 'post';
      for (const field of fields) {
        const takesLists = field.endsWith('domains');
        for (const value of OBJECTS.filter((each) => !(takesLists && Array.isArray(each)))) {
          const own = noun === 'client' ? person() : { name: 'x' };
          const body = { [noun]: { ...own, [field]: value } };
          const answer = await owner[method](path, body);
          expect({ path, body, status: answer.status }).toEqual({ path, body, status: 422 });
        }
      }
    }
    await owner.get(`${FORMS}/${form.identifier}`).expect(200, form);
  });
});
