import { Counter, Gauge, Histogram as PrometheusHistogram, type Registry } from 'prom-client';
import type { Count, LabelledMetric, Histogram } from '../../platform/kernel/counters.js';

/** A value with its labels, as the registry writes it. */
interface Sample {
  metricName: string;
  labels: Record<string, string>;
  value: number;
}

/** Puts what modules count about themselves into a registry. It is read when the registry is. */
export class PrometheusBridge {
  constructor(private readonly registry: Registry) {}

  /** @param name ends in `_total` */
  counts(name: string, help: string, family: LabelledMetric<Count>): void {
    const labelNames = [...family.labelNames];
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, { value }] of family.entries()) this.inc(labels, value);
      },
    });
  }

  /** @param name ends in its unit */
  histogram(name: string, help: string, measured: Histogram | LabelledMetric<Histogram>): void {
    new ReadHistogram(name, help, measured, this.registry);
  }

  /**
   * @param name ends in its unit
   * @param read the value now; null leaves it out
   */
  gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await read();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
}

/** prom-client's histogram with the observations of ours, which it has no other way to take over. */
class ReadHistogram extends PrometheusHistogram {
  constructor(
    private readonly ownName: string,
    private readonly ownHelp: string,
    private readonly measured: Histogram | LabelledMetric<Histogram>,
    registry: Registry,
  ) {
    super({ name: ownName, help: ownHelp, registers: [registry] });
  }

  /** What a registry asks a histogram for; the types of the library leave it out. */
  getForPromString() {
    const members: [Record<string, string>, Histogram][] =
      'entries' in this.measured ? this.measured.entries() : [[{}, this.measured]];
    return Promise.resolve({
      name: this.ownName,
      help: this.ownHelp,
      type: 'histogram',
      aggregator: 'sum',
      values: members.flatMap(([labels, histogram]) => samplesOf(this.ownName, labels, histogram)),
    });
  }
}

/** Prometheus has buckets that include all smaller ones. */
function samplesOf(
  name: string,
  labels: Record<string, string>,
  { bounds, counts, sum }: Histogram,
): Sample[] {
  let count = 0;
  const buckets = counts.map((more, index) => {
    const le = String(bounds[index] ?? '+Inf');
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: (count += more) };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
