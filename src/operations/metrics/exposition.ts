import type { Registry } from 'prom-client';
import type { Counter, Histogram, LabelledMetric } from '../../platform/kernel/counters.js';

/** Labels by name, as a sample has them. */
type Labels = Record<string, string>;
/** A value; those of a histogram have names of their own. */
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
export function histogram(
  name: string,
  help: string,
  measured: Histogram | LabelledMetric<Histogram>,
): Metric {
  const members: [Labels, Histogram][] =
    'entries' in measured ? measured.entries() : [[{}, measured]];
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
export async function textOf(metrics: Metric[]): Promise<string> {
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
