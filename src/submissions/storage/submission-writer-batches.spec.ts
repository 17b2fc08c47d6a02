import { setImmediate as turn } from 'node:timers/promises';
import { FakeDatabase, newSubmission, outcome } from '../../../test/support/fake-database.js';
import type { SubmissionWriter } from './submission-writer.js';

let database: FakeDatabase;
let writer: SubmissionWriter;
beforeEach(() => {
  database = new FakeDatabase();
  ({ writer } = database);
});

it('Load is there while transactions are large, and not when they are small or done', async () => {
  const first = outcome(writer.store(newSubmission()));
  const small = await database.begun(0);
  expect(writer.isUnderLoad).toBe(false);
  const many = Array.from({ length: 60 }, () => outcome(writer.store(newSubmission())));
  small.commit();
  await first;
  const large = await database.begun(1);
  expect(writer.isUnderLoad).toBe(false);
  many.push(outcome(writer.store(newSubmission())));
  large.commit();
  const next = await database.begun(2);
  expect(writer.isUnderLoad).toBe(true);
  next.commit();
  await Promise.all(many);
  for (let turns = 0; turns < 5; turns++) await turn();

  expect(writer.isUnderLoad).toBe(false);
});

describe('The embedded database', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    database = new FakeDatabase(true);
    ({ writer } = database);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Stores so many in a transaction of 10 ms; another one comes meanwhile. */
  const storeBefore = async (count: number) => {
    const stored = Array.from({ length: count }, () => writer.store(newSubmission()));
    const first = await database.begun(0);
    stored.push(writer.store(newSubmission()));
    await jest.advanceTimersByTimeAsync(10);
    first.commit();
    return stored;
  };

  it('rests after a transaction of several for as long as it took: others are read meanwhile', async () => {
    const stored = await storeBefore(2);
    await jest.advanceTimersByTimeAsync(9);
    expect(database.together).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    (await database.begun(1)).commit();

    await expect(Promise.all(stored)).resolves.toHaveLength(3);
  });

  it('is under load with three in a transaction', async () => {
    const stored = await storeBefore(3);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(writer.isUnderLoad).toBe(true);
    await jest.advanceTimersByTimeAsync(10);
    (await database.begun(1)).commit();

    await expect(Promise.all(stored)).resolves.toHaveLength(4);
  });

  it('does not rest after a single one', async () => {
    const stored = await storeBefore(1);
    (await database.begun(1)).commit();

    await expect(Promise.all(stored)).resolves.toHaveLength(2);
  });
});

describe('A form whose row stays locked', () => {
  const locked = Object.assign(new Error('locked'), { code: 'ER_LOCK_WAIT_TIMEOUT' });

  it('stays apart while nobody submits to it, so that the others never wait for it again', async () => {
    const first = outcome(writer.store(newSubmission({ formId: 1 })));
    (await database.begun(0)).fail(locked);
    (await database.begun(0, database.apart)).fail(locked);
    expect(await first).not.toBe('stored');

    const later = [1, 2].map((formId) => outcome(writer.store(newSubmission({ formId }))));
    const [held, other] = [await database.begun(1, database.apart), await database.begun(1)];
    expect([held.forms, other.forms]).toEqual([[1], [2]]);
    held.commit();
    other.commit();
    expect(await Promise.all(later)).toEqual(['stored', 'stored']);

    const last = outcome(writer.store(newSubmission({ formId: 1 })));
    (await database.begun(2)).commit();
    expect(await last).toBe('stored');
  });

  it('does not keep the service from its end', async () => {
    const first = outcome(writer.store(newSubmission({ formId: 1 })));
    (await database.begun(0)).fail(locked);
    (await database.begun(0, database.apart)).fail(locked);
    await first;

    await expect(writer.onApplicationShutdown()).resolves.toBeUndefined();
  });
});

it('A row that cannot be stored fails its own visitor alone', async () => {
  const bad = newSubmission();
  const first = outcome(writer.store(newSubmission()));
  const blocking = await database.begun(0);
  const good = Array.from({ length: 4 }, () => outcome(writer.store(newSubmission())));
  const all = Promise.all([...good, outcome(writer.store(bad))]);
  blocking.commit();
  await first;
  const badId = bad.id.toString('hex');
  for (let number = 1; ; number++) {
    const transaction = await Promise.race([database.begun(number), all]);
    if (Array.isArray(transaction)) break;
    if (transaction.ids.includes(badId)) transaction.fail(new Error('too long'));
    else transaction.commit();
  }

  expect(await all).toEqual(['stored', 'stored', 'stored', 'stored', 'too long']);
});
