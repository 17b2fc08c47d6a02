import type { WatchedDay } from '../../health/watch/watcher.js';
import type { Step } from '../../statistics/span.js';
import { statisticsWords } from './facets.js';
import type { SumName, Sums } from '../../statistics/sums.js';
import type { Bucket } from '../../statistics/statistics.service.js';
import type { ComponentChildren } from 'preact';

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
export function nameOf(start: Date, by: Step, timeZone: string) {
  if (by === 'week') return `Week of ${dayName(start, timeZone)}`;
  return format(start, FULL[by], timeZone);
}

/** Returns a day, such as `3 Feb 2026`. */
export function dayName(at: Date, timeZone: string) {
  return format(at, FULL.week, timeZone);
}

/** Returns what it is called below a chart, such as `3 Feb`. */
function shortNameOf(start: Date, by: Step, timeZone: string) {
  return format(start, SHORT[by], timeZone);
}

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(at: Date, style: Style, timeZone: string) {
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
  counter: SumName;
  /** Name in the legend and the table. */
  label: string;
  /** How it is drawn; absent: as what is usual. */
  look?: 'spam' | 'delivered' | 'late' | 'failed';
  /** Says it of a number, such as `2 submissions`. */
  said: (count: number) => string;
}

/** Amounts between which most days are; null where that is not known. */
export type Usual = WatchedDay['expected'];

export interface ChartProps {
  buckets: readonly Bucket[];
  /** The parts of a bar, from below. */
  parts: readonly Part[];
  /** Amounts of the lowest part that are usual for each bucket; null where they are not known. */
  usual?: readonly Usual[] | undefined;
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
  const { buckets, by, zone, parts, usual = [] } = props;
  const highs = usual.map((each) => each?.high ?? 0);
  const top = topOf(Math.max(...buckets.map((bucket) => sumOf(bucket, parts)), ...highs, 0));
  return (
    <Canvas top={top} names={buckets.map(({ start }) => shortNameOf(start, by, zone))} most={NAMES_MAX[by]}>
      {highs.some((high) => high > 0) && <path class="usual" d={bandOf(usual, HEIGHT / top)} />}
      {buckets.map((bucket, index) => (
        <Bar {...props} bucket={bucket} usualThen={usual[index] ?? null} x={index * STEP} unit={HEIGHT / top} />
      ))}
    </Canvas>
  );
}

/** Draws one bar. Each part is a link; that of the lowest one is as high as the chart. */
function Bar(props: ChartProps & { bucket: Bucket; usualThen: Usual; x: number; unit: number }) {
  const { bucket, by, zone, parts, hrefOf, usualThen, x, unit } = props;
  const left = x + (STEP - BAR) / 2;
  const counted = parts.filter(({ counter }) => bucket[counter] > 0);
  const said = parts.filter((part, index) => index === 0 || counted.includes(part));
  const title = statisticsWords.bar(nameOf(bucket.start, by, zone), [
    ...said.map((part) => part.said(bucket[part.counter])),
    ...(usualThen ? [`usually ${rangeOf(usualThen)}`] : []),
  ]);
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

/** Returns the outline of what is usual: the highs of buckets in a row, and back along their lows. */
function bandOf(usual: readonly Usual[], unit: number) {
  const y = (amount: number) => round(HEIGHT - amount * unit);
  const runs: { from: number; run: Exclude<Usual, null>[] }[] = [];
  usual.forEach((each, at) => {
    const last = runs.at(-1);
    if (each === null) return;
    if (last && last.from + last.run.length === at) last.run.push(each);
    else runs.push({ from: at, run: [each] });
  });
  return runs
    .map(({ from, run }) => {
      const there = run.map(({ high }) => `V${y(high)}h${STEP}`);
      const back = run.toReversed().map(({ low }) => `V${y(low)}h-${STEP}`);
      return `M${from * STEP} ${y(run[0]?.high ?? 0)}${there.join('')}${back.join('')}z`;
    })
    .join('');
}

/** Writes what is usual, such as `3–5`. */
export function rangeOf({ low, high }: Exclude<Usual, null>) {
  const [from, to] = [low, high].map((amount) => amount.toLocaleString('en'));
  return from === to ? `${from}` : `${from}–${to}`;
}

/** Says what the colours mean. */
export function Legend({ parts, usual = [] }: Pick<ChartProps, 'parts' | 'usual'>) {
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
      {usual.some((each) => each !== null) && (
        <span>
          <svg width="10" height="10">
            <rect class="usual" x="0.5" y="0.5" width="9" height="9" />
          </svg>{' '}
          {statisticsWords.usual}
        </span>
      )}
    </p>
  );
}

/** Adds up the parts of a bar. */
export function sumOf(sums: Sums, parts: readonly Part[]) {
  return parts.reduce((sum, { counter }) => sum + sums[counter], 0);
}

/** Units of the drawing, which is stretched to the width of the page. */
const HEIGHT = 200;
const STEP = 10;
/** Share of a step that is the bar. */
const BAR = 7;
/** Height of the mark of a bar that is empty. */
const NONE = 2;
/** Ends of the scale that are easy to read, in powers of ten. */
const TOPS = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** Draws what bars are drawn on: a scale, lines, and names below. Screen readers pass over it, as a table says the same. */
function Canvas(props: {
  /** The end of the scale. */
  top: number;
  /** Name of each bar. */
  names: readonly string[];
  /** Names below, at most. */
  most: number;
  children: ComponentChildren;
}) {
  const { top, names, most, children } = props;
  const width = names.length * STEP;
  return (
    <div class="chart" aria-hidden="true">
      <div class="scale">
        {[top, top / 2, 0].map((mark) => (
          <span>{mark.toLocaleString('en')}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" focusable="false">
        <path class="grid" d={gridOf(width)} />
        {children}
      </svg>
      <div class="names">
        {someOf(names, most).map((name) => (
          <span>{name}</span>
        ))}
      </div>
    </div>
  );
}

/** Returns the end of the scale: an even number that is easy to read, and not below the highest bar. */
function topOf(most: number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const tops = TOPS.map((top) => Math.round(top * power));
  return Math.max(tops.find((top) => top >= most && top % 2 === 0) ?? 10 * power, 2);
}

function round(length: number) {
  return Math.round(length * 10) / 10;
}

/** Returns lines at the top and in the middle; the bottom one too. */
function gridOf(width: number) {
  return [0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => `M0 ${y}h${width}`).join('');
}

/** Returns the names that are shown: evenly spread, the first and the last among them. */
function someOf(names: readonly string[], most: number) {
  const last = names.length - 1;
  if (last < most) return [...names];
  const gaps = last % 3 === 0 && most > 3 ? 3 : most - 1;
  const places = Array.from({ length: gaps + 1 }, (_, n) => Math.round((n * last) / gaps));
  return places.flatMap((index) => names[index] ?? []);
}
