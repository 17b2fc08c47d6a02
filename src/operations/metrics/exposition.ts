import type { Counter, Histogram, LabelledMetric } from '../../platform/kernel/counters.js';

/** Labels by name, as a sample has them. */
type Labels = Record<string, string>;

/*
 * The text format of Prometheus, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */

/**
 * Writes a counter with a sample for each combination of its labels.
 * @param name ends in `_total`
 */
export function counterText(name: string, help: string, counters: LabelledMetric<Counter>): string {
  const samples = counters.entries().map(([labels, { value }]) => sample(name, labels, value));
  return metric(name, help, 'counter', samples);
}

/**
 * Writes a gauge.
 * @param name ends in its unit
 * @param value null when it is unknown; there is no sample then
 */
export function gaugeText(name: string, help: string, value: number | null): string {
  return gaugesText(name, help, value === null ? [] : [[{}, value]]);
}

/** Writes a gauge with a sample for each combination of its labels. */
export function gaugesText(name: string, help: string, samples: [Labels, number][]): string {
  const texts = samples.map(([labels, value]) => sample(name, labels, value));
  return metric(name, help, 'gauge', texts);
}

/**
 * Writes a histogram, or one for each combination of labels.
 * @param name ends in the unit of what was observed
 */
export function histogramText(
  name: string,
  help: string,
  measured: Histogram | LabelledMetric<Histogram>,
): string {
  const members: [Labels, Histogram][] =
    'entries' in measured ? measured.entries() : [[{}, measured]];
  const samples = members.flatMap(([labels, histogram]) => samplesOf(name, labels, histogram));
  return metric(name, help, 'histogram', samples);
}

/** Returns the samples of a histogram. Buckets of Prometheus include all smaller ones. */
function samplesOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let count = 0;
  const buckets = counts.map((more, index) => {
    const le = String(bounds[index] ?? '+Inf');
    return sample(`${name}_bucket`, { ...labels, le }, (count += more));
  });
  return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, count)];
}

function metric(name: string, help: string, type: string, samples: string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/** Escapes what would end the value of a label. */
function escape(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
