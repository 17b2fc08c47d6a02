import type { FormCaptcha } from '../../spam/evidence/form-captcha.js';

/** Facts of a form that its page has to agree with. */
export interface PageFacts {
  /** The address that visitors send to, as its snippet names it. */
  address: string;
  identifier: string;
  /** Ids of other providers that lead to the form. */
  aliases: readonly string[];
  /** Hosts, with their ports, that lead to this service. */
  hosts: ReadonlySet<string>;
  /** Fields that the rules of the form ask for. */
  required: readonly string[];
  /** Fields that nearly all recent submissions of the page had. */
  usual: readonly string[];
  /** Names of fields that people do not see, as the owner set them. */
  honeypots: readonly string[];
  asksForProof: boolean;
  captcha: Pick<FormCaptcha, 'provider' | 'siteKey'> | null;
}

/** Headers of a page that say where its forms may send. */
export interface PageHeaders {
  /** Policies of `Content-Security-Policy`. */
  policies: readonly string[];
}

/** A way in which a page is broken, or hides what it does. */
export interface PageProblem {
  code: string;
  detail: string;
  /** Whether it cannot be told from outside that anything is wrong. */
  isUnseen?: boolean;
}
