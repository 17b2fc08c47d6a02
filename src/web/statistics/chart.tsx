import type { Step } from '../../statistics/span.js';
import type { Counter, Sums } from '../../statistics/counts/sums.js';
import type { Bucket } from '../../statistics/counts/statistics.service.js';
import { words } from '../words.js';
import { nameOf, shortNameOf } from './bucket-names.js';

/** Units of the drawing, which is stretched to the width of the page. */
const HEIGHT = 200;
const STEP = 10;
/** Height of the mark of a bar that is empty. */
const NONE = 2;
/** Share of a step that is the bar. */
const BAR = 7;
/** Names below the chart, at most; some are long. */
const NAMES_MAX: Record<Step, number> = { hour: 3, day: 5, week: 5, month: 3 };
/** Ends of the scale that are easy to read, in powers of ten. */
const TOPS = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

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
  const width = buckets.length * STEP;
  return (
    <div class="chart" aria-hidden="true">
      <div class="scale">
        {[top, top / 2, 0].map((mark) => (
          <span>{mark.toLocaleString('en')}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" focusable="false">
        <path class="grid" d={gridOf(width)} />
        {buckets.map((bucket, index) => (
          <Bar {...props} bucket={bucket} x={index * STEP} unit={HEIGHT / top} />
        ))}
      </svg>
      <div class="names">
        {namedOf(buckets, NAMES_MAX[by]).map(({ start }) => (
          <span>{shortNameOf(start, by, zone)}</span>
        ))}
      </div>
    </div>
  );
}

/** Draws one bar. Each part is a link; that of the lowest one is as high as the chart. */
function Bar(props: ChartProps & { bucket: Bucket; x: number; unit: number }) {
  const { bucket, by, zone, parts, hrefOf, x, unit } = props;
  const left = x + (STEP - BAR) / 2;
  const counted = parts.filter(({ counter }) => bucket[counter] > 0);
  const said = parts.filter((part, index) => index === 0 || counted.includes(part));
  const title = words.statistics.bar(
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

/** Returns the end of the scale: an even number that is easy to read, and not below the highest bar. */
function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const tops = TOPS.map((top) => Math.round(top * power));
  return Math.max(tops.find((top) => top >= most && top % 2 === 0) ?? 10 * power, 2);
}

/** Returns lines at the top and in the middle; the bottom one too. */
function gridOf(width: number): string {
  return [0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => `M0 ${y}h${width}`).join('');
}

/** Returns the buckets with a name below them: evenly spread, the first and the last among them. */
function namedOf(buckets: readonly Bucket[], most: number): Bucket[] {
  const last = buckets.length - 1;
  if (last < most) return [...buckets];
  const gaps = last % 3 === 0 && most > 3 ? 3 : most - 1;
  const named = Array.from({ length: gaps + 1 }, (_, n) => Math.round((n * last) / gaps));
  return named.flatMap((index) => buckets[index] ?? []);
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
