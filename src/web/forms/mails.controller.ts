import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { beginningOf } from '../../deliveries/model/attempt-result.js';
import type { PreviewedSettings } from '../../forms/model/form.entity.js';
import type { FormMail } from '../../mail/messages/form-mails.js';
import { MailPreviews, type MailPreview } from '../../mail/mail-previews.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { TestMailsService } from '../../people/profile/test-mails.service.js';
import { sendFramed } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
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
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query('mail') mail: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const preview = await this.previews.of(principal, identifier, mailOf(mail), {});
    sendFramed(response, MailFramePage({ mail: shownOf(preview), test: null }));
  }

  /** Show a mail as what is typed makes it; nothing is stored. */
  @Post()
  @Requires('forms:write')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer(response, sent, async (mail, settings) => {
      const preview = await this.previews.of(principal, identifier, mail, settings);
      return { mail: shownOf(preview), test: null };
    });
  }

  /** Send who is signed in a mail as what is typed makes it. */
  @Post('tests')
  @Requires('forms:write')
  async test(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() signedIn: SignedIn,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer(response, sent, async (mail, settings) => {
      const ended = await this.tests.send(signedIn, { identifier, mail, settings });
      const { verdict, outcome, answer } = ended;
      const preview = await this.previews.of(principal, identifier, mail, settings);
      const { email: to } = signedIn.person;
      const test = { to, verdict, outcome, answer: answer && beginningOf(answer) };
      return { mail: shownOf(preview), test };
    });
  }

  private answer(
    response: Response,
    sent: Typed | undefined,
    make: (
      mail: FormMail,
      settings: PreviewedSettings,
    ) => Promise<{ mail: MailShown; test: TestShown | null }>,
  ): Promise<void> {
    return answerInFrame(response, async () => {
      const mail = mailOf(textOf(sent, 'mail'));
      const visitorMail = visitorMailTyped(sent);
      const settings = visitorMail
        ? await visitorMailStored(visitorMail)
        : await settingsTyped(mail, typedOf(sent));
      sendFramed(response, MailFramePage(await make(mail, settings)));
    });
  }
}

function mailOf(text: string | undefined): FormMail {
  return text === 'visitor' ? 'visitor' : 'owner';
}

function shownOf({ isOn, recipients, message, submissionId }: MailPreview): MailShown {
  return { isOn, recipients, message, isSample: submissionId === null };
}
