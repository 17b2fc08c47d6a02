import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { sendRanges } from '../platform/http/sends/send-ranges.js';
import { Sends } from '../platform/http/sends/sends.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { ExportJobsService } from './exports/export-jobs.service.js';

@Controller('exports')
export class ExportLinksController {
  constructor(private readonly exports: ExportJobsService) {}

  /** Download the file of an export with the link of its job, valid for an hour without a token. */
  @Get(':link')
  @Public()
  @Sends('application/octet-stream', { binary: true })
  @UseGuards(VisitorGuard)
  async download(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await sendRanges(response, await this.exports.openLink(link));
  }
}
