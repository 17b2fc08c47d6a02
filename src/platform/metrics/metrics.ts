import type { Registry } from 'prom-client';
import { hook } from '../hooks/hooks.js';

// A room counts what it does in plain numbers, which costs the hot path almost nothing, and names its metrics itself.

/** Counts events since the start. */
export class Counter {
  value = 0;

  add() {
    this.value++;
  }
}

/** Counts values by size. */
export class Histogram {
  /** Number of values up to each bound and above the one before it; the last is for values above all bounds. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper ones, ascending, in the unit of the values */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number) {
    let index = 0;
    while (index < this.bounds.length && value > (this.bounds[index] ?? Infinity)) index++;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

/** Keeps one measure for each combination of labels. Labels come from small fixed sets, never from a request. */
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
export function histogramsBy(bounds: readonly number[], ...labelNames: string[]): LabelledMetric<Histogram> {
  return new LabelledMetric(labelNames, () => new Histogram(bounds));
}

/** Counts what is under way by whom it is for. */
export class UnderWay<Key> {
  private readonly counts = new Map<Key, number>();

  /** Number of those for whom something is. */
  get size() {
    return this.counts.size;
  }

  /** @returns how many are under way, with this one */
  begin(key: Key) {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  end(key: Key) {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}

/** Returns the metrics of a room with their values now. */
export const Measured = hook<() => Metric[] | Promise<Metric[]>>();

/** Shortest time between two looks at the database for metrics, in milliseconds. */
const ASKED_EVERY_MS = 5_000;

/**
 * Returns a function that calls `ask` at most once in five seconds; other callers share its result.
 * @param ask may fail: what it asks for is unknown then
 */
export function askedSeldom<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let askedAt = -Infinity;
  let answer: Promise<T | null> = Promise.resolve(null);
  return () => {
    const now = performance.now();
    if (now - askedAt >= ASKED_EVERY_MS) {
      askedAt = now;
      answer = ask().catch(() => null);
    }
    return answer;
  };
}

/** Labels by name, as a sample has them. */
type Labels = Record<string, string>;
/** A value; a histogram's values have names of their own. */
interface Sample {
  labels: Labels;
  value: number;
  metricName?: string;
}

/** A metric as prom-client takes it over from where it was counted. */
export interface Metric {
  name: string;
  help: string;
  type: string;
  aggregator: 'first';
  values: Sample[];
}

/**
 * Makes a counter with a sample for each combination of its labels.
 * @param name ends in `_total`
 */
export function counter(name: string, help: string, counters: LabelledMetric<Counter>): Metric {
  const values = counters.entries().map(([labels, { value }]) => ({ labels, value }));
  return { name, help, type: 'counter', aggregator: 'first', values };
}

/**
 * Makes a gauge.
 * @param name ends in its unit
 * @param value null when it is unknown; there is no sample then
 */
export function gauge(name: string, help: string, value: number | null): Metric {
  return gauges(name, help, value === null ? [] : [{ labels: {}, value }]);
}

/** Makes a gauge with a sample for each combination of its labels. */
export function gauges(name: string, help: string, values: Sample[]): Metric {
  return { name, help, type: 'gauge', aggregator: 'first', values };
}

/**
 * Makes a histogram, or one for each combination of labels.
 * @param name ends in the unit of what was observed
 */
export function histogram(name: string, help: string, measured: Histogram | LabelledMetric<Histogram>): Metric {
  const members: [Labels, Histogram][] = 'entries' in measured ? measured.entries() : [[{}, measured]];
  const values = members.flatMap(([labels, each]) => samplesOf(name, labels, each));
  return { name, help, type: 'histogram', aggregator: 'first', values };
}

/** Returns the samples of a histogram. Buckets of Prometheus include all smaller ones. */
function samplesOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram): Sample[] {
  let count = 0;
  const buckets = counts.map((more, index) => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le: String(bounds[index] ?? '+Inf') },
    value: (count += more),
  }));
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** Writes metrics in the text format of Prometheus. The library is loaded now: many processes are never asked. */
export async function expositionOf(metrics: Metric[]) {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([metrics]).metrics();
}

/** Begins to measure the process, its memory and its event loop. */
export async function measureNode(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
