/** The kinds of spam. They are stored, so a code keeps its meaning. */
export type SpamCode = 'honeypot' | 'origin_unknown' | 'origin_not_allowed' | 'by_hand';

/** The reason why a submission is spam: the code for programs, a sentence for the owner. */
export interface SpamFinding {
  code: SpamCode;
  /** At most 255 characters. The wording may change, so no code depends on it. */
  reason: string;
}

export const MARKED_BY_HAND: SpamFinding = {
  code: 'by_hand',
  reason: 'It was marked as spam by hand.',
};
