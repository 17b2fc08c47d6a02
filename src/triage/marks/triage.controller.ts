import { Body, Controller, Get, HttpCode, Patch, Post, Query, Res, Put } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, RoutesRequire, InForm, Principal } from '../../accounts/access/index.js';
import { Config, uuidOf } from '../../platform/index.js';
import { MessageDto, PER_PAGE_MAX, PageQueryDto, pageHeaders } from '../../platform/http/index.js';
import { ChangeMarksDto, MarksDto, ReadAllDto, UnreadDto, ReplaceTagsDto, TagsDto } from './marks.dto.js';
import { TriageService } from './triage.service.js';
import { UnreadCounts } from '../read-state/unread-counts.service.js';

const ALL_READ = { message: 'Everything received so far is read.' };

@Controller('api/v1')
@RoutesRequire('submissions:read')
export class TriageController {
  constructor(
    private readonly triage: TriageService,
    private readonly counts: UnreadCounts,
    private readonly config: Config,
  ) {}

  /**
   * Count new unread submissions of each form, oldest form first: for all of them, or for one page of them when `page`
   * or `per_page` is given, with the headers `Link` and `X-Total-Count`. Of more than 200 forms it is always one page.
   */
  @Get('unread')
  async unread(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UnreadDto> {
    const first = { page: 1, perPage: PER_PAGE_MAX };
    const asked = PageQueryDto.page(query);
    const { counts, page, total } = await this.counts.list(principal, asked, first);
    if (page) response.set(pageHeaders(`${this.config.baseUrl}/api/v1/unread`, page, total));
    return UnreadDto.of(counts);
  }

  /** Mark everything in all forms as read. */
  @Post('submissions/read')
  @HttpCode(200)
  async readAll(@CurrentPrincipal() principal: Principal, @Body() { up_to }: ReadAllDto): Promise<MessageDto> {
    await this.triage.readAll(principal, null, upTo(up_to));
    return ALL_READ;
  }

  /** Mark everything in a form as read. */
  @Post('forms/:identifier/submissions/read')
  @HttpCode(200)
  async readForm(@InForm() { principal, identifier }: InForm, @Body() { up_to }: ReadAllDto): Promise<MessageDto> {
    await this.triage.readAll(principal, identifier, upTo(up_to));
    return ALL_READ;
  }

  /** Show whether a submission is read, starred, answered and done. */
  @Get('forms/:identifier/submissions/:id/marks')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<MarksDto> {
    return { marks: await this.triage.show(principal, identifier, id) };
  }

  /** Mark a submission as read, starred, answered or done, or not. All but `read` needs `submissions:write` too. */
  @Patch('forms/:identifier/submissions/:id/marks')
  async change(
    @InForm('id') { principal, identifier, id }: InForm,
    @Body() { marks }: ChangeMarksDto,
  ): Promise<MarksDto> {
    return { marks: await this.triage.change(principal, identifier, id, marks) };
  }
}

function upTo(id: string | undefined) {
  return uuidOf(id) ?? undefined;
}

@Controller('api/v1/forms/:identifier/submissions/:id/tags')
@RoutesRequire('submissions:read', 'submissions:write')
export class TagsController {
  constructor(private readonly tags: TriageService) {}

  /** List the tags of a submission. */
  @Get()
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<TagsDto> {
    return { tags: await this.tags.tagsOf(principal, identifier, id) };
  }

  /** Replace the tags of a submission. */
  @Put()
  async replace(
    @InForm('id') { principal, identifier, id }: InForm,
    @Body() { tags }: ReplaceTagsDto,
  ): Promise<TagsDto> {
    return { tags: await this.tags.replace(principal, identifier, id, tags) };
  }
}
