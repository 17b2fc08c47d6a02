import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Requires, InForm } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { pageHeaders, PER_PAGE_MAX, PageQueryDto } from '../../platform/http/index.js';
import { TimelineDto } from './timeline.dto.js';
import { TimelineService } from './timeline.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/timeline')
export class TimelineController {
  constructor(
    private readonly timeline: TimelineService,
    private readonly config: Config,
  ) {}

  /**
   * Show the activity of a submission: received, judged, its deliveries and notes, who first saw it when, and
   * who did what to it, and when its visitor confirmed it, oldest first, up to 100 entries a page. The last 200 things that
   * were done are kept; it goes with its submission.
   */
  @Get()
  @Requires('submissions:read')
  async show(
    @InForm('id') { principal, identifier, id }: InForm,
    @Query() query: PageQueryDto,
    @Req() { path }: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TimelineDto> {
    const entries = await this.timeline.show(principal, identifier, id);
    const page = PageQueryDto.page(query) ?? { page: 1, perPage: PER_PAGE_MAX };
    response.set(pageHeaders(this.config.baseUrl + path, page, entries.length));
    const from = (page.page - 1) * page.perPage;
    return TimelineDto.of(entries.slice(from, from + page.perPage));
  }
}
