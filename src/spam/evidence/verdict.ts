/** A reason for or against a submission: what a signal found, its weight, and a sentence for the owner. */
export interface SpamPart {
  /** Name of the signal, or `by_hand`. Names are stored, so one keeps its meaning. */
  name: string;
  /** Above zero for spam, below zero against it. */
  points: number;
  /** At most 255 characters. The wording may change, so no code depends on it. */
  reason: string;
  /** How much of the signal's points it is worth; absent where that is not known, or was not by its weight. */
  share?: number;
}

/**
 * Where a score puts a submission. Clean ones are delivered. Held ones are counted and shown, and their owner is
 * told; the mail to the visitor and webhooks wait. Spam is kept apart and causes nothing.
 */
export type Band = 'clean' | 'held' | 'spam';

/** From which score on a submission is held, and from which it is spam. */
export interface Bands {
  heldAt: number;
  spamAt: number;
}

/** The share of a part that says that nothing is known; it holds, and is worth no points. */
export const UNKNOWN_SHARE = 0;

/** The name of the part that a person adds. */
export const BY_HAND = 'by_hand';
/** The name of the part that says that fields break the rules of their form. */
export const FIELD_RULES = 'field_rules';
/** The name of the part that says that files are infected. */
export const INFECTED_FILES = 'infected_files';
/** The name of the part that says that nothing was filled in. */
export const BLANK = 'blank';
/** The name of the part that says that a hold ended by itself. */
const HOLD_ENDED = 'hold_ended';
/** The name of the part that says that it was spam where it was imported from. */
export const IMPORTED = 'imported';

/** Says what a submission is, and why. */
export class Verdict {
  private constructor(
    readonly band: Band,
    readonly parts: readonly SpamPart[],
    /** Band by the signals alone; null when that is the band, or is not known. */
    readonly before: Band | null = null,
  ) {}

  static readonly CLEAN = new Verdict('clean', []);

  /** Judges by the sum of the parts. */
  static of(parts: readonly SpamPart[], { heldAt, spamAt }: Bands): Verdict {
    if (parts.length === 0) return Verdict.CLEAN;
    const score = sumOf(parts);
    return new Verdict(score >= spamAt ? 'spam' : score >= heldAt ? 'held' : 'clean', parts);
  }

  /** Returns the verdict on what was spam where it was imported from. */
  static imported({ spamAt }: Bands): Verdict {
    const points = Math.max(spamAt, 1);
    return new Verdict('spam', [{ name: IMPORTED, points, reason: 'It was imported as spam.' }]);
  }

  /** Returns a verdict that was stored. */
  static stored(band: Band, parts: readonly SpamPart[], before: Band | null = null): Verdict {
    return new Verdict(band, parts, before);
  }

  get score() {
    return sumOf(this.parts);
  }

  get isSpam() {
    return this.band === 'spam';
  }

  /** Returns the part that weighs most; null when nothing speaks for spam. */
  get heaviest(): SpamPart | null {
    const [first = null] = [...this.parts].sort((one, other) => other.points - one.points);
    return first !== null && first.points > 0 ? first : null;
  }

  /** Returns the parts from signals, not from people or time. */
  get found(): SpamPart[] {
    return this.parts.filter(({ name }) => name !== BY_HAND && name !== HOLD_ENDED);
  }

  /** Tells whether a person decided. */
  get isDecided() {
    return this.parts.some(({ name }) => name === BY_HAND);
  }

  /** Tells whether another service decided: our signals know less than it did. */
  get isImported() {
    return this.parts.some(({ name }) => name === IMPORTED);
  }

  /** Returns what the signals alone made of it; by these bands where that was not kept. */
  judged(bands: Bands): Band {
    if (this.before !== null) return this.before;
    if (!this.isDecided) return this.band;
    const found = this.parts.filter(({ name }) => name !== BY_HAND);
    return Verdict.of(found, bands).band;
  }

  /** Returns the verdict after somebody decided: their part makes the sum come out as they say. */
  decided(isSpam: boolean, { spamAt }: Bands): Verdict {
    const parts = this.parts.filter(({ name }) => name !== BY_HAND);
    const sum = sumOf(parts);
    const mine = isSpam
      ? { name: BY_HAND, points: Math.max(spamAt - sum, 1), reason: MARKED_BY_HAND }
      : { name: BY_HAND, points: Math.min(-sum, 0), reason: 'Someone marked it as not spam.' };
    return new Verdict(isSpam ? 'spam' : 'clean', [...parts, mine], this.known);
  }

  /**
   * Returns the verdict on a submission that also breaks rules for its fields: it is held at least, whoever sent it.
   * @param reason at most 255 characters
   */
  breaking(reason: string, bands: Bands): Verdict {
    return this.holding(FIELD_RULES, reason, bands);
  }

  /** Returns the verdict on a submission with nothing filled in: it is held at least, whoever sent it. */
  blank(bands: Bands): Verdict {
    return this.holding(BLANK, 'All of its fields are blank.', bands);
  }

  /** Tells whether nothing was filled in, so that nobody needs to hear of it. */
  get isBlank() {
    return this.parts.some(({ name }) => name === BLANK);
  }

  /**
   * Returns the verdict on a submission with infected files: it is held at least, even where somebody had decided
   * before that was known.
   * @param reason at most 255 characters
   */
  infected(reason: string, bands: Bands): Verdict {
    const known = this.isSpam ? this.parts : this.found;
    const others = known.filter(({ name }) => name !== INFECTED_FILES);
    return new Verdict(this.band, others).holding(INFECTED_FILES, reason, bands);
  }

  /** Returns the part that says that files are infected; null without. */
  get infection(): SpamPart | null {
    return this.parts.find(({ name }) => name === INFECTED_FILES) ?? null;
  }

  /** Tells whether it was held, and its hold ended. */
  get isReleased() {
    return this.parts.some(({ name }) => name === HOLD_ENDED);
  }

  /** Returns the verdict after a hold ended: what was withheld went out, so it is clean. */
  released(): Verdict {
    const points = Math.min(-this.score, 0);
    const ended = { name: HOLD_ENDED, points, reason: HOLD_WAS_OVER };
    return new Verdict('clean', [...this.parts, ended], this.known);
  }

  private holding(name: string, reason: string, { heldAt }: Bands) {
    const points = rounded(Math.max(heldAt - this.score, 0));
    const part = { name, points, reason, share: 0 };
    return new Verdict(this.band === 'clean' ? 'held' : this.band, [...this.parts, part]);
  }

  /** Returns the band by the signals alone, if known. */
  private get known() {
    return this.before ?? (this.isDecided ? null : this.band);
  }
}

/** The reason of a submission that a person marked as spam. */
export const MARKED_BY_HAND = 'Someone marked it as spam.';
const HOLD_WAS_OVER = 'Nobody decided before the hold ended, so the emails and webhook calls went out.';

/** Returns what parts are worth together. */
export function sumOf(parts: readonly SpamPart[]) {
  return rounded(parts.reduce((sum, { points }) => sum + points, 0));
}

/** Lets halves and tenths of points add up to what they say. */
export function rounded(points: number) {
  return Math.round(points * 100) / 100;
}
