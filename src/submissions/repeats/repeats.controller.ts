import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { UuidParam } from '../../platform/http/index.js';
import { submissionJson } from '../dto/submission-json.js';
import { SubmissionDto } from '../dto/submission.dto.js';
import { RepeatListDto } from './repeat.dto.js';
import { RepeatsService } from './repeats.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/repeats')
@RoutesRequire('submissions:read', 'submissions:write')
export class RepeatsController {
  constructor(
    private readonly repeats: RepeatsService,
    private readonly config: Config,
  ) {}

  /** List when a submission came once more within seconds, as after a double click. */
  @Get()
  async list(@InForm('id') { principal, identifier, id }: InForm): Promise<RepeatListDto> {
    return RepeatListDto.of(await this.repeats.show(principal, identifier, id));
  }

  /** Make a submission of its own of one that was sent twice; emails, webhooks and destinations are told of it. */
  @Post(':repeat/separate')
  @HttpCode(201)
  @ApiCreatedResponse({ type: SubmissionDto })
  async separate(
    @InForm('id') { principal, identifier, id }: InForm,
    @UuidParam('repeat') repeat: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const separated = await this.repeats.separate(principal, identifier, id, repeat);
    response.type('json').send(submissionJson(separated, this.config.baseUrl));
  }
}
