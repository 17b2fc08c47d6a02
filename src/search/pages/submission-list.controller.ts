import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { sendStream, untilLeft } from '../../platform/http/index.js';
import { SEARCH_COMPLETE, SubmissionListDto, SubmissionFilterDto, SubmissionQueryDto } from './submission-list.dto.js';
import { FilterLines } from '../lines/filter-lines.service.js';
import { SubmissionPages } from './submission-pages.service.js';

@Controller('api/v1/forms/:identifier/submissions')
@RoutesRequire('submissions:read')
export class SubmissionListController {
  constructor(
    private readonly pages: SubmissionPages,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * List the submissions of a form, newest first, up to 100 per page. `next_page` and `previous_page` are the fast way
   * through a long list: they carry a position beside the number. `Search-Complete: false` says that there are at least
   * `count`: more were not counted, or a search had no time to look at everything. `next_page` goes on.
   */
  @Get()
  @ApiOkResponse({ type: SubmissionListDto })
  @ApiOperation({ operationId: 'Submissions_list' })
  async list(
    @InForm() { principal, identifier }: InForm,
    @Query() query: SubmissionQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const position = SubmissionQueryDto.position(query);
    const { q } = query;
    const filter =
      q === undefined ? SubmissionFilterDto.filter(query) : await this.filters.readFor(principal, identifier, q);
    const left = untilLeft(response);
    const page = await this.pages.list(principal, identifier, filter, position, left);
    const parameters = SubmissionQueryDto.parameters(query);
    const json = SubmissionListDto.toJson(page, position, this.config.baseUrl, parameters);
    response.set(SEARCH_COMPLETE, String(page.isComplete)).type('json');
    await sendStream(response, json);
  }

  /** List submissions: the documented sample request uses POST; a body is ignored. */
  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: SubmissionListDto })
  @ApiOperation({ operationId: 'Submissions_listByPost' })
  listByPost(@InForm() form: InForm, @Query() query: SubmissionQueryDto, @Res() response: Response): Promise<void> {
    return this.list(form, query, response);
  }
}
