import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that Akismet takes it for spam; it is told what was sent, so it is off by default. */
export const akismet: SignalDefaults = { name: 'akismet', points: 6, enabled: false };
