import type { ComponentChildren } from 'preact';

/** Units of the drawing, which is stretched to the width of the page. */
export const HEIGHT = 200;
export const STEP = 10;
/** Share of a step that is the bar. */
export const BAR = 7;
/** Height of the mark of a bar that is empty. */
export const NONE = 2;
/** Ends of the scale that are easy to read, in powers of ten. */
const TOPS = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** Draws what bars are drawn on: a scale, lines, and names below. Screen readers pass over it, as a table says the same. */
export function Canvas(props: {
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
export function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const tops = TOPS.map((top) => Math.round(top * power));
  return Math.max(tops.find((top) => top >= most && top % 2 === 0) ?? 10 * power, 2);
}

export function round(length: number): number {
  return Math.round(length * 10) / 10;
}

/** Returns lines at the top and in the middle; the bottom one too. */
function gridOf(width: number): string {
  return [0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => `M0 ${y}h${width}`).join('');
}

/** Returns the names that are shown: evenly spread, the first and the last among them. */
function someOf(names: readonly string[], most: number): string[] {
  const last = names.length - 1;
  if (last < most) return [...names];
  const gaps = last % 3 === 0 && most > 3 ? 3 : most - 1;
  const places = Array.from({ length: gaps + 1 }, (_, n) => Math.round((n * last) / gaps));
  return places.flatMap((index) => names[index] ?? []);
}
