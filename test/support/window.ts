import { afterEach, beforeEach, jest } from '@jest/globals';
import { Clock } from '../../src/platform/kernel/clock.js';

const WINDOW_MS = 60_000;

/**
 * Lets each test of a file begin together with a window of the limits, so that none ends within it.
 * @returns begins the next window, or one so many further; negative as a clock that is set back
 */
export function useWindows(): (windows?: number) => void {
  let ahead = 0;
  const next = (windows = 1) => (ahead += windows * WINDOW_MS - ((Date.now() + ahead) % WINDOW_MS));
  beforeEach(() => {
    next();
    jest.spyOn(Clock.prototype, 'now').mockImplementation(() => new Date(Date.now() + ahead));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return next;
}
