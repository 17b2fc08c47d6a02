import { Controller, Delete, Get, Param, Res, Body, HttpCode, HttpStatus, Post, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires, RoutesRequire, Public, InForm, Principal } from '../accounts/access/index.js';
import { sendRanges, Sends, UuidParam } from '../platform/http/index.js';
import type { BulkJob } from './queue/bulk-job.entity.js';
import { BulkJobsService } from './queue/bulk-jobs.service.js';
import {
  BulkJobDto,
  BulkJobListDto,
  NewExportDto,
  BulkChangedDto,
  BulkDto,
  RejudgeDto,
  RejudgePreviewDto,
} from './bulk.dto.js';
import { ExportFiles } from './queue/export-files.service.js';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import { formatUuid, VisitorGuard } from '../platform/index.js';
import { BulkService } from './changes/bulk.service.js';
import { RejudgeService } from './queue/rejudge.service.js';

@Controller('api/v1/jobs')
@RoutesRequire('submissions:read')
export class JobsController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly exports: ExportFiles,
  ) {}

  /** List the jobs of the account or client, newest first; ended jobs stay for 7 days. */
  @Get()
  async list(@CurrentPrincipal() principal: Principal): Promise<BulkJobListDto> {
    const jobs = await this.jobs.list(principal);
    return { jobs: await Promise.all(jobs.map((job) => this.shown(principal, job))) };
  }

  /** Show the progress of a job. */
  @Get(':id')
  async show(@CurrentPrincipal() principal: Principal, @UuidParam('id') id: Buffer | null): Promise<BulkJobDto> {
    return this.shown(principal, await this.jobs.show(principal, id));
  }

  /**
   * Stop a job: what it has changed stays so, and the job is kept to be looked at. Another's job needs
   * `submissions:write` too. One that is over stays as it is.
   */
  @Delete(':id')
  async stop(@CurrentPrincipal() principal: Principal, @UuidParam('id') id: Buffer | null): Promise<BulkJobDto> {
    return this.shown(principal, await this.jobs.stop(principal, id));
  }

  /** Download the file of an export; `Range` resumes a broken download. */
  @Get(':id/file')
  @Sends('application/octet-stream', { binary: true })
  async file(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await sendRanges(response, await this.exports.open(principal, id));
  }

  private async shown(principal: Principal, job: BulkJob) {
    return BulkJobDto.of(job, await this.exports.fileOf(principal, job));
  }
}

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
    @InForm() { principal, identifier }: InForm,
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

@Controller('api/v1/forms/:identifier/exports')
export class ExportJobsController {
  constructor(private readonly jobs: BulkJobsService) {}

  /**
   * Export the current results of `q` to a file, in a background job; a restart starts it again. The job says
   * how far it is, and has the address of the file once it is finished.
   */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  @Requires('submissions:read')
  @ApiAcceptedResponse({ type: BulkJobDto, description: 'The job that writes the file.' })
  async create(
    @InForm() { principal, identifier }: InForm,
    @Body() body: NewExportDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobDto> {
    const layout = NewExportDto.layout(body);
    const created = await this.jobs.createExport(principal, identifier, (body.q ?? '').trim(), layout);
    const job = BulkJobDto.of(created, null);
    response.location(`/api/v1/jobs/${job.id}`);
    return job;
  }
}

@Controller('exports')
export class ExportLinksController {
  constructor(private readonly exports: ExportFiles) {}

  /** Download the file of an export with the link of its job, valid for an hour without a token. */
  @Get(':link')
  @Public()
  @Sends('application/octet-stream', { binary: true })
  @UseGuards(VisitorGuard)
  async download(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await sendRanges(response, await this.exports.openLink(link));
  }
}
