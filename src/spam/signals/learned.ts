import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that what was marked as spam has its words; `spam/learning` asks what was learnt. */
export const learned: SignalDefaults & { again: true } = { name: 'learned', points: 6, enabled: true, again: true };
