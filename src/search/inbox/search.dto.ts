import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsUUID, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../platform/http/index.js';
import { formatUuid, Optional } from '../../platform/index.js';
import { QUERY_MAX } from '../pages/submission-list.dto.js';
import { SubmissionDto } from '../../submissions/dto/submission.dto.js';
import type { Found } from '../finder/submission-finder.js';
import type { InboxEntry } from './inbox.service.js';
import { submissionJson } from '../../submissions/dto/submission-json.js';

/** Asks for submissions of all forms. */
export class SearchQueryDto extends PickType(PageQueryDto, ['per_page']) {
  /** A line such as `is:unread form:contact "wedding cake"`; see docs/api/submissions.md. */
  @MaxLength(QUERY_MAX, { message: `must not exceed ${QUERY_MAX} characters` })
  @Optional()
  q?: string;

  /** Only what is older than this submission; `next_page` carries it. */
  @IsUUID('all', { message: 'must be the id of a submission' })
  @Optional()
  before?: string;
}

/** Submissions of all forms, newest first. */
export class FoundSubmissionsDto {
  @ApiProperty({ type: [SubmissionDto] })
  submissions: SubmissionDto[];
  /** Address of what is older; null when there is no more. There may be one after a page that is not full. */
  next_page: string | null;

  /** Writes what was found as JSON text, some at a time. */
  static async *toJson(
    { next: last }: Pick<Found, 'next'>,
    entries: AsyncGenerator<InboxEntry[]>,
    baseUrl: string,
    { q, per_page }: SearchQueryDto,
  ): AsyncGenerator<string> {
    let separator = '';
    yield '{"submissions":[';
    for await (const some of entries) {
      if (some.length === 0) continue;
      yield separator + some.map((entry) => submissionJson(entry, baseUrl)).join(',');
      separator = ',';
    }
    const query = new URLSearchParams({
      ...(q !== undefined && { q }),
      ...(per_page !== undefined && { per_page: String(per_page) }),
      ...(last && { before: formatUuid(last) }),
    });
    const next = last ? `${baseUrl}/api/v1/submissions?${query.toString()}` : null;
    yield `],"next_page":${JSON.stringify(next)}}`;
  }
}
