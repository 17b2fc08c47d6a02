import { useContext } from 'preact/hooks';
import type { WatchedDay } from '../../watch/watcher.js';
import { Icon, TimeZone, Table } from '../parts/content.js';
import { nameOf, shortNameOf } from '../statistics/chart.js';
import { BAR, Canvas, HEIGHT, NONE, round, STEP, topOf } from '../statistics/canvas.js';
import type { FormWatch } from '../../watch/model/form-watch.entity.js';
import type { WatchState } from '../../watch/model/watch-state.js';

const count = (n: number) => n.toLocaleString('en');
const hours = (n: number) => (n === 1 ? 'an hour ago' : `${n} hours ago`);

/** Words of how a form is watched, and of its canary. Moments are written in ISO 8601 and shown in the person's zone. */
export const watchWords = {
  title: 'Watch',
  of: (form: string) => `Watch · ${form}`,
  /** Says how long ago an hour began. */
  ago: (n: number) =>
    n < 1
      ? 'less than an hour ago'
      : n < 48
        ? hours(n)
        : `${Math.floor(n / 24).toLocaleString('en')} days ago`,
  fares: {
    alive: 'Alive',
    aliveText: (ago: string, until: string | null) =>
      `The last submission came ${ago}.${until === null ? '' : ` If nothing comes, we tell you after ${until}.`}`,
    silent: 'Silent',
    silentText: (ago: string, at: string) =>
      `The last submission came ${ago}, around ${at}: an unusually long silence for this form. Open its page and send it once. Does the form still show, and does it still send here?`,
    learning: 'Still learning',
    learningText:
      'To know how often submissions come, we need three weeks and ten hours with submissions.',
    lastText: (ago: string) => ` The last one came ${ago}.`,
    never_connected: 'Nothing has come yet',
    neverText: 'Add the form to your page, and send it once.',
    off: 'Not watched',
    offText: 'We do not tell you when the form falls silent.',
    shutText: 'The form takes no submissions now, so we do not wait for any.',
    soonText: 'We begin to watch it within a few minutes.',
  },
  /** Text alternatives of dots in lists. */
  dots: {
    alive: 'Alive',
    silent: (day: string) => `Silent since ${day}`,
    learning: 'Still learning how often submissions come',
    never_connected: 'Nothing has come yet',
    off: 'Not watched',
    failing: (day: string) => `Check fails since ${day}`,
    visitors_refused: 'Refuses visitors',
    verdicts_changed: 'Nearly everything is judged spam',
    spam_rising: 'Much more spam than usual',
  },
  rhythm: {
    title: 'Last 28 days',
    received: 'Received',
    today: 'Today so far',
    usual: 'Usual',
    sum: (n: number) =>
      `${n === 0 ? 'No submissions' : n === 1 ? 'One submission' : `${count(n)} submissions`} in 28 days of UTC, without spam.`,
    /** Says how many whole days were not as usual. */
    unusual: (below: number, above: number) => {
      const said = [
        ...(below > 0 ? [`${below} below`] : []),
        ...(above > 0 ? [`${above} above`] : []),
      ];
      if (said.length === 0) return 'All whole days were as usual.';
      return `Days that were not as usual: ${said.join(', ')}.`;
    },
    unknown: 'What is usual shows after three weeks.',
    bar: (day: string, received: number, usual: string | null) =>
      `${day}: ${count(received)}${usual === null ? '' : `, usual ${usual}`}`,
    range: (low: number, high: number) =>
      low === high ? count(low) : `${count(low)}–${count(high)}`,
    asTable: 'Show as table',
    day: 'Day',
    noneKnown: 'Not known',
  },
  level: {
    title: 'How soon we tell you',
    hint: 'We email those who get the emails about this form, once when it falls silent and once when it is alive again.',
    save: 'Save',
    levels: {
      off: { name: 'Off', hint: 'We tell you nothing about its rhythm.' },
      quiet: { name: 'Quiet', hint: 'Later. About one false alarm in twenty years.' },
      normal: { name: 'Normal', hint: 'About one false alarm in three years.' },
      strict: { name: 'Strict', hint: 'Sooner. About two false alarms a year.' },
    },
  },
  canary: {
    title: 'Canary',
    hint: 'We fetch the page of your form, look whether the form on it reaches us, and send a test submission the way of a visitor. Nobody is told of it, and nothing counts it.',
    unseen:
      'It cannot see whether scripts of the page fail, whether a captcha works, or what a visitor’s browser blocks.',
    isOff: 'On this service, checks run only when you ask for one.',
    schedule: 'How often',
    schedules: { off: 'Never', weekly: 'Every week', daily: 'Every day', hourly: 'Every hour' },
    page: 'Address of the page (optional)',
    pageHint: 'Leave it empty for the page that most recent submissions came from.',
    pageNone: 'Page of the newest submission',
    pageShown: 'Page',
    save: 'Save',
    last: 'Last check',
    never: 'Never',
    next: 'Next check',
    noNext: 'None',
    failing: 'Fails since',
    run: 'Check now',
    runHint: 'It takes up to a minute.',
    step: 'Step',
    state: 'Result',
    detail: 'Details',
    steps: {
      page: 'Page',
      form: 'Form on the page',
      address: 'Form address',
      intake: 'Test submission',
      database: 'Database',
      queue: 'Queue',
      mail: 'Mail server',
    },
    states: { ok: 'OK', failed: 'Failed', skipped: 'Skipped', unseen: 'Not visible' },
  },
} as const;

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
          <Days days={days} />
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

