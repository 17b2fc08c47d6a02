import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { EmailChangeService } from '../../people/profile/email-change.service.js';
import { AddressLinkOver } from '../../people/person/person.errors.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { ProofFramePage } from '../previews/mail-frame.page.js';
import { textOf } from '../parts/typed.js';
import { readEmail } from '../sign-in/person-fields.js';
import { emailWords } from './words.js';
import { ConfirmEmailPage, EmailAskedPage, EmailPage } from './email.page.js';
import { attempt, framed, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const NOT_FOUND = 404;

/** Serves the pages that change the address a person signs in with. */
@WebController('account/email', 'people')
export class EmailPagesController {
  constructor(
    private readonly emails: EmailChangeService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Ask for the new one. */
  @Get()
  show(@Asked() { signedIn }: PageInput): PageAnswer {
    return page(EmailPage, { current: signedIn.person.email });
  }

  /** Mail a link to it. */
  @Post()
  @Fresh()
  async ask(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    return attempt(
      async () => {
        const email = readEmail(typed);
        await this.askFor(signedIn, email, request);
        return page(EmailAskedPage, { email });
      },
      (problems) => {
        const shown = { current: signedIn.person.email, email: textOf(typed, 'email').trim() };
        return page(EmailPage, { ...shown, problems });
      },
    );
  }

  /** Mail a link to the address that the person has, to show that it is theirs. */
  @Post('proof')
  async prove(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    const { email } = signedIn.person;
    await this.askFor(signedIn, email, request);
    return page(EmailAskedPage, { email, isKnown: true });
  }

  /** Mail the same, and say so in the frame beside the settings of a form, where nothing typed is lost. */
  @Post('framed-proof')
  proveFramed(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    const { email } = signedIn.person;
    return answerInFrame(async () => {
      await this.askFor(signedIn, email, request);
      return framed(ProofFramePage({ message: emailWords.sent(email) }));
    });
  }

  /** Take the link of the mail; opening it changes nothing. */
  @Get('confirm')
  open(): PageAnswer {
    return page(ConfirmEmailPage, {});
  }

  /** Change the address. */
  @Post('confirm')
  @Fresh()
  async confirm(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    try {
      const address = addressOf(request, this.config);
      const isOther = await this.emails.confirm(signedIn, textOf(typed, 'link'), address);
      return goTo('/account', isOther ? 'email_changed' : 'email_proved');
    } catch (error) {
      if (!(error instanceof AddressLinkOver)) throw error;
      return page(ConfirmEmailPage, { problem: error.message }, { status: NOT_FOUND });
    }
  }

  private async askFor(signedIn: SignedIn, email: string, request: Request): Promise<void> {
    const baseUrl = await this.addresses.ofRequest(request);
    await this.emails.ask(signedIn, email, addressOf(request, this.config), baseUrl);
  }
}
