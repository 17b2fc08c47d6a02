import { ApiProperty, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString } from 'class-validator';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { NewAssigneeDto } from '../../triage/assignees/dto/assignee.dto.js';
import { EXPORT_FORMATS, type ExportFormat, type ExportLayout } from '../exports/export-file.js';
import type { ExportFileFacts } from '../queue/export-files.service.js';
import { JOB_STATES, type BulkJob, type JobState } from '../queue/bulk-job.entity.js';
import { Optional, Required, Text } from '../../platform/kernel/validation.js';
import { CHOSEN_MAX, CsvQueryDto } from '../exports/dto/export-query.dto.js';
import { QUERY_MAX } from '../../search/pages/dto/submission-query.dto.js';
import { columnsOf } from '../exports/export-table.js';

/** Why a job ended early. */
export class JobErrorDto {
  /** Stable name of the broken rule, such as `no_longer_allowed`. */
  code: string;
  /** A sentence about it. */
  message: string;
}

/** Changes of a job to each submission. Absent fields stay as they are. */
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

/** The file that an export made. */
export class ExportFileDto {
  /** In bytes. */
  size: number;
  /** When it is removed; what is erased in the form removes it at once. */
  expires_at: string;
  /** Last part of `/exports/…`, which opens the file without a token for an hour; null when you may not export. */
  link: string | null;
}

/** The export of a job. */
export class JobExportDto {
  @ApiProperty({ enum: EXPORT_FORMATS })
  format: ExportFormat;
  /** Null until it is finished, and once it was removed. */
  file: ExportFileDto | null;
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
  /** Null for a job that changes submissions. */
  export: JobExportDto | null;
  /** How many the filter meant; null when that would have been long to count. */
  total: number | null;
  /** How many were gone through so far. */
  done: number;
  /** How many of them were not so before. */
  changed: number;
  /** Name of the person or token that made the job. */
  author: string;
  created_at: string;
  /** When it was over; null while it is under way. */
  ended_at: string | null;
  /** Null unless it failed. */
  error: JobErrorDto | null;

  static of(job: BulkJob, file: ExportFileFacts | null): BulkJobDto {
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
      export: job.export && {
        format: job.export.layout.format,
        file: file && {
          size: file.size,
          expires_at: file.expiresAt.toISOString(),
          link: file.link,
        },
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

/** Content and format of an export. */
export class NewExportDto extends PickType(CsvQueryDto, ['separator', 'zone']) {
  @ApiProperty({ enum: EXPORT_FORMATS })
  @IsIn(EXPORT_FORMATS, { message: `must be one of ${EXPORT_FORMATS.join(', ')}` })
  @Required()
  format: ExportFormat;

  /** A line such as `from:7d is:unread`, as lists take it; all but spam and the trash without one. */
  @Text({ max: QUERY_MAX })
  @Optional()
  q?: string;

  /** Columns in their order; all without it. */
  @IsString({ each: true, message: 'must be names of columns' })
  @ArrayMaxSize(CHOSEN_MAX, { message: `must not have more than ${CHOSEN_MAX} entries` })
  @IsArray({ message: 'must be a list of names' })
  @Optional()
  columns?: string[];

  static layout({ format, columns, separator = 'comma', zone }: NewExportDto): ExportLayout {
    return { format, columns: columns ? columnsOf(columns) : null, separator, zone };
  }
}