function Days({ days }: { days: readonly WatchedDay[] }) {
  return (
    <div class="panel counts">
      <Table
        caption={said.title}
        head={[said.day, { number: said.received }, { number: said.usual }]}
      >
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
      </Table>
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

const { dots } = watchWords;

/** How a form is watched and fares, as pages show it. */
export type WatchShown = Pick<FormWatch, 'level' | 'state' | 'lastAt' | 'silentFrom' | 'signs'>;

/** Facts that a dot tells: how a form fares, and since when its canary fails. */
export interface VitalShown {
  watch: WatchShown;
  /** Null unless it fails. */
  failure: { since: Date } | null;
}

/** How a dot looks; `hollow` where nothing can be told. */
type Look = 'good' | 'bad' | 'warn' | 'hollow' | 'off';

const LOOKS: Record<WatchState, Look> = {
  alive: 'good',
  silent: 'bad',
  learning: 'hollow',
  never_connected: 'hollow',
  off: 'off',
};

/** Returns the state of a form; a level that was just set to off counts before anybody has looked. */
export function stateOf({ level, state }: WatchShown): WatchState {
  return level === 'off' ? 'off' : state;
}

/** Draws a dot beside words that say the same. */
export function Dot({ look }: { look: Look }) {
  return <span class={`dot ${look}`} aria-hidden="true" />;
}

/** Draws how a form fares as a dot. Where something needs a look, it says so, unless the form is silent. */
export function StateDot({ of }: { of: VitalShown }) {
  const zone = useContext(TimeZone);
  const { look, said } = told(of, (at) => shortNameOf(at, 'day', zone));
  return <span class={`dot above ${look}`} role="img" aria-label={said} title={said} />;
}

/** Returns how a form looks by its state alone. */
export function lookOf(watch: WatchShown): Look {
  return LOOKS[stateOf(watch)];
}

function told(
  { watch, failure }: VitalShown,
  day: (at: Date) => string,
): { look: Look; said: string } {
  const state = stateOf(watch);
  const { lastAt, signs } = watch;
  if (state === 'silent' && lastAt) return { look: 'bad', said: dots.silent(day(lastAt)) };
  if (failure) return { look: 'warn', said: dots.failing(day(failure.since)) };
  const [sign] = state === 'off' ? [] : signs;
  if (sign) return { look: 'warn', said: dots[sign.code] };
  return { look: LOOKS[state], said: state === 'silent' ? dots.alive : dots[state] };
}
