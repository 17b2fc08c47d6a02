import type { SpamSignal } from '../evidence/spam-signal.js';

/** Says that nearly the same text came lately. */
export const repetition: SpamSignal = {
  name: 'repetition',
  points: 4,
  enabled: true,
  look: ({ alike }, settings) =>
    alike === 0
      ? null
      : settings.part(
          'repetition',
          alike === 1
            ? 'Nearly the same text came once before within a day.'
            : `Nearly the same text came ${alike} times before within a day.`,
        ),
};
