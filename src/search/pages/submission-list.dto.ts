import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { formatUuid, uuidOf, parseMoment, Optional } from '../../platform/index.js';
import { type PagePosition, EVERYTHING, type SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { submissionJson } from '../../submissions/dto/submission-json.js';
import { SubmissionDto } from '../../submissions/dto/submission.dto.js';
import type { SubmissionPage } from './submission-pages.service.js';
import { IsIn, IsUUID, MaxLength, ValidateBy } from 'class-validator';
import { OPT_IN_STATES, type OptInState } from '../../deliveries/model/outcome.js';
import { PageQueryDto, PER_PAGE_MAX } from '../../platform/http/index.js';

/** Header that says `false` when not everything was counted or looked at; the links of the list lead on. */
export const SEARCH_COMPLETE = 'Search-Complete';

/** A page of submissions, newest first, and the addresses of the other pages. */
export class SubmissionListDto {
  @ApiProperty({ type: [SubmissionDto] })
  submissions: SubmissionDto[];
  /** Ids of those on this page that are on hold. */
  held: string[];
  /** Address of the page before this one; null on the first. */
  previous_page: string | null;
  /** The same as `previous_page`. */
  prev_page: string | null;
  /** Address of the page after this one; null on the last. */
  next_page: string | null;
  next_page_number: number | null;
  prev_page_number: number | null;
  first_url: string;
  last_url: string;
  /** Most submissions on a page. */
  items: number;
  /** Submissions that match, on all pages; at least that many when `Search-Complete` is false. */
  count: number;

  /**
   * Writes the page as JSON text, some submissions at a time, since a page may be larger than memory. The
   * links to the neighbouring pages carry, beside the number, the id they begin at: following them costs the
   * same at any depth, and never ends early because the count changed.
   * @param query the filters of the request, without page and position
   */
  static async *toJson(
    { form, ids, held, newer, older, total, searchedTo, submissions }: SubmissionPage,
    { page, perPage }: PagePosition,
    baseUrl: string,
    query: URLSearchParams,
  ): AsyncGenerator<string> {
    const last = Math.max(1, Math.ceil(total / perPage));
    const path = `${baseUrl}/api/v1/forms/${form.identifier}/submissions`;
    const address = (number: number, position: Record<string, string> = {}) =>
      `${path}?${new URLSearchParams([...query, ['page', String(number)], ...Object.entries(position)]).toString()}`;
    const [newest] = ids;
    const oldest = searchedTo ?? ids.at(-1);
    const next = older && oldest ? address(page + 1, { before: formatUuid(oldest) }) : null;
    const previous = Math.max(1, Math.min(page - 1, last));
    const back = newer ? address(previous, newest && { after: formatUuid(newest) }) : null;
    const rest = JSON.stringify({
      held: held.map(formatUuid),
      previous_page: back,
      prev_page: back,
      next_page: next,
      next_page_number: next === null ? null : page + 1,
      prev_page_number: back === null ? null : previous,
      first_url: address(1),
      last_url: address(last),
      items: perPage,
      count: total,
    });
    let before = '{"submissions":[';
    for await (const some of submissions()) {
      if (some.length === 0) continue;
      yield before + some.map((submission) => submissionJson(submission, baseUrl)).join(',');
      before = ',';
    }
    yield `${before === ',' ? '' : before}],${rest.slice(1)}`;
  }
}

const MARKS = ['false', 'true', 'all'];
const MARK_MESSAGE = { message: 'must be false, true or all' };
const DATE_MESSAGE = 'must be a date or time such as 2030-01-31 or 2030-01-31T12:00:00Z';
/** Longest texts that are searched for, in characters. */
export const QUERY_MAX = 255;

/** Checks a moment and keeps it as it was sent, for the links to other pages. */
const Moment = () =>
  ValidateBy({
    name: 'wrong_date',
    validator: { validate: (value) => parseMoment(value) !== null, defaultMessage: () => DATE_MESSAGE },
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
    return { page: page ?? 1, perPage: per_page ?? PER_PAGE_MAX, before: uuidOf(before), after: uuidOf(after) };
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

function readMark(mark: 'false' | 'true' | 'all' | undefined) {
  return mark === 'all' ? null : mark === 'true';
}
