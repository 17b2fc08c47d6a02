import { Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { FailingRecipients } from '../../bounces/failing-recipients.service.js';
import { textOf } from '../parts/typed.js';
import { pageOf } from './settings-pages.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the buttons beside the recipients that get no more emails, on the page of notifications. */
@WebController('forms/:identifier/recipients/failing')
export class FailingPagesController {
  constructor(private readonly failing: FailingRecipients) {}

  /** Have emails sent to one of them again. */
  @Post()
  @Requires('forms:write')
  async tryAgain(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    await this.failing.tryAgain(principal, identifier, textOf(sent, 'email'));
    return goTo(pageOf(identifier, 'owner'), 'recipient_tried');
  }
}
