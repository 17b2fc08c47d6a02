import type { WatchedDay } from '../../watch/watch.service.js';
import { Icon } from '../parts/icon.js';
import { nameOf, shortNameOf } from '../statistics/bucket-names.js';
import { BAR, Canvas, HEIGHT, NONE, round, STEP, topOf } from '../statistics/canvas.js';
import { watchWords } from './words.js';

const { rhythm: said } = watchWords;

/** Names below the picture, at most. */
const NAMES_MAX = 5;

/** Draws what came on each of the last days over what is usual, in words, as a picture, and folded as a table. */
export function Rhythm({ days }: { days: readonly WatchedDay[] }) {
  const sum = days.reduce((all, { received }) => all + received, 0);
  const isKnown = days.some(({ expected }) => expected !== null);
  return (
    <section class="panel">
      <div class="body">
        <div class="charted">
          <h2>{said.title}</h2>
          <Legend isKnown={isKnown} />
        </div>
        <Picture days={days} />
        <p class="hint">
          {said.sum(sum)} {isKnown ? unusual(days) : said.unknown}
        </p>
        <details class="folded">
          <summary>
            <Icon name="chevron-right" /> {said.asTable}
          </summary>
          <Table days={days} />
        </details>
      </div>
    </section>
  );
}

function Legend({ isKnown }: { isKnown: boolean }) {
  const marks = [
    { label: said.received, look: undefined },
    { label: said.today, look: 'today' },
    ...(isKnown ? [{ label: said.usual, look: 'usual' }] : []),
  ];
  return (
    <p class="legend hint" aria-hidden="true">
      {marks.map(({ label, look }) => (
        <span>
          <svg width="10" height="10">
            <rect class={look} x="0.5" y="0.5" width="9" height="9" />
          </svg>{' '}
          {label}
        </span>
      ))}
    </p>
  );
}

function Picture({ days }: { days: readonly WatchedDay[] }) {
  const highs = days.map(({ received, expected }) => Math.max(received, expected?.high ?? 0));
  const top = topOf(Math.max(...highs, 0));
  const y = (amount: number) => round(HEIGHT - (amount / top) * HEIGHT);
  return (
    <Canvas
      top={top}
      names={days.map(({ day }) => shortNameOf(new Date(day), 'day', 'UTC'))}
      most={NAMES_MAX}
    >
      <path class="usual" d={bandOf(days, y)} />
      {days.map(({ day, received, expected }, at) => {
        const height = received === 0 ? NONE : HEIGHT - y(received);
        const isToday = at === days.length - 1;
        return (
          <g>
            <title>{said.bar(dayName(day), received, expected && rangeOf(expected))}</title>
            <rect
              class={received === 0 ? 'none' : isToday ? 'today' : undefined}
              x={at * STEP + (STEP - BAR) / 2}
              y={round(HEIGHT - height)}
              width={BAR}
              height={round(height)}
            />
            <rect class="hit" x={at * STEP} y="0" width={STEP} height={HEIGHT} />
          </g>
        );
      })}
    </Canvas>
  );
}

/** Returns the outline of what is usual: the highs of days in a row, and back along their lows. */
function bandOf(days: readonly WatchedDay[], y: (amount: number) => number): string {
  return runsOf(days)
    .map(({ from, run }) => {
      const there = run.map(({ high }) => `V${y(high)}h${STEP}`);
      const back = run.toReversed().map(({ low }) => `V${y(low)}h-${STEP}`);
      return `M${from * STEP} ${y(run[0]?.high ?? 0)}${there.join('')}${back.join('')}z`;
    })
    .join('');
}

/** Returns the days in a row of which it is known what is usual. */
function runsOf(days: readonly WatchedDay[]) {
  const runs: { from: number; run: Exclude<WatchedDay['expected'], null>[] }[] = [];
  days.forEach(({ expected }, at) => {
    if (expected === null) return;
    const last = runs.at(-1);
    if (last && last.from + last.run.length === at) last.run.push(expected);
    else runs.push({ from: at, run: [expected] });
  });
  return runs;
}

function Table({ days }: { days: readonly WatchedDay[] }) {
  return (
    <div class="panel counts">
      <table>
        <caption>{said.title}</caption>
        <thead>
          <tr>
            <th scope="col">{said.day}</th>
            <th scope="col" class="number">
              {said.received}
            </th>
            <th scope="col" class="number">
              {said.usual}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, received, expected }) => (
            <tr>
              <th scope="row">{dayName(day)}</th>
              <td class="number" data-label={said.received}>
                {received.toLocaleString('en')}
              </td>
              <td class="number" data-label={said.usual}>
                {expected ? rangeOf(expected) : <span class="quiet">{said.noneKnown}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Says how many days were not as usual; today has more to come. */
function unusual(days: readonly WatchedDay[]): string {
  const whole = days.slice(0, -1);
  const below = whole.filter(({ received, expected }) => expected && received < expected.low);
  const above = whole.filter(({ received, expected }) => expected && received > expected.high);
  return said.unusual(below.length, above.length);
}

function rangeOf({ low, high }: { low: number; high: number }): string {
  return said.range(low, high);
}

function dayName(day: string): string {
  return nameOf(new Date(day), 'day', 'UTC');
}
