import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { IdempotencyKey } from '../../src/submissions/storage/idempotency-key.entity.js';
import { WriterOverloaded } from '../../src/submissions/model/submission.errors.js';
import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import { HOUR_MS } from '../support/clock.js';
import { lockForm } from '../support/lock-form.js';
import { useService, type Service } from '../support/service.js';
import { storedFiles } from '../support/stored-files.js';
import { Inbox, json, multipart, send, named, urlencoded, type Sent } from '../support/submit.js';
import { until } from '../support/until.js';

const run = useService();
let service: Service;
let sibling: Service;
let inbox: Inbox;
beforeAll(async () => {
  service = run();
  sibling = await service.beside();
});
beforeEach(async () => {
  inbox = await Inbox.open(service);
});

const keyed = (key: string, sent: Sent = urlencoded([['a', '1']])): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'Idempotency-Key': key },
});

describe('A repeated key', () => {
  it('gets the first answer, and nothing is stored again', async () => {
    const first = await inbox.submit(keyed('k'));
    expect(await inbox.submit(keyed('k'))).toMatchObject({ status: 200, text: first.text });
    expect(await inbox.all()).toMatchObject([{ id: first.body.id }]);
    expect(await inbox.count()).toBe(1);
  });

  it('is the same quoted, from a header or a hidden field, which is not shown', async () => {
    const hidden = (encode: typeof urlencoded) =>
      encode([
        ['a', '1'],
        ['_idempotency_key', 'k'],
      ]);
    const { text, body } = await inbox.submit(keyed('"k"'));
    for (const sent of [keyed('k'), ...[urlencoded, multipart, json].map(hidden)]) {
      expect(await inbox.submit(sent)).toMatchObject({ status: 200, text });
    }
    expect(await inbox.all()).toMatchObject([{ id: body.id, values: { a: '1' } }]);
  });

  it('that comes at the same time with other content is refused', async () => {
    const contents = Array.from({ length: 6 }, (_, n) => urlencoded([['a', String(n)]]));
    const answers = await Promise.all(contents.map((sent) => inbox.submit(keyed('k', sent))));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await inbox.count()).toBe(1);
  });

  it('that waits for a first which fails is stored itself', async () => {
    const writer = service.app.get(SubmissionWriter);
    const store = jest.spyOn(writer, 'store').mockRejectedValueOnce(new WriterOverloaded());
    const answers = await Promise.all([1, 2, 3].map(() => inbox.submit(keyed('k'))));
    store.mockRestore();

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 503]);
    expect(await inbox.count()).toBe(1);
  });

  it('is sent on like the first when a browser reloads', async () => {
    const html = { headers: { Accept: 'text/html' } };
    const sent = keyed('k', { ...urlencoded([['a', '1']]), ...html });
    const locations = [await inbox.submit(sent), await inbox.submit(sent)].map(({ status, headers }) => [
      status,
      headers.get('Location'),
    ]);
    expect(locations[0]?.[0]).toBe(303);
    expect(locations[1]).toEqual(locations[0]);
    expect(await inbox.count()).toBe(1);
  });

  it.each<[string, Sent]>([
    ['another value', urlencoded([['a', '2']])],
    ['another name', urlencoded([['b', '1']])],
    ['another order', named({ b: '', a: '1' })],
    ['a field more', named({ a: '1', b: '' })],
    ['a file more', multipart([['a', '1']], [{ field: 'f', name: 'f', bytes: 'x' }])],
    ['a filled honeypot', named({ a: '1', _gotcha: 'x' })],
  ])('with %s is refused with 422', async (_, other) => {
    const first = await inbox.submit(keyed('k', urlencoded([['a', '1']])));
    const { status, body } = await inbox.submit(keyed('k', other));

    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await inbox.all()).toMatchObject([{ id: first.body.id }]);
  });

  it('with other bytes in a file is refused, and what it brought is removed', async () => {
    const withFile = (bytes: string) => keyed('k', multipart([['a', '1']], [{ field: 'f', name: 'f', bytes }]));
    const before = (await storedFiles(service.config)).length;
    const first = await inbox.submit(withFile('one'));
    expect(await inbox.submit(withFile('one'))).toMatchObject({ status: 200, text: first.text });
    expect((await inbox.submit(withFile('two'))).status).toBe(422);
    expect(await storedFiles(service.config)).toHaveLength(before + 1);
  });

  it('is another one in another form, and in another case', async () => {
    const other = await Inbox.open(service);
    const ids = await Promise.all(
      [inbox.submit(keyed('k')), other.submit(keyed('k')), inbox.submit(keyed('K'))].map(
        async (answer) => (await answer).body.id,
      ),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('is forgotten after a day, and not before', async () => {
    const first = await inbox.submit(keyed('k'));
    await age(24 * HOUR_MS - 60_000);
    expect((await inbox.submit(keyed('k'))).text).toBe(first.text);
    await age(24 * HOUR_MS + 1_000);
    const later = await inbox.submit(keyed('k', urlencoded([['a', 'other']])));
    expect(later).toMatchObject({ status: 200, body: { success: true } });
    expect(later.body.id).not.toBe(first.body.id);
    expect(await inbox.count()).toBe(2);
  });

  it('leaves no row behind after its day', async () => {
    await inbox.submit(keyed('k'));
    await age(24 * HOUR_MS + 1_000);
    await inbox.submit(keyed('fresh'));
    await service.upkeep();
    const rows = await service.app
      .get(UnitOfWork)
      .run((tx): Promise<unknown[]> => tx.query('SELECT 1 FROM idempotency_keys WHERE form_id = ?', [inbox.form.id]));
    expect(rows).toHaveLength(1);
  });

  /** Makes every key of the form this old. */
  function age(ms: number): Promise<unknown> {
    const createdAt = new Date(Date.now() - ms).toISOString().replace('T', ' ').slice(0, 23);
    return service.app
      .get(UnitOfWork)
      .run((tx) =>
        tx.query('UPDATE idempotency_keys SET created_at = ? WHERE form_id = ?', [createdAt, inbox.form.id]),
      );
  }
});

describe('50 equal requests at once', () => {
  const urlOn = ({ url }: Service) => `${url}/f/${inbox.form.identifier}`;

  it.each([
    ['to one instance', () => [service]],
    ['to two instances', () => [service, sibling]],
  ])('%s make one row and get one answer', async (_, instances) => {
    const targets = instances().map(urlOn);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (__, index) => send(targets[index % targets.length] ?? '', keyed('k'))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await inbox.all()).toHaveLength(1);
    expect(await inbox.count()).toBe(1);
  });

  it('with 50 keys make 50 rows', async () => {
    const sent = Array.from({ length: 50 }, (_, index) => inbox.submit(keyed(`k${index}`)));
    const ids = (await Promise.all(sent)).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(50);
    expect(await inbox.count()).toBe(50);
  });
});

