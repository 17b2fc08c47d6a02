/**
 * What modules count about themselves: plain numbers, so that counting costs the hot path nothing to
 * speak of, and nobody but `metrics` knows who reads them.
 */

/** How often something happened since the start. */
export class Counter {
  value = 0;

  add(): void {
    this.value++;
  }
}

/** How large something was, each time it happened. */
export class Histogram {
  /** What fell into each bound and into none below it; the last is for what exceeds all bounds. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper ones, ascending, in the unit of what is observed */
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

/** One measure for each combination of labels. Labels come from small closed sets, never from a request. */
export class LabelledMetric<T> {
  private readonly members = new Map<string, { labels: string[]; measure: T }>();

  constructor(
    readonly labelNames: readonly string[],
    private readonly make: () => T,
  ) {}

  /** The measure with these labels, in the order of their names; made when it is not there yet. */
  of(...labels: string[]): T {
    const key = labels.join('\n');
    let member = this.members.get(key);
    if (!member) this.members.set(key, (member = { labels, measure: this.make() }));
    return member.measure;
  }

  /** Every measure with its labels by name. */
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

/** @param bounds upper ones, ascending, in the unit of what is observed */
export function histogramsBy(
  bounds: readonly number[],
  ...labelNames: string[]
): LabelledMetric<Histogram> {
  return new LabelledMetric(labelNames, () => new Histogram(bounds));
}
