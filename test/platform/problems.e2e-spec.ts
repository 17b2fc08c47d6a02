import type { Response } from 'supertest';
import { gzipSync } from 'node:zlib';
import { FormQueries } from '../../src/forms/form-queries.service.js';
import { SubmissionIds } from '../../src/submissions/rows/submission-ids.js';
import { UNKNOWN } from '../support/full-account.js';
import { refusal, type ProblemBody } from '../support/refusal.js';
import { useService, useOwner, type Caller } from '../support/service.js';

const FORMS = '/api/v1/forms';

const service = useService();
const owner = useOwner(service);
const raw = (caller: Caller, path: string, body: string, type = 'application/json') =>
  caller.post(path).set('Content-Type', type).send(body);

describe('A problem of every kind', () => {
  const KINDS: [number, string, () => PromiseLike<Response>][] = [
    [400, 'malformed_body', () => raw(owner, FORMS, '{"form":')],
    [400, 'malformed_request', () => owner.get(`${FORMS}/%E0%A4%A`)],
    [400, 'malformed_credentials', () => owner.get(FORMS).set('Authorization', 'Bearer')],
    [401, 'authentication_required', () => service().anonymous().get(FORMS)],
    [401, 'invalid_token', () => service().as('mistyped').get(FORMS)],
    [404, 'form_not_found', () => owner.get(`${FORMS}/x`)],
    [404, 'route_not_found', () => owner.get('/api/v1/nothing')],
    [404, 'route_not_found', () => owner.get('/wp-login.php')],
    [405, 'method_not_allowed', () => owner.patch(FORMS)],
    [413, 'body_too_large', () => owner.post(FORMS, { form: { name: 'x'.repeat(1_100_000) } })],
    [415, 'unsupported_media_type', () => raw(owner, FORMS, 'name=x', 'text/plain')],
    [422, 'invalid_fields', () => owner.post(FORMS, {})],
  ];

  it.each(KINDS)('%i %s has the shape and headers of RFC 9457', async (status, code, call) => {
    const response = await call();

    refusal(status, code)(response);
    const body = response.body;
    expect(body).toMatchObject({ title: expect.any(String), detail: expect.stringMatching(/\.$|\)$/) });
    expect(body.instance).toBe(`urn:uuid:${String(response.headers['x-request-id'])}`);
    const known = ['type', 'title', 'status', 'detail', 'instance', 'errors'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.any(String),
    });
    expect(response.headers).not.toHaveProperty('x-powered-by');
  });

  it('500 and 503 tell nothing of what went wrong inside, but the log does (O-08)', async () => {
    const inside = 'SELECT digest FROM tokens at /srv/app/dist/forms.js:1';
    const list = jest.spyOn(service().app.get(FormQueries), 'list');

    list.mockRejectedValueOnce(new Error(inside));
    const broken = await owner.get(FORMS).expect(refusal(500, 'unexpected'));
    list.mockRejectedValueOnce(Object.assign(new Error(inside), { code: 'ECONNREFUSED' }));
    const away = await owner.get(FORMS).expect(refusal(503, 'database_unavailable'));

    expect(away.headers['retry-after']).toBe('2');
    for (const { text, headers } of [broken, away]) {
      expect(text).not.toMatch(/SELECT|digest|srv|\.js/);
      expect(service().log).toContain(String(headers['x-request-id']));
    }
  });
});

it.each(['csv', 'ndjson', 'xlsx'])(
  'A download that fails before its first byte is answered by a problem: %s',
  async (ending) => {
    const form = await owner.makeForm();
    const ids = service().app.get(SubmissionIds);
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    jest.spyOn(ids, 'end').mockRejectedValue(away);

    const answer = await owner.get(`${FORMS}/${form.identifier}/submissions.${ending}`);
    refusal(503, 'database_unavailable')(answer);
    expect(answer.headers).not.toHaveProperty('content-disposition');
  },
);

it.each([
  ...['01', '+1', '1.0', '1e0', '0x1', '%201', '1%20', '-1', '1,'],
  ...['NaN', '0', 'x', '99999999999999999999', '..%2Fme'],
])('An id spelled %s is an unknown one', async (prefix) => {
  const client = await owner.makeClient();
  const { identifier } = await owner.makeForm();
  const spelled = prefix.replace('1', String(client));
  const submission = `${FORMS}/${identifier}/submissions/${UNKNOWN.submissions}`;
  for (const path of [
    ...['/api/v1/clients/', '/api/v1/tokens/', `${FORMS}/`],
    ...[`${FORMS}/${identifier}/submissions/`, `${submission}/notes/`],
  ]) {
    const answer = await owner.delete(path + spelled);
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
  }
  await owner.get(`/api/v1/clients/${client}`).expect(200);
});

