import { ApiProperty } from '@nestjs/swagger';
import { formatUuid } from '../../../platform/kernel/uuid.js';
import type { PagePosition } from '../../../submissions/filter/submission-filter.js';
import { submissionJson } from '../../../submissions/dto/submission-json.js';
import { SubmissionDto } from '../../../submissions/dto/submission.dto.js';
import type { SubmissionPage } from '../submission-pages.service.js';

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
