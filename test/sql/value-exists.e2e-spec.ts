import { DataSource } from 'typeorm';
import { SubmissionBatch } from '../../src/submissions/storage/submission-batch.entity.js';
import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import { insertStatement, runStatements } from '../../src/platform/database/sql.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { firstUuidAt, makeUuid } from '../../src/platform/kernel/uuid.js';
import { VALUE_COLUMNS, ValueIndexRepository } from '../../src/search/values/value-index.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type Caller } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { pathOf } from '../support/submissions.js';

const service = useService();
const owner = useOwner(service);
const form = useForm(owner);

const indexed = () => service().upkeep();
const asked = (field: string, value: string) => new URLSearchParams({ field, value }).toString();
const exists = async (field: string, value: string, slash = '') => {
  const path = `/api/v1/forms/${form.identifier}/value_exists${slash}` as const;
  const { body } = await owner.get(`${path}?${asked(field, value)}`).expect(200);
  expect(Object.keys(body)).toEqual(['exists']);
  return body.exists;
};
const erase = (field: string, value: string) => owner.delete(`${pathOf(form)}?${asked(field, value)}`);

/** Entries of the form in the index of values. */
async function entries(): Promise<number> {
  const [row] = await service().query<{ n: number | string }[]>(
    'SELECT COUNT(*) AS n FROM submission_values WHERE form_id = ?',
    [form.id],
  );
  return Number(row?.n);
}

/** Each submission is indexed by its page and its origin too, also where it has none. */
const WHERE_FROM = 2;
/** An email address is indexed as a value of its field and as that of the visitor. */
const VALUE_AND_VISITOR = 2;

/** As a version that makes none leaves it, and as very long values are stored. */
const withoutDigests = () => service().query('UPDATE submission_batches SET digests = NULL');

