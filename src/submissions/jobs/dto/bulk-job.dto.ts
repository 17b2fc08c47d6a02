import { ApiProperty } from '@nestjs/swagger';
import { formatUuid } from '../../../platform/kernel/uuid.js';
import { NewAssigneeDto } from '../../assignees/dto/assignee.dto.js';
import { JOB_STATES, type BulkJob, type JobState } from '../bulk-job.entity.js';

/** Why a job ended early. */
export class JobErrorDto {
  /** Stable name of the broken rule, such as `no_longer_allowed`. */
  code: string;
  /** A sentence about it. */
  message: string;
}

/** What a job changes of each submission; what is not there stays. */
export class JobChangesDto {
  read?: boolean;
  starred?: boolean;
  answered?: boolean;
  done?: boolean;
  spam?: boolean;
  trash?: boolean;
  add_tag?: string;
  remove_tag?: string;
  /** Each is judged again; `changed` are those that moved to another verdict. */
  rejudge?: boolean;
  /** Null for nobody. */
  assignee?: NewAssigneeDto | null;
}

/** A job that changes all submissions which a filter meant when it was made. */
export class BulkJobDto {
  id: string;
  /** `waiting` and `running` are under way; the others are ends. */
  @ApiProperty({ enum: JOB_STATES })
  state: JobState;
  /** The filter. */
  q: string;
  changes: JobChangesDto;
  /** How many the filter meant; null when that would have been long to count. */
  total: number | null;
  /** How many were gone through so far. */
  done: number;
  /** How many of them were not so before. */
  changed: number;
  /** Who made it. */
  author: string;
  created_at: string;
  /** When it was over; null while it is under way. */
  ended_at: string | null;
  /** Null unless it failed. */
  error: JobErrorDto | null;

  static of(job: BulkJob): BulkJobDto {
    const { addTag, removeTag, assignee, ...marks } = job.changes;
    const { errorCode, errorMessage } = job;
    return {
      id: formatUuid(job.id),
      state: job.state,
      q: job.line,
      changes: {
        ...marks,
        ...(addTag !== undefined && { add_tag: addTag }),
        ...(removeTag !== undefined && { remove_tag: removeTag }),
        ...(assignee !== undefined && {
          assignee: assignee === null ? null : { person_id: assignee },
        }),
      },
      total: job.total,
      done: job.done,
      changed: job.changed,
      author: job.actorName,
      created_at: job.createdAt.toISOString(),
      ended_at: job.endedAt?.toISOString() ?? null,
      error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    };
  }
}

/** The newest jobs, newest first, at most 100. */
export class BulkJobListDto {
  jobs: BulkJobDto[];
}
