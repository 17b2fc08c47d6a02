import { daysBetween } from '../../platform/kernel/time/days.js';
import type { Span } from '../../statistics/span.js';
import type { Bucket, Statistics } from '../../statistics/counts/statistics.service.js';
import { statisticsWords } from './words.js';
import { nameOf } from './bucket-names.js';
import { sumOf, type Part } from './chart.js';

/**
 * Draws the sum of each part, compared with as many days before.
 * @param props.mostOf the part whose highest bar is told too
 */
export function Figures(props: {
  span: Span;
  statistics: Statistics;
  parts: readonly Part[];
  mostOf?: Part;
}) {
  const { span, statistics, parts, mostOf } = props;
  const { totals, before, buckets } = statistics;
  const days = statisticsWords.before(daysBetween(span.from, span.to));
  // Said once, and not of each.
  const isFirst = sumOf(before, parts) === 0;
  const most = mostOf && highest(buckets, mostOf);
  return (
    <>
      <dl class="figures">
        {parts.map(({ counter, label }) => (
          <Figure
            label={label}
            value={totals[counter]}
            hint={isFirst ? null : compared(totals[counter], before[counter], days)}
          />
        ))}
        {mostOf && most && (
          <Figure
            label={statisticsWords.most[span.by]}
            value={most[mostOf.counter]}
            hint={nameOf(most.start, span.by, span.zone)}
          />
        )}
      </dl>
      {isFirst && <p class="hint">{statisticsWords.none(days)}</p>}
    </>
  );
}

function Figure({ label, value, hint }: { label: string; value: number; hint: string | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value.toLocaleString('en')}</dd>
      {hint !== null && <dd class="hint">{hint}</dd>}
    </div>
  );
}

/** Returns the bucket with most of a part, the first of several; null when all are empty. */
function highest(buckets: readonly Bucket[], { counter }: Part): Bucket | null {
  return buckets.reduce<Bucket | null>(
    (best, each) => (each[counter] > (best?.[counter] ?? 0) ? each : best),
    null,
  );
}

/** Compares a sum with that of before, in percent where that says more than the number. */
function compared(now: number, before: number, days: string): string {
  const count = before.toLocaleString('en');
  if (before === 0 && now > 0) return statisticsWords.noneBefore(days);
  if (now === before) return statisticsWords.same(count, days);
  const by = `${Math.max(Math.round((Math.abs(now - before) / before) * 100), 1)}%`;
  return now > before
    ? statisticsWords.more(by, count, days)
    : statisticsWords.fewer(by, count, days);
}
