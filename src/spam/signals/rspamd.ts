import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that the operator's rspamd takes it for spam; `spam/external` asks, so it is off by default. */
export const rspamd: SignalDefaults = { name: 'rspamd', points: 6, enabled: false };
