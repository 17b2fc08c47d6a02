import type { Verdict } from '../../spam/evidence/verdict.js';

/** Something that speaks for spam, or against it. */
export class VerdictPartDto {
  /** Name of the signal, or `by_hand`. */
  name: string;
  /** Points that it adds to the score; below zero when it speaks against spam. */
  points: number;
  /** A sentence; its wording may change. */
  reason: string;
}

/** Verdict on a submission, with the reasons. */
export class VerdictDto {
  /** Held ones are counted and shown, but the mail to the visitor and webhooks wait. */
  verdict: 'clean' | 'held' | 'spam';
  /** Sum of the points of all parts. */
  score: number;
  parts: VerdictPartDto[];

  static of({ band, score, parts }: Verdict): VerdictDto {
    return { verdict: band, score, parts: parts.map(({ name, points, reason }) => ({ name, points, reason })) };
  }
}
