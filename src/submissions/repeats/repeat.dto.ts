import { listOf } from '../../platform/http/index.js';
import { formatUuid, timeOf } from '../../platform/index.js';
import type { SubmissionRepeat } from './submission-repeat.entity.js';

/** A submission that came once more within seconds. */
export class RepeatDto {
  /** The id that it has once it is a submission of its own. */
  id: string;
  /** When it came, ISO 8601 in UTC. */
  created_at: string;

  static of({ id }: SubmissionRepeat): RepeatDto {
    return { id: formatUuid(id), created_at: timeOf(id).toISOString() };
  }
}

export class RepeatListDto extends listOf('repeats', RepeatDto, 'Oldest first.') {}
