import { Body, Controller, HttpCode, HttpStatus, Param, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { BulkJobDto } from './dto/bulk-job.dto.js';
import { RejudgeDto, RejudgePreviewDto } from './dto/rejudge.dto.js';
import { RejudgeService } from './queue/rejudge.service.js';

@Controller('api/v1/forms/:identifier/submissions/rejudge')
export class RejudgeController {
  constructor(private readonly rejudge: RejudgeService) {}

  /**
   * Re-check the submissions of a form with its current spam settings, in a background job; with `dry_run`,
   * count how many of the newest 1,000 would move. What a person decided, starred, answered, finished or threw
   * away stays. What is spam now is not sent any more, and what is none is sent once.
   */
  @Post()
  @HttpCode(200)
  @Requires('submissions:write')
  @ApiOkResponse({ type: RejudgePreviewDto, description: 'What would move, with `dry_run`.' })
  @ApiAcceptedResponse({ type: BulkJobDto, description: 'The job that judges again.' })
  async judge(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { q = '', dry_run: isDry = false }: RejudgeDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RejudgePreviewDto | BulkJobDto> {
    const line = q.trim();
    if (isDry) {
      return RejudgePreviewDto.of(await this.rejudge.preview(principal, identifier, line));
    }
    const job = BulkJobDto.of(await this.rejudge.start(principal, identifier, line), null);
    response.status(HttpStatus.ACCEPTED).location(`/api/v1/jobs/${job.id}`);
    return job;
  }
}
