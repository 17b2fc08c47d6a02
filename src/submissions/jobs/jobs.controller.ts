import { Controller, Delete, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/uuid.pipe.js';
import { BulkJobsService } from './bulk-jobs.service.js';
import { BulkJobDto, BulkJobListDto } from './dto/bulk-job.dto.js';

@Controller('api/v1/jobs')
export class JobsController {
  constructor(private readonly jobs: BulkJobsService) {}

  /** List the newest jobs of the account, or of the client, newest first; those that ended are kept for 7 days. */
  @Get()
  @Requires('submissions:read')
  async list(@CurrentPrincipal() principal: Principal): Promise<BulkJobListDto> {
    const jobs = await this.jobs.list(principal);
    return { jobs: jobs.map((job) => BulkJobDto.of(job)) };
  }

  /** Show how far a job is. */
  @Get(':id')
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<BulkJobDto> {
    return BulkJobDto.of(await this.jobs.show(principal, id));
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
    return BulkJobDto.of(await this.jobs.stop(principal, id));
  }
}
