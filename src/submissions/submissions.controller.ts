import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { sendDownload } from '../platform/http/send-download.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { sendStream } from '../platform/http/send-stream.js';
import { Sends } from '../platform/http/sends.js';
import { untilLeft } from '../platform/http/until-left.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import { ChangeSubmissionDto } from './dto/change-submission.dto.js';
import { ErasedDto } from './dto/erased.dto.js';
import { SEARCH_COMPLETE, SubmissionListDto } from './dto/submission-list.dto.js';
import { SubmissionFilterDto, SubmissionQueryDto } from './dto/submission-query.dto.js';
import { SubmissionSourceDto } from './dto/submission-source.dto.js';
import { SubmissionDto } from './dto/submission.dto.js';
import { ValueExistsDto } from './dto/value-exists.dto.js';
import { ValueQueryDto } from './dto/value-query.dto.js';
import { ErasureService } from './erasure.service.js';
import { FilterLines } from './search/filter-lines.service.js';
import { submissionJson } from './submission-json.js';
import { SubmissionsService } from './submissions.service.js';

@Controller('api/v1/forms/:identifier')
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly erasure: ErasureService,
    private readonly filters: FilterLines,
    private readonly config: Config,
  ) {}

  /**
   * List what was submitted through a form, newest first, at most 100 a page. `next_page` and
   * `previous_page` are the fast way through a long list: they carry a position beside the number.
   * `Search-Complete: false` says that there are at least `count`: more were not counted, or a search had no time to
   * look at everything. `next_page` goes on.
   */
  @Get('submissions')
  @Requires('submissions:read')
  @ApiOkResponse({ type: SubmissionListDto })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: SubmissionQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const position = SubmissionQueryDto.position(query);
    const { q } = query;
    const filter =
      q === undefined
        ? SubmissionFilterDto.filter(query)
        : await this.filters.readFor(principal, identifier, q);
    const left = untilLeft(response);
    const page = await this.submissions.list(principal, identifier, filter, position, left);
    const parameters = SubmissionQueryDto.parameters(query);
    const json = SubmissionListDto.toJson(page, position, this.config.baseUrl, parameters);
    response.set(SEARCH_COMPLETE, String(page.isComplete)).type('json');
    await sendStream(response, json);
  }

  /** List submissions: the documented sample request uses POST; a body is ignored. */
  @Post('submissions')
  @HttpCode(200)
  @Requires('submissions:read')
  @ApiOkResponse({ type: SubmissionListDto })
  listByPost(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: SubmissionQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.list(principal, identifier, query, response);
  }

  /** Erase a person: remove every submission with this value in this field, spam and trash too. */
  @Delete('submissions')
  @Requires('submissions:write')
  async erase(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() { field, value }: ValueQueryDto,
  ): Promise<ErasedDto> {
    return { erased: await this.erasure.erase(principal, identifier, field, value) };
  }

  /** Tell whether a value was submitted in a field, exactly, not counting spam and the trash. */
  @Get('value_exists')
  @Requires('submissions:read')
  async valueExists(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() { field, value }: ValueQueryDto,
  ): Promise<ValueExistsDto> {
    return { exists: await this.submissions.valueExists(principal, identifier, field, value) };
  }

  /** Erase a person, the value in the body: addresses of requests are logged by many, bodies by few. */
  @Post('submissions/erase')
  @HttpCode(200)
  @Requires('submissions:write')
  eraseByPost(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() asked: ValueQueryDto,
  ): Promise<ErasedDto> {
    return this.erase(principal, identifier, asked);
  }

  /** Tell whether a value was submitted in a field, the value in the body. */
  @Post('value_exists')
  @HttpCode(200)
  @Requires('submissions:read')
  valueExistsByPost(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() asked: ValueQueryDto,
  ): Promise<ValueExistsDto> {
    return this.valueExists(principal, identifier, asked);
  }

  /** Show a submission. */
  @Get('submissions/:id')
  @UuidInPath('id')
  @Requires('submissions:read')
  @ApiOkResponse({ type: SubmissionDto })
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.submissions.show(principal, identifier, id);
    response.type('json').send(submissionJson(found, this.config.baseUrl));
  }

  /** Mark a submission as spam or not, or move it to the trash or out of it; the count follows. */
  @Patch('submissions/:id')
  @UuidInPath('id')
  @Requires('submissions:write')
  @ApiOkResponse({ type: SubmissionDto })
  async mark(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { submission }: ChangeSubmissionDto,
    @Res() response: Response,
  ): Promise<void> {
    const changed = await this.submissions.mark(principal, identifier, id, submission);
    response.type('json').send(submissionJson(changed, this.config.baseUrl));
  }

  /** Delete a submission for good, with its files. */
  @Delete('submissions/:id')
  @UuidInPath('id')
  @Requires('submissions:write')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<MessageDto> {
    await this.erasure.delete(principal, identifier, id);
    return { message: 'The submission has been deleted.' };
  }

  /** Show where a submission came from, as far as it is kept. */
  @Get('submissions/:id/source')
  @UuidInPath('id')
  @Requires('submissions:read')
  async source(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<SubmissionSourceDto> {
    const { submission } = await this.submissions.show(principal, identifier, id);
    const { origin, referer, userAgent, address, country } = submission;
    return { origin, referer, user_agent: userAgent, address, country };
  }

  /** Download a file of a submission. */
  @Get('submissions/:id/files/:fileId')
  @UuidInPath('id')
  @UuidInPath('fileId')
  @Requires('submissions:read')
  @Sends('application/octet-stream', { binary: true })
  async download(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('fileId', Uuid) fileId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(
      response,
      await this.submissions.openFile(principal, identifier, id, fileId),
    );
  }
}
