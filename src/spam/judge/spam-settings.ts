import type { Form } from '../../forms/model/form.entity.js';
import { HOUR_MS } from '../../platform/index.js';
import { changedCaptcha, type FormCaptcha, type Script, type FormRules } from '../evidence/spam-evidence.js';
import { SIGNAL_DEFAULTS } from '../signals/index.js';
import { captcha } from '../signals/captcha.js';
import { lists } from '../signals/lists.js';
import { proofOfWork } from '../signals/proof-of-work.js';
import {
  BLANK,
  FIELD_RULES,
  INFECTED_FILES,
  UNKNOWN_SHARE,
  Verdict,
  type Band,
  type Bands,
  type SpamPart,
} from '../evidence/verdict.js';

/** How strictly a form judges, from the mildest on. */
export const SPAM_LEVELS = {
  // A filled honeypot, an address that is not allowed and a blocked word are each spam at every level.
  relaxed: { heldAt: 8, spamAt: 10 },
  normal: { heldAt: 5, spamAt: 10 },
  strict: { heldAt: 3, spamAt: 7 },
} as const satisfies Record<string, Bands>;

export type SpamLevel = keyof typeof SPAM_LEVELS;

export const SPAM_LEVEL_NAMES = Object.keys(SPAM_LEVELS) as SpamLevel[];

/** Returns the level that has these bands; null for bands of the owner's own. */
export function levelOf({ heldAt, spamAt }: Bands): SpamLevel | null {
  const has = (level: SpamLevel) => SPAM_LEVELS[level].heldAt === heldAt && SPAM_LEVELS[level].spamAt === spamAt;
  return SPAM_LEVEL_NAMES.find(has) ?? null;
}

/** Longest name of a honeypot, in characters. */
export const HONEYPOT_MAX = 100;
/** Longest reason, in characters. */
const REASON_MAX = 255;

/** How a form weighs a signal. */
export interface SignalWeight {
  enabled: boolean;
  points: number;
}

/** Spam settings of an owner. */
interface SpamRules extends Bands {
  /** By the name of the signal. */
  signals: Record<string, SignalWeight>;
  /** Hours after which what a held submission causes goes out by itself; null: only when a person says so. */
  holdHours: number | null;
  /** Names of fields that people do not see, beside those that every form has. */
  honeypots: readonly string[];
  /** The scripts that visitors write in; null for all. */
  scripts: readonly Script[] | null;
  /** Whether what comes without proof of work is held, whatever that is worth. */
  proofRequired: boolean;
  /** The captcha that the form shows; null for none. */
  captcha: FormCaptcha | null;
}

/** Changes of them; what is not named stays. */
export type SpamRulesChange = Omit<OwnRules, 'captcha'> & { captcha?: Partial<FormCaptcha> | null };

/** Spam settings that an owner has changed. */
type OwnRules = Partial<Omit<SpamRules, 'signals'>> & { signals?: Record<string, Partial<SignalWeight>> };

const DEFAULTS: Omit<SpamRules, 'signals'> = {
  ...SPAM_LEVELS.normal,
  holdHours: null,
  honeypots: [],
  scripts: null,
  proofRequired: false,
  captcha: null,
};
/** Parts that hold a submission, whoever sent it. */
const ALWAYS_HELD = new Set([BLANK, FIELD_RULES, INFECTED_FILES]);
/** Signals that hold a submission about which they know nothing. */
const HOLD_UNKNOWN = new Set([captcha.name, lists.name]);
/** How a signal weighs that does not exist. */
const OFF: SignalWeight = { enabled: false, points: 0 };

/** The settings that texts stand for, which forms have for long: each submission asks anew. */
const READ = new Map<string, SpamSettings>();
const READ_MAX = 500;

/**
 * Holds what a form says about spam: the owner's own settings, and the defaults of all others. It is shared, and
 * never changes.
 */
export class SpamSettings implements SpamRules, FormRules {
  readonly heldAt: number;
  readonly spamAt: number;
  readonly holdHours: number | null;
  readonly honeypots: readonly string[];
  readonly scripts: readonly Script[] | null;
  readonly proofRequired: boolean;
  readonly captcha: FormCaptcha | null;
  private readonly own: OwnRules;
  private readonly weights: Map<string, SignalWeight>;

