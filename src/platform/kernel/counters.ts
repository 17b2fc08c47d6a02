/**
 * Counts what modules report about themselves. Plain numbers, so that counting costs the hot path almost
 * nothing and only `metrics` knows Prometheus.
 */

/** Counts events since the start. */
export class Counter {
  value = 0;

  add(): void {
    this.value++;
  }
}

/** Counts values by size. */
export class Histogram {
  /**
   * Number of values up to each bound and above the one before it; the last is for values above all bounds.
   */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper ones, ascending, in the unit of the values */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.bounds.length && value > (this.bounds[index] ?? Infinity)) index++;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

/**
 * Keeps one measure for each combination of labels. Labels come from small fixed sets, never from a request.
 */
export class LabelledMetric<T> {
  private readonly members = new Map<string, { labels: string[]; measure: T }>();

  constructor(
    readonly labelNames: readonly string[],
    private readonly make: () => T,
  ) {}

  /** Returns the measure with these labels, in the order of their names; makes it if needed. */
  of(...labels: string[]): T {
    const key = labels.join('\n');
    let member = this.members.get(key);
    if (!member) this.members.set(key, (member = { labels, measure: this.make() }));
    return member.measure;
  }

  /** Returns every measure with its labels by name. */
  entries(): [Record<string, string>, T][] {
    return [...this.members.values()].map(({ labels, measure }) => [
      Object.fromEntries(this.labelNames.map((name, index) => [name, labels[index] ?? ''])),
      measure,
    ]);
  }
}

export function countersBy(...labelNames: string[]): LabelledMetric<Counter> {
  return new LabelledMetric(labelNames, () => new Counter());
}

/**
 * Makes a histogram for each combination of labels.
 * @param bounds upper ones, ascending, in the unit of the values
 */
export function histogramsBy(
  bounds: readonly number[],
  ...labelNames: string[]
): LabelledMetric<Histogram> {
  return new LabelledMetric(labelNames, () => new Histogram(bounds));
}

/** Counts what is under way by whom it is for. */
export class UnderWay<Key> {
  private readonly counts = new Map<Key, number>();

  /** Number of those for whom something is. */
  get size(): number {
    return this.counts.size;
  }

  /** @returns how many are under way, with this one */
  begin(key: Key): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  end(key: Key): void {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}
