import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that the form blocks something in it, or allows who sent it; `spam/lists` looks them up. */
export const lists: SignalDefaults & { again: true } = { name: 'lists', points: 10, enabled: true, again: true };
