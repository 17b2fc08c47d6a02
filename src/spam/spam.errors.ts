import { InvalidInputError } from '../platform/kernel/errors.js';

/** Submissions would be spam at fewer points than it takes to hold them. */
export class SpamBandsCrossed extends InvalidInputError {
  constructor() {
    const message = 'spam_at must not be below held_at';
    super('spam_bands_crossed', `${message}.`, [
      { field: 'spam.spam_at', code: 'spam_bands_crossed', message },
    ]);
  }
}
