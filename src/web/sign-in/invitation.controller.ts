import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { keepSession } from '../../auth/session.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { Config } from '../../platform/config/config.js';
import { InvitationsService } from '../../people/invitations.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in.service.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { AskInvitationPage, InvitationPage } from './invitation.page.js';
import { deviceOf, readName } from './person-fields.js';
import { HOME } from './sign-in.controller.js';

/** Lets people accept what they were invited to. Only accepting uses an invitation up. */
@Controller('invitation')
@WebPage('everyone')
@UseFilters(WebFilter)
export class InvitationController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly signIns: SignInService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Take the invitation from the link. */
  @Get()
  async ask(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn ?? null);
    sendPage(response, AskInvitationPage({ frame }));
  }

  /** Show where the invitation leads. */
  @Post()
  async open(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const secret = textOf(typed, 'invitation');
    const open = await this.invitations.open(secret);
    const frame = await this.frames.of(request, response, signedIn ?? null);
    sendPage(response, InvitationPage({ frame, secret, open, isSignedIn: signedIn !== undefined }));
  }

  /** Accept it: as who is signed in, or as somebody new. */
  @Post('accept')
  async accept(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const secret = textOf(typed, 'invitation');
    const device = deviceOf(request, this.config, false);
    if (signedIn) {
      const membership = await this.invitations.join(secret, signedIn, device.address);
      await this.signIns.switchTo(signedIn, membership.id);
      redirect(response, HOME, 'invitation_accepted');
      return;
    }
    try {
      const details = readName(request, typed);
      const password = textOf(typed, 'password');
      const begun = await this.invitations.accept(secret, details, password, device);
      keepSession(response, this.config, begun);
      redirect(response, HOME, 'invitation_accepted');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const open = await this.invitations.open(secret);
      const frame = await this.frames.of(request, response, null);
      const page = { frame, secret, open, isSignedIn: false, name: textOf(typed, 'name') };
      sendPage(response, InvitationPage({ ...page, problems: error.fields }), 422);
    }
  }
}
