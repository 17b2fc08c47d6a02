import { Body, Controller, Delete, Get, Patch, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { RoutesRequire, InForm } from '../accounts/access/index.js';
import { Config } from '../platform/index.js';
import { sendDownload, Sends, MessageDto, UuidParam } from '../platform/http/index.js';
import { ChangeSubmissionDto, SubmissionSourceDto, SubmissionDto } from './dto/submission.dto.js';
import { ErasureService } from './erasure/erasure.service.js';
import { submissionJson } from './dto/submission-json.js';
import { SubmissionMarks } from './submission-marks.service.js';
import { SubmissionsService } from './submissions.service.js';

@Controller('api/v1/forms/:identifier')
@RoutesRequire('submissions:read', 'submissions:write')
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly marks: SubmissionMarks,
    private readonly erasure: ErasureService,
    private readonly config: Config,
  ) {}

  /** Show a submission. */
  @Get('submissions/:id')
  @ApiOkResponse({ type: SubmissionDto })
  async show(@InForm('id') { principal, identifier, id }: InForm, @Res() response: Response): Promise<void> {
    const found = await this.submissions.show(principal, identifier, id);
    response.type('json').send(submissionJson(found, this.config.baseUrl));
  }

  /** Mark a submission as spam or not spam, move it to the trash or restore it; counts follow. */
  @Patch('submissions/:id')
  @ApiOkResponse({ type: SubmissionDto })
  async mark(
    @InForm('id') { principal, identifier, id }: InForm,
    @Body() { submission }: ChangeSubmissionDto,
    @Res() response: Response,
  ): Promise<void> {
    const changed = await this.marks.mark(principal, identifier, id, submission);
    response.type('json').send(submissionJson(changed, this.config.baseUrl));
  }

  /** Delete a submission and its files permanently. */
  @Delete('submissions/:id')
  async delete(@InForm('id') { principal, identifier, id }: InForm): Promise<MessageDto> {
    await this.erasure.delete(principal, identifier, id);
    return { message: 'The submission has been deleted.' };
  }

  /** Show the stored source of a submission. */
  @Get('submissions/:id/source')
  async source(@InForm('id') { principal, identifier, id }: InForm): Promise<SubmissionSourceDto> {
    const { submission } = await this.submissions.show(principal, identifier, id);
    const { origin, referer, userAgent, address, country, language, subject } = submission;
    return { origin, referer, user_agent: userAgent, address, country, language, subject };
  }

  /** Download a file of a submission. */
  @Get('submissions/:id/files/:fileId')
  @Sends('application/octet-stream', { binary: true })
  async download(
    @InForm('id') { principal, identifier, id }: InForm,
    @UuidParam('fileId') fileId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(response, await this.submissions.openFile(principal, identifier, id, fileId));
  }
}
