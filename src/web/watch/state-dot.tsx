import { useContext } from 'preact/hooks';
import type { FormWatch } from '../../watch/model/form-watch.entity.js';
import type { WatchState } from '../../watch/model/watch-state.js';
import { TimeZone } from '../parts/time.js';
import { shortNameOf } from '../statistics/bucket-names.js';
import { watchWords } from './words.js';

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