  private constructor(
    text: string,
    readonly allowedDomains: string | null,
  ) {
    this.own = JSON.parse(text) as OwnRules;
    this.weights = new Map(
      SIGNAL_DEFAULTS.map(({ name, enabled, points }) => [name, { enabled, points, ...this.own.signals?.[name] }]),
    );
    const rules = { ...DEFAULTS, ...this.own };
    const { heldAt, spamAt, holdHours, honeypots, scripts, proofRequired, captcha } = rules;
    Object.assign(this, { heldAt, spamAt, holdHours, honeypots, scripts, proofRequired, captcha });
  }

  static of({ spamSettings, whitelistedDomains }: Pick<Form, 'spamSettings' | 'whitelistedDomains'>): SpamSettings {
    const text = spamSettings ?? '{}';
    // The JSON has no line breaks.
    const key = whitelistedDomains === null ? text : `${text}\n${whitelistedDomains}`;
    const known = READ.get(key);
    if (known) return known;
    const settings = new SpamSettings(text, whitelistedDomains);
    if (READ.size >= READ_MAX) READ.clear();
    READ.set(key, settings);
    return settings;
  }

  /** Returns the weights of all signals, in the order in which they are shown. */
  get signals(): Record<string, SignalWeight> {
    return Object.fromEntries(this.weights);
  }

  /** Tells whether visitors are asked for a proof of work. */
  get asksForProof() {
    return this.weightOf(proofOfWork.name).enabled;
  }

  weightOf(name: string): SignalWeight {
    return this.weights.get(name) ?? OFF;
  }

  part(name: string, reason: string, share = 1): SpamPart {
    return { name, points: this.weightOf(name).points * share, reason: reason.slice(0, REASON_MAX), share };
  }

  /** Returns a part from before with the points that it is worth now; one whose share is not known stays. */
  weighedAnew({ share, ...part }: SpamPart): SpamPart {
    return share === undefined ? part : this.part(part.name, part.reason, share);
  }

  /** Tells whether a part that was stored is to be held for, whatever it is worth. */
  holds({ name, share }: SpamPart) {
    return (
      ALWAYS_HELD.has(name) ||
      (name === proofOfWork.name && this.proofRequired) ||
      (HOLD_UNKNOWN.has(name) && share === UNKNOWN_SHARE)
    );
  }

  /** Returns what other bands would make of what signals found, by the points that it was worth then. */
  bandBy(bands: Bands, { found }: Verdict): Band {
    const isAllowed = found.some(({ points }) => points < 0);
    // What is held whatever it is worth was given the points for that.
    const parts = found.map((part) => (this.holds(part) ? this.weighedAnew(part) : part));
    const { band } = Verdict.of(parts, bands);
    const isHeld = found.some((part) => ALWAYS_HELD.has(part.name) || (!isAllowed && this.holds(part)));
    return band === 'clean' && isHeld ? 'held' : band;
  }

  /**
   * Returns when what is withheld of a submission held at `now` goes out by itself; null: never, as with infected files,
   * and unless it is held.
   */
  heldUntil({ band, infection }: Verdict, now: Date): Date | null {
    if (band !== 'held' || infection !== null || this.holdHours === null) return null;
    return new Date(now.getTime() + this.holdHours * HOUR_MS);
  }

  /**
   * Returns the text that is stored after a change: what differs from the defaults, now and later.
   * @throws CaptchaIncomplete
   */
  changed({ signals = {}, captcha, ...others }: SpamRulesChange) {
    const merged = { ...this.own.signals };
    for (const [name, weight] of Object.entries(signals)) {
      merged[name] = { ...merged[name], ...weight };
    }
    const after: OwnRules = { ...this.own, ...others, signals: merged };
    if (captcha !== undefined) after.captcha = captcha && changedCaptcha(this.captcha, captcha);
    return JSON.stringify(after);
  }
}
