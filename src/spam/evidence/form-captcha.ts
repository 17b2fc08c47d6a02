import { CaptchaIncomplete } from './spam.errors.js';

/** The services that tell people from programs. */
export const CAPTCHA_PROVIDERS = [
  'turnstile',
  'hcaptcha',
  'recaptcha_v2',
  'recaptcha_v3',
  'friendly_captcha',
] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** The captcha that a form shows, and what it is checked with. */
export interface FormCaptcha {
  provider: CaptchaProvider;
  /** Key of the page; public. */
  siteKey: string;
  /** Key of this service; never shown. */
  secret: string;
  /** Expected action of the page; null accepts any. Only for Turnstile and reCAPTCHA v3. */
  action: string | null;
  /** The lowest score of reCAPTCHA v3, from 0 for a program to 1 for a person. */
  minScore: number;
}

/** Where tokens of a provider are: the fields that its script fills in, the first that is filled in counts. */
const FIELDS: Record<CaptchaProvider, readonly string[]> = {
  turnstile: ['cf-turnstile-response'],
  hcaptcha: ['h-captcha-response', 'g-recaptcha-response'],
  recaptcha_v2: ['g-recaptcha-response'],
  recaptcha_v3: ['g-recaptcha-response'],
  friendly_captcha: ['frc-captcha-response', 'frc-captcha-solution'],
};

/** Returns the names of the fields that have the token; none without a captcha. */
export function captchaFields(captcha: FormCaptcha | null): readonly string[] {
  return captcha === null ? [] : FIELDS[captcha.provider];
}

/**
 * Returns what a form has after a change. Another provider begins anew, with keys of its own.
 * @throws CaptchaIncomplete
 */
export function changedCaptcha(
  before: FormCaptcha | null,
  change: Partial<FormCaptcha>,
): FormCaptcha {
  const same = before?.provider === (change.provider ?? before?.provider) ? before : null;
  const after = { action: null, minScore: 0.5, ...same, ...change };
  const { provider, siteKey, secret } = after;
  if (provider === undefined) throw new CaptchaIncomplete('provider');
  if (siteKey === undefined) throw new CaptchaIncomplete('site_key');
  if (secret === undefined) throw new CaptchaIncomplete('secret');
  return { ...after, provider, siteKey, secret };
}
