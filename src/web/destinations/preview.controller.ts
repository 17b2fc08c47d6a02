import { Body, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DestinationPreviews } from '../../destinations/destination-previews.js';
import { sendFramed } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import type { Typed } from '../parts/typed.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { MailFramePage } from '../previews/mail-frame.page.js';
import { labelOfField } from './settings.js';
import { bodyOf, readTyped } from './typed.js';

/** Serves the frame that shows the mail of a destination, on its page. */
@WebController('forms/:identifier/destination-preview')
export class DestinationPreviewController {
  constructor(private readonly previews: DestinationPreviews) {}

  /** Show the mail as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await answerInFrame(
      response,
      async () => {
        const { settings } = bodyOf(readTyped(sent, 'email', 0), 'email', true);
        const { message, submissionId, ...whom } = await this.previews.of(
          principal,
          identifier,
          settings,
        );
        const { to: recipients, cc, bcc } = whom;
        const mail = { isOn: true, recipients, cc, bcc, message, isSample: submissionId === null };
        sendFramed(response, MailFramePage({ mail, test: null }));
      },
      labelOfField,
    );
  }
}
