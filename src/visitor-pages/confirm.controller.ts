import { Controller, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { Sends } from '../platform/http/sends/sends.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { Pages } from './pages.js';
import { sendPage } from './send-page.js';

@Controller('recipients/:link')
@Public()
@UseGuards(VisitorGuard)
export class ConfirmController {
  constructor(
    private readonly pages: Pages,
    private readonly recipients: RecipientsService,
  ) {}

  /** Show the page that confirms a recipient: programs that open the links of mails confirm nothing. */
  @Get()
  @Sends('text/html')
  async ask(@Param('link') link: string, @Res() response: Response): Promise<void> {
    sendPage(response, this.pages.confirm(await this.recipients.open(link)));
  }

  /** Confirm a recipient of an account's forms. */
  @Post()
  @HttpCode(200)
  @Sends('text/html')
  async confirm(@Param('link') link: string, @Res() response: Response): Promise<void> {
    sendPage(response, this.pages.confirmed(await this.recipients.confirm(link)));
  }
}
