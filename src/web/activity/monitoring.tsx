import { isVital } from '../../health/finding.js';
import { causeWords } from '../layout/words.js';
import type { FormWatch } from '../../health/watch/form-watch.entity.js';
import type { WatchState } from '../../health/watch/signs.js';

const hours = (n: number) => (n === 1 ? 'an hour ago' : `${n} hours ago`);

/** Words of how a form is monitored, and of checks of its page. Moments are written in ISO 8601 and shown in the person's zone. */
export const watchWords = {
  /** Says how long ago an hour began. */
  ago: (n: number) =>
    n < 1 ? 'less than an hour ago' : n < 48 ? hours(n) : `${Math.floor(n / 24).toLocaleString('en')} days ago`,
  fares: {
    alive: 'Receiving',
    aliveText: (ago: string, until: string | null) =>
      `The last submission was received ${ago}.${until === null ? '' : ` We alert you if there are none until ${until}.`}`,
    silent: 'Needs attention',
    learning: 'Learning',
    never_connected: 'No submissions yet',
    off: 'Not monitored',
  },
  /** Text alternatives of dots in lists. */
  dots: {
    alive: 'Receiving',
    learning: 'Learning how often submissions are received',
    never_connected: 'No submissions yet',
    off: 'Not monitored',
    silent: 'No submissions lately',
  },
  refused: {
    title: 'Refused',
    hint: (days: number) =>
      days === 1
        ? 'Submissions that were not accepted in the last day, by reason.'
        : `Submissions that were not accepted in the last ${days} days, by reason.`,
    reason: 'Reason',
    field: 'Field',
    count: 'Refused',
    reasons: {
      required: 'Required field missing',
      too_large: 'Too large',
      empty: 'No fields',
      unreadable: 'Cannot be read',
      unknown_encoding: 'Unknown encoding',
      other: 'Other',
    } as Record<string, string | undefined>,
  },
  level: {
    title: 'Alert me',
    hint: 'We email the people who get the emails about this form once when submissions stop, and once when they resume.',
    save: 'Save',
    levels: {
      strict: { name: 'Sooner', hint: 'About two false alarms a year.' },
      normal: { name: 'Normal', hint: 'About one false alarm in three years.' },
      quiet: { name: 'Later', hint: 'About one false alarm in 20 years.' },
      off: { name: 'Never', hint: 'No alerts about missing submissions.' },
    },
  },
  canary: {
    schedule: 'How often',
    schedules: { off: 'Never', weekly: 'Every week', daily: 'Every day', hourly: 'Every hour' },
    last: 'Last check',
    steps: {
      page: 'Page',
      form: 'Form on the page',
      address: 'Form address',
      intake: 'Test submission',
      database: 'Database',
      queue: 'Queue',
      mail: 'Mail server',
    },
    states: { ok: 'OK', failed: 'Failed', skipped: 'Skipped', unseen: 'Not checked' },
  },
} as const;

const { dots } = watchWords;

/** How a form is watched and fares, as pages show it. */
export type WatchShown = Pick<FormWatch, 'level' | 'state' | 'lastAt' | 'silentFrom' | 'signs'>;

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

/** Draws how a form fares as a dot: the first thing that is unusual about it, else its state. */
export function StateDot(props: { watch: WatchShown; findings: readonly { code: string }[] }) {
  const state = stateOf(props.watch);
  const unusual = state === 'silent' || state === 'never_connected' ? null : props.findings.find(isVital);
  const look = unusual ? 'warn' : LOOKS[state];
  const said = unusual ? causeWords[unusual.code] : dots[state];
  return <span class={`dot above ${look}`} role="img" aria-label={said} title={said} />;
}

/** Returns how a form looks by its state alone. */
export function lookOf(watch: WatchShown): Look {
  return LOOKS[stateOf(watch)];
}
