import { Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { Sends } from '../platform/http/sends/sends.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { ReportMails } from '../reports/report-mails.service.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

@Controller('recipients/reports/:link')
@Public()
@UseGuards(VisitorGuard)
export class EndReportsController {
  constructor(
    private readonly pages: Pages,
    private readonly mails: ReportMails,
  ) {}

  /** Show the page that stops mailed reports: programs that open the links of mails end nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.mails.open(link);
    sendPage(response, this.pages.reports());
  }

  /** Stop mailed reports, by the button or by one click in an email program (RFC 8058). */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async end(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.mails.end(link);
    sendPage(response, this.pages.reportsEnded());
  }
}
