import { InvalidInputError, NotFoundError, fact } from '../../platform/kernel/errors.js';

/** Submissions would be spam at fewer points than it takes to hold them. */
export class SpamBandsCrossed extends InvalidInputError {
  constructor() {
    const message = 'spam_at must not be below held_at';
    super('spam_bands_crossed', `${message}.`, [
      { field: 'spam.spam_at', code: 'spam_bands_crossed', message },
    ]);
  }
}

/** The form asks its visitors for no proof of work. */
export class NoProofOfWork extends fact(
  NotFoundError,
  'no_proof_of_work',
  'This form asks for no proof of work. Turn on its signal proof_of_work first.',
) {}

/** A solution came twice at the same moment, and this one is the second. */
export class SolutionSpent extends Error {}

/** A captcha has not all that it takes to be verified. */
export class CaptchaIncomplete extends InvalidInputError {
  /** @param missing as the API calls it */
  constructor(missing: 'provider' | 'site_key' | 'secret') {
    const message = `is required for a new captcha or another provider`;
    super('captcha_incomplete', `captcha.${missing} ${message}.`, [
      { field: `spam.captcha.${missing}`, code: 'captcha_incomplete', message },
    ]);
  }
}
