import type { SpamSignal } from '../evidence/spam-evidence.js';

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
            ? 'Almost the same text arrived once before within a day.'
            : `Almost the same text arrived ${alike} times before within a day.`,
        ),
};
