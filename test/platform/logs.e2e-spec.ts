import request from 'supertest';
import { DataSource } from 'typeorm';
import { useService, type Caller } from '../support/service.js';

/** Part of every value that may not be logged, in a spelling that needs no encoding. */
const CANARY = 'canary7q';

const service = useService({ LOG_LEVEL: 'trace' });
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount(`Account ${CANARY}`, `${CANARY}.owner@example.com`);
});

const lines = () => {
  const texts = service().log.trimEnd().split('\n');
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
};

/** The lines are written when a connection has been served, which may be just after the answer came. */
async function linesOf(requestId: string) {
  for (;;) {
    const found = lines().filter((line) => line.requestId === requestId);
    if (found.some(({ message }) => message === 'Answered')) return found;
    await new Promise(setImmediate);
  }
}

describe('The log', () => {
  it('never holds tokens, addresses, names, queries or bodies (O-09)', async () => {
    const email = `${CANARY}.client@example.com`;
    const client = await owner.makeClient({ name: `Jane ${CANARY}`, email });
    const secret = await owner.makeClientToken(client, { name: CANARY });
    const form = await owner.makeForm({ name: CANARY, notify_owner_emails: email });
    const query = `client[name]=${CANARY}&client[email]=${email}&client[form_ids]=[${CANARY}]`;
    const wrong = `fcs_${CANARY}${'0'.repeat(28)}`;

    const answers = await Promise.all([
      owner.get('/api/v1/forms').expect(200),
      owner.get(`/api/v1/forms?page=${CANARY}`).expect(422),
      owner.get(`/api/v1/forms/${CANARY}`).expect(404),
      owner.get(`/api/v1/${CANARY}?secret=${CANARY}`).expect(404),
      owner.patch(`/api/v1/${CANARY}`, { [CANARY]: CANARY }).expect(404),
      owner.delete(`/api/v1/forms?q=${CANARY}`).expect(405),
      owner.patch(`/api/v1/forms/${form.identifier}`, { form: { [CANARY]: CANARY } }).expect(422),
      owner.post('/api/v1/forms', { form: { name: CANARY, webhook_url: CANARY } }).expect(422),
      owner.post('/api/v1/clients', { client: { name: CANARY, email } }).expect(409),
      owner.post(`/api/v1/clients?client[name]=${CANARY}&client[email]=${email}`).expect(409),
      owner.post(`/api/v1/clients?${query}`).expect(422),
      owner.post('/api/v1/forms').set('Content-Type', 'text/plain').send(CANARY).expect(415),
      owner.post('/api/v1/forms').type('json').send(`{"${CANARY}`).expect(400),
      owner.post('/api/v1/forms', { form: { name: CANARY.repeat(150_000) } }).expect(413),
      service().as(secret).get('/api/v1/forms').expect(200),
      service()
        .as(secret)
        .post('/api/v1/forms', { form: { name: CANARY } })
        .expect(403),
      service().as(wrong).get('/api/v1/me').expect(401),
      request(service().url)
        .get(`/api/v1/me?access_token=${secret}`)
        .set('Authorization', `Basic ${CANARY}`)
        .set('Cookie', `session=${CANARY}`)
        .set('User-Agent', CANARY)
        .set('Referer', `https://example.com/${CANARY}`)
        .set('X-Request-Id', CANARY)
        .expect(401),
    ]);

    for (const { headers } of answers) await linesOf(String(headers['x-request-id']));
    expect(service().log).not.toContain(CANARY);
    for (const token of [owner.secret, secret]) expect(service().log).not.toContain(token);
  });

  it('tells where a request failed, and nothing of the values it came with (O-09)', async () => {
    // A constraint that the code does not know; MySQL repeats the refused value in its message.
    const database = service().app.get(DataSource);
    await database.query('CREATE UNIQUE INDEX uq_unknown ON forms (account_id, name)');
    await owner.makeForm({ name: CANARY });

    const { headers, text } = await owner.post('/api/v1/forms', { form: { name: CANARY } }).expect(500);

    const found = await linesOf(String(headers['x-request-id']));
    expect(found.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'Request failed'],
      ['info', 'Answered'],
    ]);
    expect(found[0]?.error).toMatchObject({ name: 'QueryFailedError', at: expect.any(Array) });
    expect(service().log).not.toContain(CANARY);
    expect(text).not.toMatch(/uq_unknown|INSERT|SQL|\.(?:js|ts)\b/);
  });

  it('is one JSON object a line, with level, time and message', async () => {
    await owner.get('/api/v1/forms').expect(200);

    for (const line of lines()) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(?:trace|debug|info|warn|error|fatal)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        message: expect.any(String),
      });
    }
  });

  it('names the route, the status and the id of each request, which the answer carries too', async () => {
    const { identifier } = await owner.makeForm();

    const { headers } = await owner.get(`/api/v1/forms/${identifier}?a=b`).expect(200);

    expect(await linesOf(String(headers['x-request-id']))).toMatchObject([
      {
        ...{ context: 'Request', message: 'Answered', method: 'GET' },
        ...{ route: '/api/v1/forms/:identifier', status: 200, ms: expect.any(Number) },
      },
    ]);
  });

  it('takes over the id that a proxy gave when it is a UUID, and no other', async () => {
    const id = '0d7c2a5e-9f4b-4c0e-8a57-3d1f1b7a6c11';

    const { headers } = await owner.get('/api/v1/forms').set('X-Request-Id', id).expect(200);

    expect(headers['x-request-id']).toBe(id);
    expect(await linesOf(id)).toHaveLength(1);
    const other = await owner.get('/api/v1/forms').set('X-Request-Id', '<script>');
    expect(other.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
