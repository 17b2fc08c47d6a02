/** Why a token is no good. */
export type CaptchaFailure = 'missing' | 'refused' | 'expired' | 'elsewhere' | 'other_use' | 'low';

/**
 * Outcome of a captcha. `unknown` is neither of the others: a person who solved it must not pay for a provider
 * that is down, nor a program gain by it.
 */
export type CaptchaOutcome =
  | { is: 'pass' }
  | { is: 'fail'; why: CaptchaFailure }
  /** @param trouble what is wrong with the form's keys, in the provider's word; null when it is the provider */
  | { is: 'unknown'; trouble: string | null };

export const PASS: CaptchaOutcome = { is: 'pass' };
export const UNREACHABLE: CaptchaOutcome = { is: 'unknown', trouble: null };
export const failed = (why: CaptchaFailure): CaptchaOutcome => ({ is: 'fail', why });
export const misconfigured = (trouble: string): CaptchaOutcome => ({ is: 'unknown', trouble });

/** The token of a submission. A provider takes it once, so it is verified once, however often that is asked. */
export class CaptchaToken {
  private outcome: Promise<CaptchaOutcome> | null = null;

  /** @param text null when nothing was sent */
  constructor(readonly text: string | null) {}

  once(verify: (text: string) => Promise<CaptchaOutcome>): Promise<CaptchaOutcome> {
    return (this.outcome ??=
      this.text === null ? Promise.resolve(failed('missing')) : verify(this.text));
  }
}
