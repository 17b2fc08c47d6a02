const RealDate = Date;

/** Moves the clock of this process, as an administrator or a time server does to a machine's. */
export class ShiftedTime {
  private byMs = 0;

  private constructor() {
    const now = () => RealDate.now() + this.byMs;
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | ConstructorParameters<DateConstructor>) {
        if (given.length === 0) super(now());
        else super(...given);
      }

      static override now = now;
    } as DateConstructor;
  }

  static begin(): ShiftedTime {
    return new ShiftedTime();
  }

  /** @param ms from now on, in all; negative for the past */
  to(ms: number): void {
    this.byMs = ms;
  }

  end(): void {
    globalThis.Date = RealDate;
  }
}
