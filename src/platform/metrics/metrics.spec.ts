import { countersBy, histogramsBy, counter, gauge, histogram, expositionOf } from './metrics.js';

describe('The text for Prometheus', () => {
  it('has a sample for each combination of labels, with what would end a label escaped', async () => {
    const counters = countersBy('kind', 'reason');
    counters.of('mail', '').add();
    counters.of('mail', '').add();
    counters.of('a "b" \\ c', 'two\nlines').add();

    expect(await expositionOf([counter('things_total', 'Things.', counters)])).toBe(
      [
        '# HELP things_total Things.',
        '# TYPE things_total counter',
        'things_total{kind="mail",reason=""} 2',
        'things_total{kind="a \\"b\\" \\\\ c",reason="two\\nlines"} 1',
        '',
      ].join('\n'),
    );
  });

  it('has a histogram for each combination of labels, one of which nothing was seen too', async () => {
    const durations = histogramsBy([1], 'route');
    durations.of('/a').observe(2);
    durations.of('/b');

    const text = await expositionOf([histogram('took_seconds', 'Time.', durations)]);
    expect(text.split('\n').slice(2, -1)).toEqual([
      'took_seconds_bucket{route="/a",le="1"} 0',
      'took_seconds_bucket{route="/a",le="+Inf"} 1',
      'took_seconds_sum{route="/a"} 2',
      'took_seconds_count{route="/a"} 1',
      ...['1', '+Inf'].map((le) => `took_seconds_bucket{route="/b",le="${le}"} 0`),
      ...['sum', 'count'].map((name) => `took_seconds_${name}{route="/b"} 0`),
    ]);
  });

  it('has no sample of what is not known', async () => {
    const head = '# HELP up Up.\n# TYPE up gauge\n';

    expect(await expositionOf([gauge('up', 'Up.', 0)])).toBe(`${head}up 0\n`);
    expect(await expositionOf([gauge('up', 'Up.', null)])).toBe(head);
  });
});
