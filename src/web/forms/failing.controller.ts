import { Body, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FailingRecipients } from '../../bounces/failing-recipients.service.js';
import { redirect } from '../layout/flash.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { pageOf } from './settings-pages.js';

/** Serves the buttons beside the recipients that get no more emails, on the page of notifications. */
@WebController('forms/:identifier/recipients/failing')
export class FailingPagesController {
  constructor(private readonly failing: FailingRecipients) {}

  /** Have emails sent to one of them again. */
  @Post()
  @Requires('forms:write')
  async tryAgain(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.failing.tryAgain(principal, identifier, textOf(sent, 'email'));
    redirect(response, pageOf(identifier, 'owner'), 'recipient_tried');
  }
}
