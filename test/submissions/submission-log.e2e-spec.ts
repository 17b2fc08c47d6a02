import { useService, type FormBody, type Caller } from '../support/service.js';

/** Part of every value that may not be logged, in a spelling that needs no encoding. */
const CANARY = 'canary8w';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const service = useService({
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  // Nobody listens there.
  SMTP_URL: 'smtp://127.0.0.1:1',
});

let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  owner = await service().openAccount(`Account ${CANARY}`);
  form = await owner.makeForm({
    name: CANARY,
    notify_owner_emails: `${CANARY}@example.com`,
    webhook_url: `http://127.0.0.1:1/${CANARY}?key=${CANARY}`,
  });
});

type Line = Record<string, unknown>;

function linesWith(field: string, value: unknown): Line[] {
  const lines = service()
    .log.trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
  return lines.filter((line) => line[field] === value);
}

const send = (values: object = { message: CANARY }, headers: Record<string, string> = {}) =>
  service().anonymous().post(`/f/${form.identifier}`, values).set(headers);

/** The one line to which an answer's `X-Request-Id` leads. It is written just after the answer. */
async function lineOf({ headers }: { headers: Record<string, string> }): Promise<Line | undefined> {
  const requestId = String(headers['x-request-id']);
  for (let turns = 0; turns < 1_000; turns++) {
    const found = linesWith('requestId', requestId);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    await new Promise(setImmediate);
  }
  return undefined;
}

describe('The log of submissions', () => {
  it('has one line for each, to which the id of its answer leads', async () => {
    const key = { 'Idempotency-Key': CANARY };
    const stored = await send({ message: CANARY, email: `${CANARY}@example.org` }, key).expect(200);
    const replayed = await send({ message: CANARY, email: `${CANARY}@example.org` }, key);
    const spam = await send({ _gotcha: CANARY, message: CANARY }).expect(200);
    const refused = await send({}, { Referer: `https://${CANARY}.example` }).expect(422);

    const common = { level: 'info', context: 'Intake', form: form.identifier };
    const { id } = stored.body;
    const expected = [
      [stored, { outcome: 'stored', submissionId: id, status: 200, code: null }],
      [replayed, { outcome: 'replayed', submissionId: id, status: 200, code: null }],
      [spam, { outcome: 'spam', submissionId: spam.body.id }],
      [refused, { outcome: 'refused', submissionId: null, status: 422, code: 'empty' }],
    ] as const;
    for (const [answer, fields] of expected) {
      expect(await lineOf(answer)).toMatchObject({ ...common, ...fields });
    }
    expect(service().log).not.toContain(CANARY);
  });

  it('names an unknown form, but nothing that is no identifier', async () => {
    const unknown = await service().anonymous().post('/f/0123456789abcdef', { a: '1' });
    const other = await service().anonymous().post(`/f/${CANARY}`, { a: '1' }).expect(404);

    expect(await lineOf(unknown)).toMatchObject({ form: '0123456789abcdef', code: 'form_not_found' });
    expect(await lineOf(other)).toMatchObject({ form: null, code: 'form_not_found' });
    expect(service().log).not.toContain(CANARY);
  });

  it('rounds milliseconds to tenths, for the API too', async () => {
    const answers = [await send(), await owner.get('/api/v1/forms')];

    for (const answer of answers) {
      const { ms } = (await lineOf(answer)) as { ms: number };
      expect(String(ms)).toMatch(/^\d+(?:\.\d)?$/);
    }
  });

  it('tells of each failed try where it went and when the next is, but not to whom', async () => {
    const id = await service().submit(form, { message: CANARY });

    await service().sendDue();

    const lines = linesWith('submissionId', id).filter(({ message }) => message === 'Not delivered');
    const common = { level: 'info', deliveryId: expect.stringMatching(UUID), code: null };
    expect(lines).toHaveLength(2);
    for (const [kind, to] of [
      ['owner_email', 'smtp'],
      ['webhook', '127.0.0.1:1'],
    ]) {
      expect(lines).toContainEqual(
        expect.objectContaining({
          ...common,
          kind,
          to,
          outcome: 'unreachable',
          nextAttemptAt: expect.stringMatching(/^\d{4}-.*Z$/),
        }),
      );
    }
    expect(service().log).not.toContain(CANARY);
  });
});
