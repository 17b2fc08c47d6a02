import type { FormCaptcha } from './form-captcha.js';
import type { SpamEvidence } from './spam-evidence.js';
import type { Script } from './scripts.js';
import type { SpamPart } from './verdict.js';

/** Defaults of a signal in a form. */
export interface SignalDefaults {
  /** In snake_case; it is stored. */
  readonly name: string;
  readonly points: number;
  readonly enabled: boolean;
  /**
   * True: all that it looks at is stored, and it asks nobody else, so it looks once more when a submission is judged
   * again. What others found stays.
   */
  readonly again?: true;
}

/** Settings of a form as signals see them. */
export interface FormRules {
  /** The domains that the form may be sent from, with commas between; null for all. */
  readonly allowedDomains: string | null;
  /** The scripts that are expected; null for all. */
  readonly scripts: readonly Script[] | null;
  /** From which score on a submission is spam. */
  readonly spamAt: number;
  /** Whether what comes without proof of work is held, whatever that is worth. */
  readonly proofRequired: boolean;
  /** The captcha that the form shows; null for none. */
  readonly captcha: FormCaptcha | null;

  /**
   * Makes what a signal found into a part of the verdict.
   * @param share how much of the signal's points it is worth
   */
  part(name: string, reason: string, share?: number): SpamPart;
}

/** A part that a signal found. */
export interface FoundPart extends SpamPart {
  /** True: it speaks for the submission, and is worth what others found against it. */
  readonly allows?: true;
  /** True: the submission is held at least, whatever the part is worth. */
  readonly holds?: true;
}

/** Looks for one thing, at no cost but some processor time. Null: nothing to say. */
export interface SpamSignal extends SignalDefaults {
  /** True: it only supports others, so what is clean but for it has no parts. */
  readonly supports?: true;
  readonly look: (evidence: SpamEvidence, settings: FormRules) => FoundPart | null;
}

/**
 * Looks for one thing and may wait for it. It runs before the submission is stored, so off by default when it
 * asks somebody else.
 */
export interface SlowSignal extends SignalDefaults {
  /** True: it is asked after all others, and only about what is not spam yet, and not allowed. */
  readonly last?: true;
  /** Tells whether a form that has it on uses it; without it, each does. */
  readonly isUsedBy?: (settings: FormRules) => boolean;
  /** Tells, without waiting, that it has nothing to say, so that nobody waits for it; false when it does not know. */
  readonly isSilent?: (evidence: SpamEvidence) => boolean;
  /** Says what it means when it throws or its time is over; without it, nothing. */
  readonly unanswered?: (settings: FormRules) => FoundPart;
  /** @param late is aborted when the time of all slow signals is over */
  readonly look: (
    evidence: SpamEvidence,
    settings: FormRules,
    late: AbortSignal,
  ) => Promise<FoundPart | null>;
  /**
   * Tells for a signal that looks again whether its earlier result may hold, though the stored submission shows
   * nothing.
   */
  readonly mayHold?: (evidence: SpamEvidence) => Promise<boolean>;
}
