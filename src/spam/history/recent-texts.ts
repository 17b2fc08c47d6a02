import { areAlike, type Fingerprint } from './fingerprint.js';

/** Room for texts at first; it doubles, since most accounts get few. */
const FIRST_ROOM = 16;

/** Remembers the last texts of an account by their fingerprints, in few bytes each: all are looked at each time. */
export class RecentTexts {
  private high = new Int32Array(FIRST_ROOM);
  private low = new Int32Array(FIRST_ROOM);
  private times = new Float64Array(FIRST_ROOM);
  private count = 0;
  /** Where the next one goes: in place of the oldest, when there is no room. */
  private next = 0;

  /** @param max of texts; the oldest go first */
  constructor(private readonly max: number) {}

  /** Counts texts that came after a time, in milliseconds since 1970, and are nearly the same. */
  countAlike({ high, low }: Fingerprint, after: number): number {
    let alike = 0;
    for (let at = 0; at < this.count; at++) {
      const isAlike = areAlike((this.high[at] ?? 0) ^ high, (this.low[at] ?? 0) ^ low);
      if (isAlike && (this.times[at] ?? 0) > after) alike++;
    }
    return alike;
  }

  add({ high, low }: Fingerprint, time: number): void {
    if (this.next === this.high.length && this.next < this.max) this.grow();
    this.next %= this.max;
    this.high[this.next] = high;
    this.low[this.next] = low;
    this.times[this.next] = time;
    this.next++;
    this.count = Math.max(this.count, this.next);
  }

  /** Lets the last text of this fingerprint count no more. */
  forget({ high, low }: Fingerprint): void {
    let last = -1;
    for (let at = 0; at < this.count; at++) {
      const isSame = this.high[at] === high && this.low[at] === low;
      if (isSame && (this.times[at] ?? 0) >= (this.times[last] ?? 0)) last = at;
    }
    if (last >= 0) this.times[last] = 0;
  }

  private grow(): void {
    const room = Math.min(2 * this.high.length, this.max);
    const [high, low, times] = [new Int32Array(room), new Int32Array(room), new Float64Array(room)];
    high.set(this.high);
    low.set(this.low);
    times.set(this.times);
    [this.high, this.low, this.times] = [high, low, times];
  }
}
