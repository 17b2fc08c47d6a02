import type { Step } from '../../statistics/span.js';
import { statisticsWords } from './facets.js';
import type { Counter, Sums } from '../../statistics/counts/sums.js';
import type { Bucket } from '../../statistics/counts/statistics.service.js';
import { BAR, Canvas, HEIGHT, NONE, round, STEP, topOf } from './canvas.js';

const FULL = {
  hour: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
} as const;
const SHORT = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const;

type Style = (typeof FULL)[Step] | (typeof SHORT)[Step];

/** By how it is shown, and the zone. */
const formats = new Map<Style, Map<string, Intl.DateTimeFormat>>();

/** Returns what a bucket is called in a table and in a sentence, such as `Tue, 3 Feb 2026`. */
export function nameOf(start: Date, by: Step, timeZone: string): string {
  if (by === 'week') return statisticsWords.weekFrom(dayName(start, timeZone));
  return format(start, FULL[by], timeZone);
}

/** Returns a day, such as `3 Feb 2026`. */
export function dayName(at: Date, timeZone: string): string {
  return format(at, FULL.week, timeZone);
}

/** Returns what it is called below a chart, such as `3 Feb`. */
export function shortNameOf(start: Date, by: Step, timeZone: string): string {
  return format(start, SHORT[by], timeZone);
}

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(at: Date, style: Style, timeZone: string): string {
  const ofStyle = formats.get(style) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(style, ofStyle);
  const known = ofStyle.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...style, timeZone });
  ofStyle.set(timeZone, known);
  return known.format(at);
}

/** Names below the chart, at most; some are long. */
const NAMES_MAX: Record<Step, number> = { hour: 3, day: 5, week: 5, month: 3 };

/** Part of a bar. */
export interface Part {
  counter: Counter;
  /** Name in the legend and the table. */
  label: string;
  /** How it is drawn; absent: as what is usual. */
  look?: 'spam' | 'delivered' | 'late' | 'failed';
  /** Says it of a number, such as `2 submissions`. */
  said: (count: number) => string;
}

export interface ChartProps {
  buckets: readonly Bucket[];
  /** The parts of a bar, from below. */
  parts: readonly Part[];
  by: Step;
  zone: string;
  /** Returns the address of what a part of a bucket counts. */
  hrefOf: (bucket: Bucket, part: Part) => string;
}

/**
 * Draws a bar for each bucket, its parts on top of one another. Each part opens its list. A table says the same, so
 * keyboards and screen readers pass over the drawing.
 */
export function Chart(props: ChartProps) {
  const { buckets, by, zone, parts } = props;
  const top = topOf(Math.max(...buckets.map((bucket) => sumOf(bucket, parts)), 0));
  return (
    <Canvas
      top={top}
      names={buckets.map(({ start }) => shortNameOf(start, by, zone))}
      most={NAMES_MAX[by]}
    >
      {buckets.map((bucket, index) => (
        <Bar {...props} bucket={bucket} x={index * STEP} unit={HEIGHT / top} />
      ))}
    </Canvas>
  );
}

/** Draws one bar. Each part is a link; that of the lowest one is as high as the chart. */
function Bar(props: ChartProps & { bucket: Bucket; x: number; unit: number }) {
  const { bucket, by, zone, parts, hrefOf, x, unit } = props;
  const left = x + (STEP - BAR) / 2;
  const counted = parts.filter(({ counter }) => bucket[counter] > 0);
  const said = parts.filter((part, index) => index === 0 || counted.includes(part));
  const title = statisticsWords.bar(
    nameOf(bucket.start, by, zone),
    said.map((part) => part.said(bucket[part.counter])),
  );
  const hit = <rect class="hit" x={x} y="0" width={STEP} height={HEIGHT} />;
  let top = HEIGHT;
  return (
    <g>
      <title>{title}</title>
      {counted.length === 0 && (
        <>
          <rect class="none" x={left} y={HEIGHT - NONE} width={BAR} height={NONE} />
          {hit}
        </>
      )}
      {counted.map((part, index) => {
        const height = bucket[part.counter] * unit;
        top -= height;
        return (
          <a href={hrefOf(bucket, part)} tabindex={-1}>
            {index === 0 && hit}
            <rect class={part.look} x={left} y={round(top)} width={BAR} height={round(height)} />
          </a>
        );
      })}
    </g>
  );
}

/** Says what the colours mean. */
export function Legend({ parts }: Pick<ChartProps, 'parts'>) {
  return (
    <p class="legend hint" aria-hidden="true">
      {parts.map(({ label, look }) => (
        <span>
          <svg class={look} width="10" height="10">
            <rect width="10" height="10" rx="2" />
          </svg>{' '}
          {label}
        </span>
      ))}
    </p>
  );
}

/** Adds up the parts of a bar. */
export function sumOf(sums: Sums, parts: readonly Part[]): number {
  return parts.reduce((sum, { counter }) => sum + sums[counter], 0);
}