describe('A person in a browser', () => {
  const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  async function open(path: string): Promise<string> {
    const { status, text, headers } = await service().anonymous().get(path).set(accept);
    expect([400, 404, 405]).toContain(status);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");

    const problem = await service().anonymous().get(path).expect(status);
    expect(problem.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    return text;
  }

  it.each(['/files/expired', '/f/unknown', '/f/x/y', '/f', '/recipients'])(
    'who opens %s sees a page that says what is wrong',
    async (path) => {
      expect(await open(path)).toContain('<h1>This link does not work</h1>');
    },
  );

  it.each(['/nothing', '/nothing/', '/inbox/x/y/z', '/form', '/%E0%A4%A'])(
    'who mistypes an address of the pages, such as %s, sees one of them with the way back',
    async (path) => {
      const text = await open(path);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('href="/"');
      expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/\w+\/web.css"/);
      expect(text).not.toContain('/api/');
    },
  );

  it('is told by such a page that an address takes forms alone', async () => {
    const { headers } = await service().anonymous().get('/sign-out').set(accept).expect(405);
    expect(headers.allow).toBe('POST');
    expect(await open('/sign-out')).toContain('<h1>This address cannot be opened</h1>');
  });

  it('gets the API as everybody does', async () => {
    await owner.get('/api/v1/nothing').set(accept).expect(refusal(404, 'route_not_found'));
    await service().anonymous().get(FORMS).set(accept).expect(refusal(401, 'authentication_required'));
  });
});

describe('A body', () => {
  const wrongBodies: [string, string, number][] = [
    ['nothing but a blank', ' ', 400],
    ['cut JSON', '{"form":{"name":"x"}', 400],
    ['a text', '"form"', 400],
    ['an empty array', '[]', 422],
    ['an array of bodies', '[{"form":{"name":"x"}}]', 422],
    ['null within', '{"form":null,"client":null,"token":null}', 422],
    ['a text within', '{"form":"x","client":"x","token":"x"}', 422],
    ['an array within', '{"form":[],"client":[],"token":[]}', 422],
    ['a body without its key', '{"name":"x"}', 422],
    ['100,000 levels', `{"form":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`, 400],
  ];

  it.each(wrongBodies)('that is %s is refused everywhere', async (_, body, status) => {
    const form = await owner.makeForm();
    const client = await owner.makeClient();
    const paths = [FORMS, '/api/v1/clients', '/api/v1/tokens', `/api/v1/clients/${client}/tokens`];
    const json = { 'Content-Type': 'application/json' };
    for (const path of paths) {
      const answer = await owner.post(path).set(json).send(body);
      expect({ path, status: answer.status }).toEqual({ path, status });
    }
    for (const path of [`${FORMS}/${form.identifier}`, `/api/v1/clients/${client}`]) {
      const answer = await owner.patch(path).set(json).send(body);
      expect({ path, status: answer.status }).toEqual({ path, status });
    }
  });

  it('names every field at fault at once, and unknown keys at the top', async () => {
    const body = { form: { name: '', bg_color: 'x', nick: 1 }, extra: 1, access_token: 'x' };

    const blamed = ['access_token', 'extra', 'form.bg_color', 'form.name', 'form.nick'];
    await owner.post(FORMS, body).expect(refusal(422, 'invalid_fields', ...blamed));
  });

  it.each([
    ['text/plain', 'name=x'],
    ['application/x-www-form-urlencoded', 'form[name]=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<form/>'],
    ['application/json; charset=unheard-of', '{}'],
  ])('of the type %s is refused with 415', async (type, body) => {
    await raw(owner, FORMS, body, type).expect(refusal(415, 'unsupported_media_type'));
  });

  it('whose fields lack their object is told where they belong', async () => {
    const message = 'form is missing; did you mean {"form": {"name": …}}?';
    const { body } = await owner.post(FORMS, { name: 'Contact' }).expect(422);
    expect((body as unknown as ProblemBody).errors?.[0]?.message).toBe(message);
    const { text } = await owner.post(FORMS, {}).expect(422);
    expect(text).not.toContain('did you mean');
  });

  it('is measured after it was unpacked (S-05)', async () => {
    const bomb = gzipSync(JSON.stringify({ form: { name: ' '.repeat(10_000_000) } }));

    await owner
      .post(FORMS)
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((sent) => sent as never)
      .send(bomb)
      .expect(refusal(413, 'body_too_large'));
  });
});

it('Answers are not kept by caches and say nothing of the framework', async () => {
  const { headers } = await owner.get(FORMS).expect(200).expect('Cache-Control', 'no-store');

  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('etag');
});
