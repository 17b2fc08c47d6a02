import { formatUuid, timeOf } from '../../../platform/kernel/uuid.js';
import type { SubmissionRepeat } from '../submission-repeat.entity.js';

/** A submission that came once more within seconds. */
export class RepeatDto {
  /** The id that it has once it is a submission of its own. */
  id: string;
  /** When it came, ISO 8601 in UTC. */
  created_at: string;
}

export class RepeatListDto {
  /** Oldest first. */
  repeats: RepeatDto[];

  static of(repeats: readonly SubmissionRepeat[]): RepeatListDto {
    return {
      repeats: repeats.map(({ id }) => {
        return { id: formatUuid(id), created_at: timeOf(id).toISOString() };
      }),
    };
  }
}
