import { Body, Controller, HttpCode, HttpStatus, Param, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { BulkJobDto } from './dto/bulk-job.dto.js';
import { NewExportDto } from './dto/new-export.dto.js';
import { ExportJobsService } from './exports/export-jobs.service.js';

@Controller('api/v1/forms/:identifier/exports')
export class ExportJobsController {
  constructor(private readonly exports: ExportJobsService) {}

  /**
   * Export the current results of `q` to a file, in a background job; a restart starts it again. The job says
   * how far it is, and has the address of the file once it is finished.
   */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  @Requires('submissions:read')
  @ApiAcceptedResponse({ type: BulkJobDto, description: 'The job that writes the file.' })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: NewExportDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobDto> {
    const layout = NewExportDto.layout(body);
    const created = await this.exports.create(principal, identifier, (body.q ?? '').trim(), layout);
    const job = BulkJobDto.of(created, null);
    response.location(`/api/v1/jobs/${job.id}`);
    return job;
  }
}
