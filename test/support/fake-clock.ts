import { afterEach, beforeEach, jest } from '@jest/globals';
import { Clock } from '../../src/platform/kernel/clock.js';
import type { Service } from './service.js';

export const SECOND_MS = 1_000;
export const HOUR_MS = 3_600 * SECOND_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The clock of a service: it runs, and can be put forward. Right again before each test. */
export class FakeClock {
  private ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.ahead);
  }

  forward(ms: number): void {
    this.ahead += ms;
  }

  reset(): void {
    this.ahead = 0;
  }
}

/** Gives the service of a test file a clock that can be put forward. */
export function useFakeClock(service: () => Service): FakeClock {
  const clock = new FakeClock();
  beforeEach(() => {
    clock.reset();
    jest.spyOn(service().app.get(Clock), 'now').mockImplementation(() => clock.now());
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return clock;
}
