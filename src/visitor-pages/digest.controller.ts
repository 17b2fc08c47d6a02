import { Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { Sends } from '../platform/http/sends/sends.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { ViewDigestsService } from '../saved-views/view-digests.service.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

@Controller('recipients/digests/:link')
@Public()
@UseGuards(VisitorGuard)
export class DigestController {
  constructor(
    private readonly pages: Pages,
    private readonly digests: ViewDigestsService,
  ) {}

  /** Show what a link ends, with a button: programs that open the links of mails end nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.digests.open(link);
    sendPage(response, this.pages.digest());
  }

  /** End the mails about a view, as the button does, or a mail program by one click (RFC 8058). */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async end(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await this.digests.end(link);
    sendPage(response, this.pages.digestEnded());
  }
}