/** Every answer holds before a submission is indexed, and after. */
describe.each([
  ['just submitted', () => Promise.resolve()],
  ['just submitted, without digests', withoutDigests],
  ['indexed', indexed],
])('Whether a value exists, %s', (_, settle) => {
  it('is exact, and finds each of repeated values, numbers, truths, and members of a list', async () => {
    await service().submitPairs(form, [
      ['email', 'jane@example.com'],
      ['name', 'Zoë'],
      ['empty', ''],
      ['blank', ' '],
      ['__proto__', 'x'],
      ['tag', 'red'],
      ['tag', 'blue'],
    ]);
    const values = { age: 42, member: true, tags: ['a', 7], deep: { age: 9 }, no: null };
    await service().submit(form, values);
    await settle();
    for (const [field, value, there] of [
      ['email', 'jane@example.com', true],
      ['email', 'Jane@example.com', false],
      ['email', ' jane@example.com', false],
      ['email', 'jane@example.co', false],
      ['email', 'jane%', false],
      ['email', '', false],
      ['Email', 'jane@example.com', false],
      ['ema', 'iljane@example.com', false],
      ['name', 'Zoë', true],
      ['name', 'Zoe', false],
      ['name', 'Zoe\u0308', false],
      ['empty', '', true],
      ['blank', ' ', true],
      ['blank', '', false],
      ['__proto__', 'x', true],
      ['constructor', 'x', false],
      ['tag', 'red', true],
      ['tag', 'blue', true],
      ['tag', 'red,blue', false],
      ['age', '42', true],
      ['age', '42.0', false],
      ['member', 'true', true],
      ['tags', 'a', true],
      ['tags', '7', true],
      ['deep', '9', false],
      ['no', 'null', false],
    ] as const) {
      expect({ field, value, there: await exists(field, value) }).toEqual({ field, value, there });
    }
  });

  it('does not include spam, of the trash, of other forms or of what was deleted', async () => {
    await service().submitSpam(form, { email: 'spam' });
    const trashed = await service().submit(form, { email: 'trashed' });
    await owner.patch(`${pathOf(form)}/${trashed}`, { submission: { trash: true } }).expect(200);
    await service().submit(await owner.makeForm(), { email: 'elsewhere' });
    const deleted = await service().submit(form, { email: 'deleted' });
    await settle();
    await owner.delete(`${pathOf(form)}/${deleted}`).expect(200);

    for (const value of ['spam', 'trashed', 'elsewhere', 'deleted']) {
      expect(await exists('email', value)).toBe(false);
    }

    await owner.patch(`${pathOf(form)}/${trashed}`, { submission: { trash: false } }).expect(200);
    expect(await exists('email', 'trashed')).toBe(true);
  });

  it('erases a person: everything with that value, spam and trash too, and its files', async () => {
    const before = await storedNames(service());
    await service().submit(form, { email: 'john@example.com' });
    const trashed = await service().submit(form, { email: 'jane@example.com', n: 1 });
    await owner.patch(`${pathOf(form)}/${trashed}`, { submission: { trash: true } }).expect(200);
    await service().submitSpam(form, { email: 'jane@example.com', n: 2 });
    await service().submitFile(form, 'cv', { email: 'jane@example.com' });
    await service().submitPairs(form, [
      ['email', 'a'],
      ['email', 'jane@example.com'],
    ]);
    await settle();

    await erase('email', 'jane@example.com').expect(200).expect({ erased: 4 });

    const { submissions } = await owner.list(form, 'spam=all&trash=all');
    expect(submissions.map(({ values }) => values)).toEqual([{ email: 'john@example.com' }]);
    expect(await owner.countOf(form)).toBe(1);
    expect(await storedNames(service())).toEqual(before);
    await indexed();
    expect(await entries()).toBe(VALUE_AND_VISITOR + WHERE_FROM);
    await erase('email', 'jane@example.com').expect(200).expect({ erased: 0 });
  });

  it('erases many in small transactions, so that visitors wait for none of them for long', async () => {
    const many = Array.from({ length: 40 }, () => service().submit(form, { email: 'jane@example.com' }));
    await Promise.all(many);

    await erase('email', 'jane@example.com').expect(200).expect({ erased: 40 });

    const { entries } = await owner.read('/api/v1/audit?action=submissions.erased');
    const counts = entries.map(({ details }) => Number(details.count));
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
  });

  it('erases a visitor over all forms one sees, and tells before what goes', async () => {
    const before = await storedNames(service());
    const orders = await owner.makeForm({ name: 'Orders' });
    const hidden = await owner.makeForm({ name: 'Hidden' });
    const client = await owner.makeClient({ form_ids: [form.id, orders.id] });
    const agent = service().as(await owner.makeClientToken(client));
    const email = 'jane@example.com';
    const mails = { form: { notify_submitter: true } };
    await owner.patch(`/api/v1/forms/${form.identifier}`, mails).expect(200);
    await service().submitFile(form, 'cv', { email });
    const noted = await service().submit(form, { 'Your E-mail': ' Jane@Example.com ', cc: 'x@y.test' });
    await owner.post(`${pathOf(form)}/${noted}/notes`, { note: { text: 'Call' } }).expect(201);
    await service().submitSpam(form, { _replyto: email });
    const trashed = await service().submit(orders, { Kontakt: 'JANE@example.com' });
    await owner.patch(`${pathOf(orders)}/${trashed}`, { submission: { trash: true } }).expect(200);
    const others = [
      { email: 'bob@example.com', friend: email },
      { a: email, b: 'bob@example.com' },
      { message: `Write to ${email}` },
    ];
    for (const values of others) await service().submit(orders, values);
    await service().submit(hidden, { email });
    await settle();
    const ask = (caller: Caller, body: object) => caller.post('/api/v1/visitors/erase', body);
    const goes = {
      ...{ receipt: null, submissions: 4, files: 1, file_bytes: 2, notes: 1 },
      ...{ mails: 2, webhook_calls: 0 },
      forms: [
        { form: form.identifier, submissions: 3 },
        { form: orders.identifier, submissions: 1 },
      ],
    };

    await ask(agent, { email: 'JANE@example.com', dry_run: true }).expect(200, goes);
    const q = new URLSearchParams({ q: `visitor:${email}` }).toString();
    const { body: listing } = await agent.get(`/api/v1/submissions?${q}`).expect(200);
    expect(listing.submissions).toHaveLength(2);
    const { body } = await ask(agent, { email }).expect(200);

    const { receipt } = body;
    expect(body).toEqual({ ...goes, receipt });
    const left = await owner.list(orders, 'spam=all&trash=all');
    expect(left.submissions.map(({ values }) => values)).toEqual(others.reverse());
    expect(await owner.list(hidden)).toMatchObject({ count: 1 });
    expect(await storedNames(service())).toEqual(before);
    await ask(agent, { email }).expect(200, {
      ...{ receipt: null, submissions: 0, files: 0, file_bytes: 0 },
      ...{ mails: 0, webhook_calls: 0, notes: 0, forms: [] },
    });
    const { text } = await owner.get('/api/v1/audit?action=submissions.erased').expect(200);
    const { entries: recorded } = JSON.parse(text) as { entries: { details: object }[] };
    expect(recorded.map(({ details }) => details)).toEqual([
      { client_id: client, receipt, count: 1 },
      { client_id: client, receipt, count: 3 },
    ]);
    expect(text.toLowerCase()).not.toContain(email);
  });
});

it('Erasing a visitor asks for an address', () =>
  owner.post('/api/v1/visitors/erase', { email: 'jane', dry_run: 1 }).expect(422));

