import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../access/access.decorators.js';
import { ReadsUpload } from '../platform/http/bodies/body.guard.js';
import { BounceGuard } from './bounce.guard.js';
import { BouncesService } from './bounces.service.js';
import { readPostmark, readSendGrid, readSes } from './reading/providers.js';
import { confirmationIn, confirmSubscription, notificationIn } from './sns.js';

/** Takes reports of mail providers. What is no report of a mail of ours is ignored, so that it does not come again. */
@Controller('bounces')
@Public()
@ReadsUpload()
@UseGuards(BounceGuard)
export class BouncesController {
  constructor(private readonly bounces: BouncesService) {}

  /** Take a webhook of Postmark. Needs `BOUNCE_TOKEN` as a bearer token or password; 404 when that is not set. */
  @Post('postmark')
  @HttpCode(204)
  async postmark(@Body() body: unknown): Promise<void> {
    await this.bounces.take(readPostmark(body));
  }

  /** Take events of SendGrid. Needs `BOUNCE_TOKEN` as a bearer token or password; 404 when that is not set. */
  @Post('sendgrid')
  @HttpCode(204)
  async sendGrid(@Body() body: unknown): Promise<void> {
    await this.bounces.take(readSendGrid(body));
  }

  /**
   * Take a notification of Amazon SES by SNS, and confirm its subscription. Needs `BOUNCE_TOKEN` as a password; 404
   * when that is not set.
   */
  @Post('ses')
  @HttpCode(204)
  async ses(@Body() body: unknown): Promise<void> {
    const url = confirmationIn(body);
    if (url !== null) await confirmSubscription(url);
    else await this.bounces.take(readSes(notificationIn(body)));
  }
}