describe('A key', () => {
  it.each([
    ['of 255 characters', 'k'.repeat(255), 200],
    ['of 256 characters', 'k'.repeat(256), 400],
    ['that is empty', '', 400],
    ['that is blank', '""', 400],
    ['of any characters', '\';\u00e9 <b>"', 200],
  ])('%s is answered with its status', async (_, key, status) => {
    expect((await inbox.submit(keyed(key))).status).toBe(status);
    expect((await inbox.submit(keyed(key))).status).toBe(status);
    expect(await inbox.all()).toHaveLength(status === 200 ? 1 : 0);
  });

  it('that is empty in the hidden field counts as none', async () => {
    const sent = named({ a: '1', _idempotency_key: '' });
    await inbox.accept(sent);
    await inbox.accept(sent);
    expect(await inbox.count()).toBe(2);
  });

  it('is free again when its submission was refused', async () => {
    expect((await inbox.submit(keyed('k', urlencoded([])))).status).toBe(422);
    expect((await inbox.submit(keyed('k'))).status).toBe(200);
  });
});

it('Of submissions that share a transaction, a key that was taken meanwhile fails only its own', async () => {
  const writer = service.app.get(SubmissionWriter);
  const elsewhere = await Inbox.open(service);
  const first = await elsewhere.accept(keyed('k'));
  const transactions = () => writer.commitTimes.counts.reduce((sum, count) => sum + count, 0);
  const before = transactions();

  const release = await lockForm(service, inbox.form.id);
  const begun = jest.spyOn(service.app.get(UnitOfWork), 'runStatements');
  const other = () => inbox.submit(urlencoded([['a', '1']]));
  const others = [other()];
  await until(() => begun.mock.calls.length === 1); // the first has a transaction of its own
  others.push(...Array.from({ length: 7 }, other));
  await until(() => writer.queue.items >= 7);
  const late = inbox.submit(keyed('k'));
  await until(() => writer.queue.items >= 8);
  await release((tx) => tx.update(IdempotencyKey, { formId: elsewhere.form.id }, { formId: inbox.form.id }));

  const ids = (await Promise.all(others)).map(({ body }) => body.id);
  expect(new Set((await inbox.all()).map(({ id }) => id))).toEqual(new Set(ids));
  expect(await inbox.count()).toBe(8);
  expect((await late).body.id).toBe(first);
  expect(transactions() - before).toBeLessThan(8);
  begun.mockRestore();
});
