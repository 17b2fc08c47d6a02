import { Controller, Delete, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { sendRanges } from '../platform/http/sends/send-ranges.js';
import { Sends } from '../platform/http/sends/sends.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import type { BulkJob } from './queue/bulk-job.entity.js';
import { BulkJobsService } from './queue/bulk-jobs.service.js';
import { BulkJobDto, BulkJobListDto } from './dto/bulk-job.dto.js';
import { ExportJobsService } from './exports/export-jobs.service.js';

@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly exports: ExportJobsService,
  ) {}

  /** List the jobs of the account or client, newest first; ended jobs stay for 7 days. */
  @Get()
  @Requires('submissions:read')
  async list(@CurrentPrincipal() principal: Principal): Promise<BulkJobListDto> {
    const jobs = await this.jobs.list(principal);
    return { jobs: await Promise.all(jobs.map((job) => this.shown(principal, job))) };
  }

  /** Show the progress of a job. */
  @Get(':id')
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<BulkJobDto> {
    return this.shown(principal, await this.jobs.show(principal, id));
  }

  /**
   * Stop a job: what it has changed stays so, and the job is kept to be looked at. Another's job needs
   * `submissions:write` too. One that is over stays as it is.
   */
  @Delete(':id')
  @UuidInPath('id')
  @Requires('submissions:read')
  async stop(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<BulkJobDto> {
    return this.shown(principal, await this.jobs.stop(principal, id));
  }

  /** Download the file of an export; `Range` resumes a broken download. */
  @Get(':id/file')
  @UuidInPath('id')
  @Requires('submissions:read')
  @Sends('application/octet-stream', { binary: true })
  async file(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await sendRanges(response, await this.exports.open(principal, id));
  }

  private async shown(principal: Principal, job: BulkJob): Promise<BulkJobDto> {
    return BulkJobDto.of(job, await this.exports.fileOf(principal, job));
  }
}
