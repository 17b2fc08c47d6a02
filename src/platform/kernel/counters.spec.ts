import { describe, expect, it } from '@jest/globals';
import { countersBy, Histogram, histogramsBy } from './counters.js';

describe('A histogram', () => {
  it('puts a value into the first bound that is not below it', () => {
    const histogram = new Histogram([1, 2, 5]);

    for (const value of [0, 1, 1.5, 2, 5, 6]) histogram.observe(value);

    expect(histogram.counts).toEqual([2, 2, 1, 1]);
    expect(histogram.sum).toBe(15.5);
  });
});

describe('A family', () => {
  it('has one measure for each combination of labels', () => {
    const counts = countersBy('kind', 'outcome');

    counts.of('mail', 'delivered').add();
    counts.of('mail', 'failed').add();
    counts.of('mail', 'delivered').add();

    expect(counts.entries().map(([labels, { value }]) => ({ ...labels, value }))).toEqual([
      { kind: 'mail', outcome: 'delivered', value: 2 },
      { kind: 'mail', outcome: 'failed', value: 1 },
    ]);
  });

  it('shows a measure that was named before anything happened', () => {
    const durations = histogramsBy([1], 'route');

    durations.of('/');

    expect(durations.entries()).toEqual([[{ route: '/' }, new Histogram([1])]]);
  });
});
