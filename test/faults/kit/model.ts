/** Where a submission can be. */
export type Place = 'inbox' | 'spam' | 'trash' | 'spam-trash' | 'gone';

/** Knowledge of the actors about an acknowledged submission. */
export interface Entry {
  id: string;
  form: string;
  number: number;
  email: string;
  /** Where it may be: one place, or two after a change that was not answered. */
  places: Set<Place>;
  /** Rises with each change that was begun, so that a reader knows what stood still meanwhile. */
  version: number;
  /** An actor is changing it. */
  busy: boolean;
}

/** Makes random numbers that a seed repeats (Mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** Returns a number from 0 to below 1. */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.roll() * limit);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

/** Knows the submissions that should be there, as far as the actors got answers. */
export class Model {
  readonly entries = new Map<string, Entry>();
  /** Numbers that were sent and got no answer: each may be there, once. */
  readonly unanswered = new Map<number, string>();
  /** Addresses that nobody sends any more, and where what they sent is put: erased, or thrown away. */
  readonly retired = new Map<string, Place>();
  /** How often something of a form began to be removed. */
  readonly removals = new Map<string, number>();
  private numbers = 0;

  nextNumber(): number {
    return ++this.numbers;
  }

  /** The number that was sent last. */
  get lastNumber(): number {
    return this.numbers;
  }

  add(entry: Pick<Entry, 'id' | 'form' | 'number' | 'email'>, places: Place[]): void {
    this.entries.set(entry.id, { ...entry, places: new Set(places), version: 0, busy: false });
  }

  /** Entries of a form that are surely at this place and that nobody is changing. */
  settledAt(form: string, place: Place): Entry[] {
    return [...this.entries.values()].filter(
      (entry) => entry.form === form && !entry.busy && entry.places.size === 1 && entry.places.has(place),
    );
  }

  /**
   * Runs a change of entries that are to be at one place afterwards.
   * @param change resolves to true when it was done, false when it was refused; rejects without an answer
   */
  async move(entries: Entry[], to: Place, change: () => Promise<boolean>): Promise<void> {
    const before = entries.map(({ places }) => places);
    for (const { form } of to === 'gone' ? entries : []) {
      this.removals.set(form, (this.removals.get(form) ?? 0) + 1);
    }
    for (const entry of entries) {
      entry.busy = true;
      entry.version++;
      entry.places = new Set([...entry.places, to]);
    }
    try {
      const done = await change();
      for (const [index, entry] of entries.entries()) {
        entry.places = done ? new Set([to]) : (before[index] ?? entry.places);
      }
    } catch {
      // Without an answer either may be so.
    } finally {
      for (const entry of entries) entry.busy = false;
    }
  }

  /**
   * Remembers the entries that surely are at a place of a form now; `stood` returns those that did not
   * move since.
   */
  watch(form: string, place: Place): { stood: () => Entry[] } {
    const seen = this.settledAt(form, place).map((entry) => ({ entry, version: entry.version }));
    return { stood: () => seen.filter(({ entry, version }) => entry.version === version).map(({ entry }) => entry) };
  }
}
