import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FormCache } from './form-cache.js';
import type { Form } from './form.entity.js';
import { FormNotFound } from './form.errors.js';

const IDENTIFIER = '0123456789abcdef';
const ANOTHER = 'fedcba9876543210';
const UNKNOWN = '0000000000000000';

describe('The cache of forms', () => {
  let cache: FormCache;
  let reads: string[][];
  let fails: boolean;
  /** Finds forms, whose id is the number of the read. */
  const read = (identifiers: string[]) => {
    reads.push(identifiers);
    if (fails) return Promise.reject(new Error('The database is away.'));
    const found = identifiers.filter((identifier) => identifier !== UNKNOWN);
    return Promise.resolve(found.map((identifier) => ({ id: reads.length, identifier }) as Form));
  };
  beforeEach(() => {
    jest.useFakeTimers();
    cache = new FormCache(read);
    reads = [];
    fails = false;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('serves a copy for a second and not longer', async () => {
    await cache.get(IDENTIFIER);
    jest.advanceTimersByTime(999);
    expect(await cache.get(IDENTIFIER)).toMatchObject({ id: 1 });
    jest.advanceTimersByTime(1);
    expect(await cache.get(IDENTIFIER)).toMatchObject({ id: 2 });
  });

  it('reads once for those who ask at the same time', async () => {
    const unknown = expect(cache.get(UNKNOWN)).rejects.toThrow(FormNotFound);
    const [one, same, other] = await Promise.all(
      [IDENTIFIER, IDENTIFIER, ANOTHER].map((identifier) => cache.get(identifier)),
    );
    await unknown;
    expect(reads).toEqual([[UNKNOWN, IDENTIFIER, ANOTHER]]);
    expect([one, same, other].map((form) => form?.identifier)).toEqual([
      IDENTIFIER,
      IDENTIFIER,
      ANOTHER,
    ]);
  });

  it('forgets a form that was changed', async () => {
    await cache.get(IDENTIFIER);
    cache.forget(IDENTIFIER);
    expect(await cache.get(IDENTIFIER)).toMatchObject({ id: 2 });
  });

  it('keeps no failure', async () => {
    fails = true;
    await expect(cache.get(IDENTIFIER)).rejects.toThrow('The database is away.');
    fails = false;
    expect(await cache.get(IDENTIFIER)).toMatchObject({ id: 2 });
    await expect(cache.get(UNKNOWN)).rejects.toThrow(FormNotFound);
    await expect(cache.get(UNKNOWN)).rejects.toThrow(FormNotFound);
    expect(reads).toHaveLength(4);
  });

  it('reads nothing for what cannot be an identifier', async () => {
    await expect(cache.get('0123')).rejects.toThrow(FormNotFound);
    expect(reads).toEqual([]);
  });
});
