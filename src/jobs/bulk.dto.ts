import { wrapped } from '../platform/http/index.js';
import {
  ArrayMaxSize,
  IsArray,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  IsIn,
  IsString,
} from 'class-validator';
import { parseUuid, formatUuid, Nested, Flag, Optional, Parsed, Required, Text } from '../platform/index.js';
import type { BulkChanges } from './changes/bulk-changes.js';
import { QUERY_MAX } from '../search/pages/submission-list.dto.js';
import { NewAssigneeDto } from '../triage/assignees/assignee.dto.js';
import type { BulkTask } from './queue/bulk-jobs.service.js';
import { parseTag, TAG_MAX } from '../forms/model/form-values.js';
import { ApiProperty, PickType } from '@nestjs/swagger';
import type { RejudgePreview } from './queue/rejudge.service.js';
import { columnsOf } from './exports/export-table.js';
import { EXPORT_FORMATS, type ExportFormat, type ExportLayout } from './exports/export-file.js';
import type { ExportFileFacts } from './queue/export-files.service.js';
import { JOB_STATES, type BulkJob, type JobState } from './queue/bulk-job.entity.js';
import { CHOSEN_MAX, CsvQueryDto } from './exports/export-query.dto.js';

/** Most submissions that one request changes. */
const BULK_MAX = 100;

const TAG_MESSAGE = `must be a string of 1 to ${TAG_MAX} characters without quotes and commas`;
const IDS_MESSAGE = 'must be a list of ids of submissions';

function parseIds(value: unknown) {
  if (!Array.isArray(value)) return null;
  const ids = value.map((each) => String(each).toLowerCase());
  return ids.every((id) => parseUuid(id) !== null) ? [...new Set(ids)] : null;
}

/** Changes to each submission. Absent fields stay as they are. */
class BulkChangesDto {
  /** Whether you have read them; for this, `submissions:read` is enough. */
  @Flag()
  @Optional()
  read?: boolean;

  @Flag()
  @Optional()
  starred?: boolean;

  /** Whether somebody has answered the visitors. */
  @Flag()
  @Optional()
  answered?: boolean;

  @Flag()
  @Optional()
  done?: boolean;

  /** Whether they are spam; the counts follow. What was withheld from those that are none is delivered. */
  @Flag()
  @Optional()
  spam?: boolean;

  @Flag()
  @Optional()
  trash?: boolean;

  /** A tag that they get beside their others. */
  @Parsed('not_a_tag', parseTag, TAG_MESSAGE)
  @Optional()
  add_tag?: string;

  /** A tag that they lose. */
  @Parsed('not_a_tag', parseTag, TAG_MESSAGE)
  @Optional()
  remove_tag?: string;

  /** Whom they are assigned to, null for nobody; those in forms that the person does not see are left out. */
  @Nested(() => NewAssigneeDto, 'must be an object or null')
  @Optional({ nullable: true })
  assignee?: NewAssigneeDto | null;
}

/** Changes of several submissions, of any forms: of those that `ids` names, or of all that `q` means. */
export class BulkDto {
  /** Ids of at most 100 submissions. Leave it out to change all that `q` means. */
  @ArrayMaxSize(BULK_MAX, { message: `must not have more than ${BULK_MAX} entries` })
  @Parsed('not_ids', parseIds, IDS_MESSAGE)
  @IsArray({ message: IDS_MESSAGE })
  @ValidateBy({
    name: 'ids_or_q',
    validator: {
      validate: (_, { object }: ValidationArguments) => (object as BulkDto).q === undefined,
      defaultMessage: () => 'cannot be sent together with q',
    },
  })
  @ValidateIf(({ ids, q }: BulkDto) => ids !== undefined || q === undefined)
  ids?: string[];

  /** A line such as `is:new form:contact`, as lists take it; `""` for all but spam and the trash. */
  @Text({ max: QUERY_MAX })
  @Optional()
  q?: string;

  /** Identifier of a form, to change only its submissions; with `q` alone. */
  @Text({ max: 16 })
  @Optional()
  form?: string;

  @Nested(() => BulkChangesDto)
  @Required()
  changes: BulkChangesDto;

  static changes({ changes: { add_tag, remove_tag, assignee, ...marks } }: BulkDto): BulkChanges {
    return {
      ...marks,
      ...(add_tag !== undefined && { addTag: add_tag }),
      ...(remove_tag !== undefined && { removeTag: remove_tag }),
      ...(assignee !== undefined && { assignee: assignee?.person_id ?? null }),
    };
  }

  static ids({ ids = [] }: BulkDto): Buffer[] {
    return ids.map(parseUuid).filter((id) => id !== null);
  }

  /** Returns what a job is to do; null when the submissions are named. */
  static task(body: BulkDto): BulkTask | null {
    const { q, form = null } = body;
    return q === undefined ? null : { line: q.trim(), form, changes: BulkDto.changes(body) };
  }
}

/** Result of a change of many submissions. */
export class BulkChangedDto {
  /**
   * Ids of those that were not so before; taking the change back from them restores what was. What was held and is
   * called spam or none is not held again.
   */
  changed: string[];
}

const BANDS = ['clean', 'held', 'spam'] as const;

/** Submissions to check again for spam. */
export class RejudgeDto {
  /** A line such as `from:7d is:held`, as lists take it; all but the trash without one. */
  @Text({ max: QUERY_MAX })
  @Optional()
  q?: string;

  /** True: only say what would move. */
  @Flag()
  @Optional()
  dry_run?: boolean;
}

/** How many would move from one verdict to another. */
class RejudgeMoveDto {
  @ApiProperty({ enum: BANDS })
  from: (typeof BANDS)[number];
  @ApiProperty({ enum: BANDS })
  to: (typeof BANDS)[number];
  count: number;
}

/** Preview of checking submissions again for spam. */
class RejudgeOutcomeDto {
  /** How many were judged: the newest, at most 1,000. */
  looked: number;
  /** Null when these were all; else up to when was looked back. */
  looked_to: string | null;
  /** How many stay as they are, since a person decided on them, starred, answered, finished or threw them away. */
  kept: number;
  /** Those that occur, the most frequent first. */
  moves: RejudgeMoveDto[];

  static of({ looked, lookedTo, kept, moves }: RejudgePreview): RejudgeOutcomeDto {
    return {
      looked,
      looked_to: lookedTo?.toISOString() ?? null,
      kept,
      moves: moves.map(({ from, to, count }) => ({ from, to, count })),
    };
  }
}

export class RejudgePreviewDto extends wrapped('preview', RejudgeOutcomeDto) {}

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
        ...(assignee !== undefined && { assignee: assignee === null ? null : { person_id: assignee } }),
      },
      export: job.export && {
        format: job.export.layout.format,
        file: file && { size: file.size, expires_at: file.expiresAt.toISOString(), link: file.link },
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
