import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires, Principal } from '../../accounts/access/index.js';
import { Config, uuidOf } from '../../platform/index.js';
import { PER_PAGE_MAX, sendStream, untilLeft } from '../../platform/http/index.js';
import { SubmissionFinder } from '../finder/submission-finder.js';
import { InboxService } from './inbox.service.js';
import { SEARCH_COMPLETE } from '../pages/submission-list.dto.js';
import { FoundSubmissionsDto, SearchQueryDto } from './search.dto.js';
import { FilterLines } from '../lines/filter-lines.service.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';

@Controller('api/v1/submissions')
export class SearchController {
  constructor(
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * List the submissions of all forms, newest first, up to 100 at a time. `next_page` leads on; follow it until
   * it is null. `Search-Complete: false` says that time was over before the page was full.
   */
  @Get()
  @Requires('submissions:read')
  @ApiOkResponse({ type: FoundSubmissionsDto })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: SearchQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const selection = await this.filters.read(principal, query.q ?? '');
    const before = uuidOf(query.before);
    const found = await this.finder.findFor(principal, selection, {
      order: 'DESC',
      bound: before ? ['<', before] : FROM_NEWEST,
      limit: query.per_page ?? PER_PAGE_MAX,
      unwanted: untilLeft(response),
    });
    const entries = this.inbox.read(selection, found.ids);
    response.set(SEARCH_COMPLETE, String(found.searchedTo === null));
    response.type('json');
    const json = FoundSubmissionsDto.toJson(found, entries, this.config.baseUrl, query);
    await sendStream(response, json);
  }
}
