import { Body, Controller, HttpCode, HttpStatus, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { BulkJobsService } from './queue/bulk-jobs.service.js';
import { BulkJobDto } from './dto/bulk-job.dto.js';
import { BulkService } from './changes/bulk.service.js';
import { BulkChangedDto, BulkDto } from './dto/bulk.dto.js';

@Controller('api/v1/submissions/bulk')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly jobs: BulkJobsService,
  ) {}

  /**
   * Change many submissions of any forms, each independently: up to 100 by their `ids`, at once, or all that
   * `q` means at this moment, by a job that goes on in the background. All but `read` needs `submissions:write`
   * too. Ids that are unknown are left out.
   */
  @Post()
  @HttpCode(200)
  @Requires('submissions:read')
  @ApiOkResponse({ type: BulkChangedDto, description: 'Those of the ids that were changed.' })
  @ApiAcceptedResponse({ type: BulkJobDto, description: 'The job that changes what `q` means.' })
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() body: BulkDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkChangedDto | BulkJobDto> {
    const task = BulkDto.task(body);
    if (task) {
      const job = BulkJobDto.of(await this.jobs.create(principal, task), null);
      response.status(HttpStatus.ACCEPTED).location(`/api/v1/jobs/${job.id}`);
      return job;
    }
    const changed = await this.bulk.change(principal, BulkDto.ids(body), BulkDto.changes(body));
    return { changed: changed.map(formatUuid) };
  }
}
