import { DAY_MS } from '../../platform/kernel/time.js';

/** How long a form may wait for its first submission, in milliseconds. */
export const CONNECT_MS = 3 * DAY_MS;

/** How a form fares by its rhythm; one that is off, or takes no submissions, is not looked at. */
export const WATCH_STATES = ['off', 'learning', 'alive', 'silent', 'never_connected'] as const;
export type WatchState = (typeof WATCH_STATES)[number];
