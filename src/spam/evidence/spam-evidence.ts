import type { FillMs } from './form-tokens.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { CaptchaToken } from './captcha-outcome.js';
import type { ProofState } from './proof.js';

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
