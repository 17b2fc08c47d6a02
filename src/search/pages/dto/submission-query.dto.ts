import { IntersectionType } from '@nestjs/swagger';
import { IsIn, IsUUID, MaxLength, ValidateBy } from 'class-validator';
import { OPT_IN_STATES, type OptInState } from '../../../deliveries/model/outcome.js';
import { PageQueryDto, PER_PAGE_MAX } from '../../../platform/http/page-query.dto.js';
import { parseMoment } from '../../../platform/kernel/time/moment.js';
import { uuidOf } from '../../../platform/kernel/uuid.js';
import { Optional } from '../../../platform/kernel/validation.js';
import {
  EVERYTHING,
  type SubmissionFilter,
  type PagePosition,
} from '../../../submissions/filter/submission-filter.js';

const MARKS = ['false', 'true', 'all'];
const MARK_MESSAGE = { message: 'must be false, true or all' };
const DATE_MESSAGE = 'must be a date or time such as 2030-01-31 or 2030-01-31T12:00:00Z';
/** Longest texts that are searched for, in characters. */
export const QUERY_MAX = 255;

/** Checks a moment and keeps it as it was sent, for the links to other pages. */
const Moment = () =>
  ValidateBy({
    name: 'wrong_date',
    validator: {
      validate: (value) => parseMoment(value) !== null,
      defaultMessage: () => DATE_MESSAGE,
    },
  });

/** Selects submissions; the same for lists and exports. */
export class SubmissionFilterDto {
  /** `false` leaves spam out, `true` gives nothing else, `all` gives both. */
  @IsIn(MARKS, MARK_MESSAGE)
  @Optional()
  spam?: 'false' | 'true' | 'all';

  /** The same for the trash. */
  @IsIn(MARKS, MARK_MESSAGE)
  @Optional()
  trash?: 'false' | 'true' | 'all';

  /** The same for what is done; `all` is the default. */
  @IsIn(MARKS, MARK_MESSAGE)
  @Optional()
  done?: 'false' | 'true' | 'all';

  /** Received at this time or later, ISO 8601. */
  @Moment()
  @Optional()
  from?: string;

  /** Received before this time, ISO 8601. */
  @Moment()
  @Optional()
  to?: string;

  /** Occurs in a value or in the name of a file, in any case of letters. */
  @MaxLength(QUERY_MAX, { message: `must not exceed ${QUERY_MAX} characters` })
  @Optional()
  query?: string;

  /** `waiting`: only what its visitor has not confirmed yet; `confirmed`: only what was. */
  @IsIn(OPT_IN_STATES, { message: `must be ${OPT_IN_STATES.join(' or ')}` })
  @Optional()
  confirmation?: OptInState;

  /**
   * A line such as `is:unread "wedding cake" email:jane@example.com`, which takes the place of all other
   * filters; see docs/api/submissions.md.
   */
  @MaxLength(QUERY_MAX, { message: `must not exceed ${QUERY_MAX} characters` })
  @Optional()
  q?: string;

  static filter(asked: SubmissionFilterDto): SubmissionFilter {
    const { spam, trash, done, from, to, query, confirmation = null } = asked;
    return {
      ...EVERYTHING,
      spam: readMark(spam),
      trash: readMark(trash),
      done: readMark(done ?? 'all'),
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
      confirmation,
      words: query === undefined || query === '' ? [] : [query],
    };
  }
}

/** Asks for a page of submissions. */
export class SubmissionQueryDto extends IntersectionType(PageQueryDto, SubmissionFilterDto) {
  /** Only what is older than this submission; links to the next page carry it. */
  @IsUUID('all', { message: 'must be the id of a submission' })
  @Optional()
  before?: string;

  /** Only what is newer than this submission; links to the previous page carry it. */
  @IsUUID('all', { message: 'must be the id of a submission' })
  @Optional()
  after?: string;

  static position({ page, per_page, before, after }: SubmissionQueryDto): PagePosition {
    return {
      page: page ?? 1,
      perPage: per_page ?? PER_PAGE_MAX,
      before: uuidOf(before),
      after: uuidOf(after),
    };
  }

  /** Returns the filters as they were sent, for the links to other pages. */
  static parameters(query: SubmissionQueryDto): URLSearchParams {
    const { per_page, spam, trash, done, from, to, confirmation, q } = query;
    const shown = { per_page, spam, trash, done, from, to, query: query.query, confirmation, q };
    const sent = Object.entries(shown);
    const parameters = new URLSearchParams();
    for (const [name, value] of sent) if (value !== undefined) parameters.set(name, String(value));
    return parameters;
  }
}

function readMark(mark: 'false' | 'true' | 'all' | undefined): boolean | null {
  return mark === 'all' ? null : mark === 'true';
}
