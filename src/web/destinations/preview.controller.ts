import { Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { DestinationPreviews } from '../../destinations/destination-previews.js';
import { framed, type PageAnswer } from '../kit/answers.js';
import { Asked, WebController, type PageInput } from '../kit/web-controller.js';
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
  preview(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    return answerInFrame(async () => {
      const { settings } = bodyOf(readTyped(typed, 'email', 0), 'email', true);
      const { message, submissionId, ...whom } = await this.previews.of(
        principal,
        identifier,
        settings,
      );
      const { to: recipients, cc, bcc } = whom;
      const mail = { isOn: true, recipients, cc, bcc, message, isSample: submissionId === null };
      return framed(MailFramePage({ mail, test: null }));
    }, labelOfField);
  }
}
