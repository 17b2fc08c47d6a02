import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { beginningOf } from '../../deliveries/model/attempt-result.js';
import type { PreviewedSettings } from '../../forms/model/form.entity.js';
import type { FormMail } from '../../mail/messages/form-mails.js';
import { MailPreviews, type MailPreview } from '../../mail/mail-previews.service.js';
import { TestMailsService } from '../../people/profile/test-mails.service.js';
import { framed, type PageAnswer } from '../kit/answers.js';
import { textOf, type Typed } from '../parts/typed.js';
import { Asked, WebController, type PageInput } from '../kit/web-controller.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { MailFramePage, type MailShown, type TestShown } from '../previews/mail-frame.page.js';
import { settingsTyped, typedOf } from './settings.js';
import { visitorMailStored, visitorMailTyped } from './visitor-mail.js';

/** Serves the frames that show the mails of a form, on the page of its notifications. */
@WebController('forms/:identifier/mails')
export class MailPagesController {
  constructor(
    private readonly previews: MailPreviews,
    private readonly tests: TestMailsService,
  ) {}

  /** Show a mail as the stored settings make it. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    const mail = mailOf(textOf(query, 'mail'));
    const preview = await this.previews.of(principal, identifier, mail, {});
    return framed(MailFramePage({ mail: shownOf(preview), test: null }));
  }

  /** Show a mail as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  preview(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    return this.answer(typed, async (mail, settings) => {
      const preview = await this.previews.of(principal, identifier, mail, settings);
      return { mail: shownOf(preview), test: null };
    });
  }

  /** Send who is signed in a mail as what is typed makes it. */
  @Post('tests')
  @Requires('forms:write')
  test(@Asked() { principal, signedIn, identifier, typed }: PageInput): Promise<PageAnswer> {
    return this.answer(typed, async (mail, settings) => {
      const ended = await this.tests.send(signedIn, { identifier, mail, settings });
      const { verdict, outcome, answer } = ended;
      const preview = await this.previews.of(principal, identifier, mail, settings);
      const { email: to } = signedIn.person;
      const test = { to, verdict, outcome, answer: answer && beginningOf(answer) };
      return { mail: shownOf(preview), test };
    });
  }

  private answer(
    sent: Typed | undefined,
    make: (
      mail: FormMail,
      settings: PreviewedSettings,
    ) => Promise<{ mail: MailShown; test: TestShown | null }>,
  ): Promise<PageAnswer> {
    return answerInFrame(async () => {
      const mail = mailOf(textOf(sent, 'mail'));
      const visitorMail = visitorMailTyped(sent);
      const settings = visitorMail
        ? await visitorMailStored(visitorMail)
        : await settingsTyped(mail, typedOf(sent));
      return framed(MailFramePage(await make(mail, settings)));
    });
  }
}

function mailOf(text: string): FormMail {
  return text === 'visitor' ? 'visitor' : 'owner';
}

function shownOf({ isOn, recipients, message, submissionId }: MailPreview): MailShown {
  return { isOn, recipients, message, isSample: submissionId === null };
}
