import type { FormCaptcha } from '../../spam/evidence/form-captcha.js';
import type { SpamSettings } from '../../spam/judge/spam-settings.js';
import { textOf, textsOf, type Typed } from '../parts/typed.js';

/** Input of the spam page of a form. */
export interface SpamTyped {
  signals: { name: string; enabled: boolean; points: string }[];
  heldAt: string;
  spamAt: string;
  /** Empty: no end. */
  holdHours: string;
  /** Divided by commas. */
  honeypots: string;
  /** Names of the scripts that are expected; none: any. */
  scripts: string[];
  requiresProof: boolean;
  captcha: CaptchaTyped;
}

/** The captcha of a form, as it is typed. A secret is not shown again. */
interface CaptchaTyped {
  /** Empty: none. */
  provider: string;
  siteKey: string;
  /** Empty: that which is stored. */
  secret: string;
  /** Empty: any. */
  action: string;
  minScore: string;
}

/** Returns the settings of a form as they would be typed. */
export function shownRules(settings: SpamSettings): SpamTyped {
  return {
    signals: Object.entries(settings.signals).map(([name, { enabled, points }]) => ({
      name,
      enabled,
      points: String(points),
    })),
    heldAt: String(settings.heldAt),
    spamAt: String(settings.spamAt),
    holdHours: settings.holdHours === null ? '' : String(settings.holdHours),
    honeypots: settings.honeypots.join(', '),
    scripts: [...(settings.scripts ?? [])],
    requiresProof: settings.proofRequired,
    captcha: shownCaptcha(settings.captcha),
  };
}

/** Reads what was typed; a signal of which the page sent nothing stays as it is. */
export function typedRules(sent: Typed | undefined, settings: SpamSettings): SpamTyped {
  const ticked = textsOf(sent, 'enabled');
  const names = Object.keys(settings.signals).filter((name) => sent && pointsOf(name) in sent);
  return {
    signals: names.map((name) => ({
      name,
      enabled: ticked.includes(name),
      points: textOf(sent, pointsOf(name)).trim(),
    })),
    heldAt: textOf(sent, 'spam.held_at').trim(),
    spamAt: textOf(sent, 'spam.spam_at').trim(),
    holdHours: textOf(sent, 'spam.hold_hours').trim(),
    honeypots: textOf(sent, 'spam.honeypots').trim(),
    scripts: textsOf(sent, 'spam.scripts'),
    requiresProof: textOf(sent, PROOF) === 'true',
    captcha: typedCaptcha(sent) ?? shownCaptcha(settings.captcha),
  };
}

/** Returns the body that asks the API for the same. */
export function bodyOf(typed: SpamTyped): object {
  const { signals, heldAt, spamAt, holdHours, honeypots, scripts, requiresProof } = typed;
  return {
    spam: {
      signals: Object.fromEntries(
        signals.map(({ name, enabled, points }) => [name, { enabled, points: numberOf(points) }]),
      ),
      held_at: numberOf(heldAt),
      spam_at: numberOf(spamAt),
      hold_hours: holdHours === '' ? null : numberOf(holdHours),
      honeypots: honeypots
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      scripts: scripts.length === 0 ? null : scripts,
      proof_of_work: { require: requiresProof },
      captcha: captchaBody(typed.captcha),
    },
  };
}

function shownCaptcha(captcha: FormCaptcha | null): CaptchaTyped {
  return {
    provider: captcha?.provider ?? '',
    siteKey: captcha?.siteKey ?? '',
    secret: '',
    action: captcha?.action ?? '',
    minScore: String(captcha?.minScore ?? ''),
  };
}

/** Reads the captcha that was typed; null when the page sent nothing of it. */
function typedCaptcha(sent: Typed | undefined): CaptchaTyped | null {
  if (!sent || !('spam.captcha.provider' in sent)) return null;
  const of = (name: string) => textOf(sent, `spam.captcha.${name}`).trim();
  return {
    ...{ provider: of('provider'), siteKey: of('site_key'), secret: of('secret') },
    ...{ action: of('action'), minScore: of('min_score') },
  };
}

/** Returns what was typed as the API takes it; what is empty and has to be there is left out. */
function captchaBody({ provider, siteKey, secret, action, minScore }: CaptchaTyped): object | null {
  if (provider === '') return null;
  return {
    provider,
    ...(siteKey !== '' && { site_key: siteKey }),
    ...(secret !== '' && { secret }),
    action: action === '' ? null : action,
    ...(minScore !== '' && { min_score: numberOf(minScore) }),
  };
}

/** Name of the box that requires a proof of work. */
export const PROOF = 'spam.proof_of_work.require';

const pointsOf = (name: string) => `spam.signals.${name}.points`;

/** Returns a number that may have a comma; NaN, which no rule takes, for anything else. */
function numberOf(text: string): number {
  return text === '' ? NaN : Number(text.replace(',', '.'));
}
