import type { FillMs } from './form-tokens.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { Solution } from './spent-solution-inserts.js';

/** How the work of a submission was done. */
export type ProofState = 'solved' | 'missing' | 'unclear' | 'expired' | 'used';

/** Outcome of the proof of work of a submission, and the solution that it spends. */
export interface Proof {
  state: ProofState;
  solution: Solution | null;
}

/** Returns a proof that counts no more, or never did. */
export const noProof = (state: ProofState): Proof => ({ state, solution: null });

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

/** The facts that a submission is judged by, besides the settings of its form. */
export interface SpamEvidence {
  form: Pick<Form, 'id' | 'accountId'>;
  /** Name of the honeypot that was filled in; null when none was. */
  honeypot: string | null;
  /** How long it took to fill in, as its token says. */
  fillMs: FillMs;
  /** How the work that the form asks for was done; null when it asks for none. */
  proof: ProofState | null;
  /** Token of the captcha of its page; null when the form has none. */
  captcha: CaptchaToken | null;
  /** Origin of the page it was sent from; null when the browser did not send it. */
  origin: string | null;
  /** Submitted values, as a person reads them. */
  fields: readonly { name: string; text: string }[];
  userAgent: string | null;
  /** The languages that the browser asks for; null when it does not say. */
  acceptLanguage: string | null;
  /** How many texts came before within a day that are nearly the same. */
  alike: number;
  /** How many more came from its network within ten minutes. */
  fromNetwork: number;
  /** Its network address, never to be stored or named; '' when it is not known. */
  address: string;
}
