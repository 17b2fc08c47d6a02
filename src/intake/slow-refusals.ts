import { setTimeout as pause } from 'node:timers/promises';

/** Refusals of a network that are answered at once in each REFUSAL_MS, in milliseconds; further ones are so much later. */
const AT_ONCE = 16;
const REFUSAL_MS = 250;

/** Slows down a network that goes on sending beyond its limit, since each refusal costs others a moment. */
export class SlowRefusals {
  private counts = new Map<string, number>();
  private endsAt = 0;

  /** Waits before the next refusal of a network, if it got many lately. */
  async wait(network: string): Promise<void> {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.endsAt = now + REFUSAL_MS;
    }
    const count = (this.counts.get(network) ?? 0) + 1;
    this.counts.set(network, count);
    if (count > AT_ONCE) await pause(REFUSAL_MS);
  }
}
