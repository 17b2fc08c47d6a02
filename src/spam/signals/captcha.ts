import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that the captcha that a form shows was not solved; without a captcha it says nothing. */
export const captcha: SignalDefaults = { name: 'captcha', points: 5, enabled: true };
