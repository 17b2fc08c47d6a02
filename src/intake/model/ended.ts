import type { Accepted } from '../../submissions/storage/submission-intake.service.js';
import type { Success } from './success.js';

/** How a submission was kept; a probe is no submission of the form. */
export type Kept = Accepted<Success> | { outcome: 'probe'; answer: Success };

/** The outcome of a submission, for the log. */
export interface Ended {
  outcome: Kept['outcome'] | 'refused' | 'failed';
  /** Id of the submission; null when none was stored. */
  submissionId: string | null;
  /** Code of the error; null when there was none. */
  code: string | null;
}
