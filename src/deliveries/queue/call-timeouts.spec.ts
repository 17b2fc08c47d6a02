import { CallTimeouts, CallAborted, LEASE_SECONDS } from './call-timeouts.js';

const SECOND_MS = 1_000;

let timeouts: CallTimeouts;
beforeEach(() => {
  jest.useFakeTimers();
  timeouts = new CallTimeouts();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A call that lasts until it is ended; gives the reason. */
const lasting = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    const end = () => {
      resolve(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

describe('A call', () => {
  it('that takes too long is ended well before its lease', async () => {
    const begin = Date.now();
    const call = timeouts.run(lasting);
    await jest.runAllTimersAsync();

    expect(await call).toMatchObject({ reason: 'timed_out' });
    expect(Date.now() - begin).toBeLessThanOrEqual((LEASE_SECONDS - 15) * SECOND_MS);
  });

  it('that ends by itself leaves no timer behind, whatever it ends with', async () => {
    await timeouts.run(() => Promise.resolve());
    await expect(timeouts.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(jest.getTimerCount()).toBe(0);
  });

  it('that is under way at a stop has three seconds left', async () => {
    let end: unknown = null;
    void timeouts.run(lasting).then((reason) => (end = reason));
    timeouts.onModuleDestroy();

    await jest.advanceTimersByTimeAsync(3 * SECOND_MS - 1);
    expect(end).toBeNull();
    await jest.advanceTimersByTimeAsync(1);
    expect(end).toBeInstanceOf(CallAborted);
    expect(end).toMatchObject({ reason: 'interrupted' });
  });

  it('that is begun after that is ended at once', async () => {
    timeouts.onModuleDestroy();
    jest.advanceTimersByTime(3 * SECOND_MS);

    expect(await timeouts.run(lasting)).toMatchObject({ reason: 'interrupted' });
  });
});
