import type { SignalDefaults } from '../evidence/spam-evidence.js';

/** Says that nobody can answer by mail; `spam/email-domain` asks the DNS, so it is off by default. */
export const emailDomain: SignalDefaults = { name: 'email_domain', points: 4, enabled: false };
