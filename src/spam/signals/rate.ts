import type { SpamSignal } from '../evidence/spam-evidence.js';

/** So many submissions from one network within ten minutes are nothing special: an office, a class. */
const USUAL = 10;

/** Says that much came from the same network lately. */
export const rate: SpamSignal = {
  name: 'rate',
  points: 2,
  enabled: true,
  supports: true,
  look: ({ fromNetwork }, settings) =>
    fromNetwork < USUAL
      ? null
      : settings.part('rate', `${fromNetwork} other submissions from the same network in 10 minutes.`),
};
