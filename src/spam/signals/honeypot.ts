import type { SpamSignal } from '../evidence/spam-evidence.js';

/** Says that a field was filled in that people do not see. */
export const honeypot: SpamSignal = {
  name: 'honeypot',
  points: 10,
  enabled: true,
  look: ({ honeypot: name }, settings) =>
    name === null ? null : settings.part('honeypot', `The honeypot field "${name}" was filled in.`),
};
