import { afterEach, beforeEach, jest } from '@jest/globals';
import { Clock } from '../../src/shared/clock.js';

const WINDOW_MS = 60_000;

/**
 * Lets each test of a file begin together with a window of the limits, so that none ends within it.
 * @returns begins the next window
 */
export function useWindows(): () => void {
  let ahead = 0;
  const next = () => (ahead += WINDOW_MS - ((Date.now() + ahead) % WINDOW_MS));
  beforeEach(() => {
    next();
    jest.spyOn(Clock.prototype, 'now').mockImplementation(() => new Date(Date.now() + ahead));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return next;
}
