import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { EmailChangeService } from '../../people/profile/email-change.service.js';
import { AddressLinkOver } from '../../people/person/person.errors.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { answerInFrame } from '../previews/answer-in-frame.js';
import { ProofFramePage } from '../previews/mail-frame.page.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendFramed, sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { readEmail } from '../sign-in/person-fields.js';
import { emailWords } from './words.js';
import { ConfirmEmailPage, EmailAskedPage, EmailPage } from './email.page.js';

const NOT_FOUND = 404;

/** Serves the pages that change the address a person signs in with. */
@Controller('account/email')
@WebPage('people')
@UseFilters(WebFilter)
export class EmailPagesController {
  constructor(
    private readonly emails: EmailChangeService,
    private readonly frames: Frames,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Ask for the new one. */
  @Get()
  async show(
    @CurrentPerson() { person: { email: current } }: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(response, EmailPage({ frame: await this.frames.of(request, response), current }));
  }

  /** Mail a link to it. */
  @Post()
  @Fresh()
  async ask(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const frame = await this.frames.of(request, response);
    try {
      const email = readEmail(typed);
      await this.askFor(signedIn, email, request);
      sendPage(response, EmailAskedPage({ frame, email }));
    } catch (error) {
      const page = { frame, current: signedIn.person.email, email: textOf(typed, 'email').trim() };
      sendPage(response, EmailPage({ ...page, problems: problemsOf(error) }), UNPROCESSABLE);
    }
  }

  /** Mail a link to the address that the person has, to show that it is theirs. */
  @Post('proof')
  async prove(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { email } = signedIn.person;
    await this.askFor(signedIn, email, request);
    const frame = await this.frames.of(request, response);
    sendPage(response, EmailAskedPage({ frame, email, isKnown: true }));
  }

  /** Mail the same, and say so in the frame beside the settings of a form, where nothing typed is lost. */
  @Post('framed-proof')
  async proveFramed(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { email } = signedIn.person;
    await answerInFrame(response, async () => {
      await this.askFor(signedIn, email, request);
      sendFramed(response, ProofFramePage({ message: emailWords.sent(email) }));
    });
  }

  /** Take the link of the mail; opening it changes nothing. */
  @Get('confirm')
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendPage(response, ConfirmEmailPage({ frame: await this.frames.of(request, response) }));
  }

  /** Change the address. */
  @Post('confirm')
  @Fresh()
  async confirm(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      const address = addressOf(request, this.config);
      const isOther = await this.emails.confirm(signedIn, textOf(typed, 'link'), address);
      redirect(response, '/account', isOther ? 'email_changed' : 'email_proved');
    } catch (error) {
      if (!(error instanceof AddressLinkOver)) throw error;
      const frame = await this.frames.of(request, response);
      sendPage(response, ConfirmEmailPage({ frame, problem: error.message }), NOT_FOUND);
    }
  }

  private async askFor(signedIn: SignedIn, email: string, request: Request): Promise<void> {
    const baseUrl = await this.addresses.ofRequest(request);
    await this.emails.ask(signedIn, email, addressOf(request, this.config), baseUrl);
  }
}
