import { setImmediate as turn } from 'node:timers/promises';
import { FakeDatabase, newSubmission, outcome, type Transaction } from '../../../test/support/fake-database.js';
import type { SubmissionWriter } from './submission-writer.js';

const STORE_TIMEOUT_MS = 5_000;
const UNAVAILABLE = { code: 'database_unavailable' };

const withCode = (code: string) => Object.assign(new Error(code), { code });

let database: FakeDatabase;
let writer: SubmissionWriter;
beforeEach(() => {
  database = new FakeDatabase();
  ({ writer } = database);
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets the test move the time that visitors wait. */
function useFakeTime(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
}

describe('Many submissions at once', () => {
  it('that wait for a small transaction are taken half at a time', async () => {
    const stored = [writer.store(newSubmission())];
    const first = await database.begun(0);
    for (let n = 0; n < 60; n++) stored.push(writer.store(newSubmission()));
    first.commit();
    (await database.begun(1)).commit();
    (await database.begun(2)).commit();
    await Promise.all(stored);

    // What the halves are exactly is nobody's business: all are stored, once, and none together with all.
    const ids = database.together.flatMap((transaction) => transaction.ids);
    expect(new Set(ids).size).toBe(61);
    expect(ids).toHaveLength(61);
    const largest = Math.max(...database.together.map((transaction) => transaction.ids.length));
    expect(largest).toBeLessThan(45);
  });

  it('are refused once one would wait for long, at the pace of the last transaction', async () => {
    useFakeTime();
    const slow = outcome(writer.store(newSubmission()));
    const first = await database.begun(0);
    await jest.advanceTimersByTimeAsync(1_000);
    first.commit();
    await slow;
    const waiting = [outcome(writer.store(newSubmission()))];
    await database.begun(1);
    for (let n = 0; n < 200; n++) waiting.push(outcome(writer.store(newSubmission())));

    expect(writer.isOverloaded).toBe(true);
    await expect(writer.store(newSubmission())).rejects.toMatchObject({ code: 'overloaded' });

    await jest.advanceTimersByTimeAsync(STORE_TIMEOUT_MS);
    await Promise.all(waiting);
  });
});

describe('A commit that is not answered', () => {
  it('is looked up, and not written again when it happened', async () => {
    const stored = outcome(writer.store(newSubmission()));
    const { ids, fail } = await database.begun(0);
    for (const id of ids) database.stored.add(id);
    fail(withCode('PROTOCOL_CONNECTION_LOST'));

    expect(await stored).toBe('stored');
    expect(database.together).toHaveLength(1);
  });

  it('is looked up, and written again when it did not, for those alone who still wait', async () => {
    useFakeTime();
    const impatient = outcome(writer.store(newSubmission()));
    const first = await database.begun(0);
    await jest.advanceTimersByTimeAsync(STORE_TIMEOUT_MS - 1_000);
    const both = outcome(writer.store(newSubmission()));
    const third = outcome(writer.store(newSubmission()));
    first.fail(withCode('ER_DUP_ENTRY'));
    expect(await impatient).toBe('idempotency_key_taken');

    const second = await database.begun(1);
    expect(second.ids).toHaveLength(2);
    jest.useRealTimers();
    second.fail(withCode('ECONNRESET'));
    const again = await repeated(2);
    expect(again.ids).toEqual(second.ids);
    again.commit();

    expect(await both).toBe('stored');
    expect(await third).toBe('stored');
    expect(database.looks).toBe(2);
  });

  it('is not written again for a visitor who was answered that it is not stored', async () => {
    useFakeTime();
    const gone = outcome(writer.store(newSubmission()));
    const { fail } = await database.begun(0);
    await jest.advanceTimersByTimeAsync(STORE_TIMEOUT_MS);
    expect(await gone).toBe(UNAVAILABLE.code);

    jest.useRealTimers();
    fail(withCode('ECONNRESET'));
    await writer.onApplicationShutdown();

    expect(database.together).toHaveLength(1);
  });
});

/** Waits for a transaction that begins after the pause before a repetition. */
async function repeated(number: number): Promise<Transaction> {
  for (;;) {
    const transaction = database.together[number];
    if (transaction) return transaction;
    await turn();
  }
}

describe('A database that hangs', () => {
  it('keeps no visitor waiting for longer than five seconds', async () => {
    useFakeTime();
    const written = outcome(writer.store(newSubmission()));
    await database.begun(0);
    const waiting = outcome(writer.store(newSubmission()));

    await jest.advanceTimersByTimeAsync(STORE_TIMEOUT_MS);

    expect(await Promise.all([written, waiting])).toEqual([UNAVAILABLE.code, UNAVAILABLE.code]);
    expect(writer.queue).toMatchObject({ items: 0, bytes: 0 });
  });

  it('fails all who wait once its connection is lost for good', async () => {
    const written = outcome(writer.store(newSubmission()));
    const { fail } = await database.begun(0);
    const waiting = outcome(writer.store(newSubmission({ formId: 2 })));
    fail(withCode('ECONNREFUSED'));

    expect(await Promise.all([written, waiting])).toEqual([UNAVAILABLE.code, UNAVAILABLE.code]);
    expect(writer.queue).toMatchObject({ items: 0, bytes: 0 });
  });
});

describe('A form that somebody else has', () => {
  it('is stored apart, and what comes for the others is not kept', async () => {
    const first = outcome(writer.store(newSubmission({ formId: 1 })));
    const second = outcome(writer.store(newSubmission({ formId: 2 })));
    (await database.begun(0)).fail(withCode('ER_LOCK_WAIT_TIMEOUT'));
    const [held, free] = [await database.begun(0, database.apart), await database.begun(1, database.apart)];
    expect([held.forms, free.forms]).toEqual([[1], [2]]);
    free.commit();
    expect(await second).toBe('stored');

    const later = [1, 2].map((formId) => outcome(writer.store(newSubmission({ formId }))));
    const next = await database.begun(1);
    expect(next.forms).toEqual([2]);
    next.commit();
    expect(await later[1]).toBe('stored');

    held.commit();
    expect(await first).toBe('stored');
    const last = await database.begun(2);
    expect(last.forms).toEqual([1]);
    last.commit();
    expect(await later[0]).toBe('stored');
  });

  it('fails its own visitors alone, and is tried again for the next', async () => {
    const first = outcome(writer.store(newSubmission({ formId: 1 })));
    (await database.begun(0)).fail(withCode('ER_LOCK_WAIT_TIMEOUT'));
    const held = await database.begun(0, database.apart);
    const next = outcome(writer.store(newSubmission({ formId: 1 })));
    const other = outcome(writer.store(newSubmission({ formId: 2 })));
    held.fail(withCode('ER_LOCK_WAIT_TIMEOUT'));

    expect(await first).toBe(UNAVAILABLE.code);
    (await database.begun(1, database.apart)).commit();
    (await database.begun(1)).commit();
    expect(await Promise.all([next, other])).toEqual(['stored', 'stored']);
  });
});

it.each([
  ['together with others', false],
  ['apart', true],
])('The end comes after what is being stored %s', async (_, isApart) => {
  const stored = writer.store(newSubmission());
  let transaction = await database.begun(0);
  if (isApart) {
    transaction.fail(withCode('ER_LOCK_DEADLOCK'));
    transaction = await database.begun(0, database.apart);
  }
  let ended = false;
  const end = writer.onApplicationShutdown().then(() => (ended = true));
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(ended).toBe(false);

  transaction.commit();
  await Promise.all([stored, end]);
});