describe('The index of values', () => {
  it('has no entries of what was deleted, before or after it was indexed', async () => {
    const early = await service().submit(form, { email: 'early', name: 'x' });
    await owner.delete(`${pathOf(form)}/${early}`).expect(200);
    await indexed();
    expect(await entries()).toBe(0);

    const late = await service().submit(form, { email: 'late', name: 'x' });
    await indexed();
    expect(await entries()).toBe(2 + WHERE_FROM);
    await owner.delete(`${pathOf(form)}/${late}`).expect(200);
    await indexed();
    expect(await entries()).toBe(0);
  });

  it('is made of submissions whose digests were not made when they came', async () => {
    await service().submit(form, { email: 'early', name: 'x' });
    await withoutDigests();
    await service().submit(form, { email: 'late', name: 'x', long: 'x'.repeat(70_000) });
    await service().submit(form, { email: 'last' });
    await indexed();
    expect(await entries()).toBe(6 + 3 * WHERE_FROM);
    expect(await exists('name', 'x')).toBe(true);
  });

  it('waits under load, unless too much waits, and the answers are the same', async () => {
    const loaded = jest.spyOn(service().app.get(SubmissionWriter), 'isUnderLoad', 'get').mockReturnValue(true);
    try {
      await service().submit(form, { email: 'early', name: 'x' });
      await indexed();
      expect(await entries()).toBe(0);
      expect(await exists('email', 'early')).toBe(true);
      expect(await exists('name', 'early')).toBe(false);

      const longAgo = firstUuidAt(new Date(Date.now() - 3_600_000));
      await service().query('INSERT INTO submission_batches (id, submission_ids, digests) VALUES (?, ?, ?)', [
        longAgo,
        makeUuid(),
        SubmissionBatch.pack([[]]),
      ]);
      await indexed();
      expect(await entries()).toBe(2 + WHERE_FROM);
    } finally {
      loaded.mockRestore();
    }
  });

  it('is made when the load has gone', async () => {
    const writer = service().app.get(SubmissionWriter);
    await service().submit(form, { email: 'late' });
    expect(writer.isUnderLoad).toBe(false);
    await indexed();
    expect(await entries()).toBe(1 + WHERE_FROM);
  });

  it('has none either when both happen at once', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => service().submit(form, { n, round })));
      await Promise.all([
        indexed(),
        indexed(), // as another instance would
        ...ids.map((id) => owner.delete(`${pathOf(form)}/${id}`).expect(200)),
      ]);
    }
    await indexed();
    expect(await entries()).toBe(0);
  });
});

it('A value that very many have is read in pieces, and no further than to the first that has it', async () => {
  const MANY = 1_200;

  const { app } = service();
  const id = await service().submit(form, { country: 'DE' });
  await indexed();
  const database = app.get(DataSource);
  const [entry] = await database.query<{ digest: Buffer }[]>('SELECT digest FROM submission_values WHERE form_id = ?', [
    form.id,
  ]);
  if (!entry) throw new Error('Nothing was indexed.');
  // Entries of what is not there any more are candidates like others.
  const rows = Array.from({ length: MANY }, () => [form.id, entry.digest, makeUuid()]);
  await app.get(UnitOfWork).run((tx) => runStatements(tx, insertStatement('submission_values', VALUE_COLUMNS, rows)));
  const read = jest.spyOn(app.get(ValueIndexRepository), 'idsInOrder');

  expect(await exists('country', 'DE')).toBe(true);
  expect(read).toHaveBeenCalledTimes(1);
  await owner.patch(`${pathOf(form)}/${id}`, { submission: { spam: true } }).expect(200);
  expect(await exists('country', 'DE')).toBe(false);

  const pieces = await Promise.all(read.mock.results.map(({ value }) => value as Promise<Buffer[]>));
  read.mockRestore();
  expect(Math.max(...pieces.map((ids) => ids.length))).toBeLessThanOrEqual(500);
  expect(pieces.slice(1).flat()).toHaveLength(MANY + 1);
});

describe('Asking for a value', () => {
  it.each(['field=email', 'value=x', '', 'field=email&field=name&value=x'])('refuses %j', async (query) => {
    await service().submit(form, { email: 'x' });
    const path = `/api/v1/forms/${form.identifier}/value_exists?${query}` as const;
    await owner.get(path).expect(refusal(422, 'invalid_fields'));
    await owner.delete(`${pathOf(form)}?${query}`).expect(refusal(422, 'invalid_fields'));
    expect(await owner.countOf(form)).toBe(1);
  });

  it('takes field and value in a JSON body too, which proxies do not log', async () => {
    await service().submit(form, { email: 'jane@example.com' });
    const asked = { field: 'email', value: 'jane@example.com' };
    const question = `/api/v1/forms/${form.identifier}/value_exists` as const;
    await owner.post(question, asked).expect(200, { exists: true });
    await owner.post(`${pathOf(form)}/erase`, { field: 'email' }).expect(422);
    await owner.post(`${pathOf(form)}/erase`, asked).expect(200, { erased: 1 });
    await owner.post(question, asked).expect(200, { exists: false });
  });
});
