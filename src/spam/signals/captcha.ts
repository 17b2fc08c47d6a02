import type { SignalDefaults } from '../evidence/spam-signal.js';

/** The share of a part that says that nothing is known; it holds, and is worth no points. */
export const UNKNOWN_SHARE = 0;

/** Says that the captcha that a form shows was not solved; without a captcha it says nothing. */
export const captcha: SignalDefaults = { name: 'captcha', points: 5, enabled: true };
