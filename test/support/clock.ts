import { Clock } from '../../src/platform/kernel/time.js';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** The clock of every service of this process. It runs unless it is stopped, and can be put anywhere. */
export class TestClock {
  private ahead = 0;
  private stoppedAt: number | null = null;

  /** @param windowMs how long a window of the limits lasts */
  constructor(private readonly windowMs = MINUTE_MS) {}

  now(): Date {
    return new Date((this.stoppedAt ?? Date.now()) + this.ahead);
  }

  /** @param ms negative as a clock that is set back */
  forward(ms: number): void {
    this.ahead += ms;
  }

  /** Moves to the moment when something is due, and with a stopped clock not a millisecond further. */
  forwardTo(moment: string | null): void {
    if (moment === null) throw new Error('It is not due at any time.');
    this.forward(Date.parse(moment) - this.now().getTime());
  }

  /** Moves to the start of the next window of the limits, or of one so many further. */
  nextWindow(windows = 1): void {
    this.forward(windows * this.windowMs - (this.now().getTime() % this.windowMs));
  }

  /** Lets time pass only when the test says so. */
  stop(): void {
    this.stoppedAt = Date.now();
  }

  reset(): void {
    this.ahead = 0;
    this.stoppedAt = null;
  }
}

/** Takes the clock of the services into the hands of a file's tests; it is right again before each. */
export function useClock(): TestClock {
  return use((clock) => {
    clock.reset();
  });
}

/** A clock that stands still, a minute from now, for tests to whom each second matters. */
export function useStoppedClock(): TestClock {
  return use((clock) => {
    clock.reset();
    clock.stop();
    clock.forward(MINUTE_MS);
  });
}

/**
 * A clock with which each test begins together with a new window of the limits, so that none ends within it.
 * @param windowMs how long a window lasts
 */
export function useWindows(windowMs?: number): TestClock {
  return use((clock) => {
    clock.nextWindow();
  }, new TestClock(windowMs));
}

/** @param begin puts the clock where each test begins */
function use(begin: (clock: TestClock) => void, clock = new TestClock()): TestClock {
  beforeEach(() => {
    begin(clock);
    jest.spyOn(Clock.prototype, 'now').mockImplementation(() => clock.now());
  });
  return clock;
}
