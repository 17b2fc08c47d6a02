/** What makes a submission spam; stored, so a code keeps its meaning. */
export type SpamCode = 'honeypot' | 'origin_unknown' | 'origin_not_allowed' | 'by_hand';

/** Says why a submission is spam: to programs by the code, to the owner by the reason. */
export interface SpamFinding {
  code: SpamCode;
  /** At most 255 characters. Its words may change, so nothing is decided by them. */
  reason: string;
}

export const MARKED_BY_HAND: SpamFinding = {
  code: 'by_hand',
  reason: 'It was marked as spam by hand.',
};
