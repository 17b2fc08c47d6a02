import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FormCache } from './form-cache.js';
import type { Form } from './form.entity.js';
import { FormNotFound } from './form.errors.js';

const IDENTIFIER = '0123456789abcdef';

describe('The cache of forms', () => {
  let cache: FormCache;
  let reads: number;
  const read = () => Promise.resolve({ id: ++reads } as Form);
  beforeEach(() => {
    jest.useFakeTimers();
    cache = new FormCache();
    reads = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('serves a copy for a second and not longer', async () => {
    await cache.get(IDENTIFIER, read);
    jest.advanceTimersByTime(999);
    expect(await cache.get(IDENTIFIER, read)).toEqual({ id: 1 });
    jest.advanceTimersByTime(1);
    expect(await cache.get(IDENTIFIER, read)).toEqual({ id: 2 });
  });

  it('reads a form once for those who ask at the same time', async () => {
    await Promise.all([cache.get(IDENTIFIER, read), cache.get(IDENTIFIER, read)]);
    expect(reads).toBe(1);
  });

  it('keeps no failure', async () => {
    const fail = () => Promise.reject(new FormNotFound());
    await expect(cache.get(IDENTIFIER, fail)).rejects.toThrow(FormNotFound);
    expect(await cache.get(IDENTIFIER, read)).toEqual({ id: 1 });
  });

  it('reads nothing for what cannot be an identifier', async () => {
    await expect(cache.get('0123', read)).rejects.toThrow(FormNotFound);
    expect(reads).toBe(0);
  });
});
