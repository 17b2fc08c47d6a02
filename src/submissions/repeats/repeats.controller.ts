import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Config } from '../../platform/config/config.js';
import { Uuid, UuidInPath } from '../../platform/http/wrapped.js';
import { submissionJson } from '../dto/submission-json.js';
import { SubmissionDto } from '../dto/submission.dto.js';
import { RepeatListDto } from './dto/repeat.dto.js';
import { RepeatsService } from './repeats.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/repeats')
export class RepeatsController {
  constructor(
    private readonly repeats: RepeatsService,
    private readonly config: Config,
  ) {}

  /** List when a submission came once more within seconds, as after a double click. */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<RepeatListDto> {
    return RepeatListDto.of(await this.repeats.show(principal, identifier, id));
  }

  /** Make a submission of its own of one that was sent twice; emails, webhooks and destinations are told of it. */
  @Post(':repeat/separate')
  @UuidInPath('id')
  @UuidInPath('repeat')
  @HttpCode(201)
  @Requires('submissions:write')
  @ApiCreatedResponse({ type: SubmissionDto })
  async separate(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('repeat', Uuid) repeat: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const separated = await this.repeats.separate(principal, identifier, id, repeat);
    response.type('json').send(submissionJson(separated, this.config.baseUrl));
  }
}
