import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import {
  AcceptancesService,
  type OpenInvitation,
} from '../../people/invitations/acceptances.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import type { Frame } from '../layout/shell.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { AskInvitationPage, InvitationPage } from './invitation.page.js';
import { readFirstWay, readName } from './person-fields.js';
import { HOME } from './sign-in.controller.js';

/** Serves the pages of an invitation. Only accepting it uses it up. */
@Controller('invitation')
@WebPage('everyone')
@UseFilters(WebFilter)
export class InvitationController {
  constructor(
    private readonly acceptances: AcceptancesService,
    private readonly signIns: SignInService,
    private readonly passkeys: PasskeysService,
    private readonly browsers: Browsers,
    private readonly addresses: PublicAddresses,
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
    const open = await this.acceptances.open(secret);
    const frame = await this.frameOf(open, signedIn ?? null, request, response);
    const page = { frame, secret, open, hasPasskeys: await this.arePasskeysPossible(request) };
    sendPage(response, InvitationPage({ ...page, isSignedIn: signedIn !== undefined }));
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
      const membership = await this.acceptances.join(secret, signedIn, device.address);
      await this.signIns.switchTo(signedIn, membership.id);
      redirect(response, HOME, 'invitation_accepted');
      return;
    }
    try {
      const details = readName(request, typed);
      const way = readFirstWay(request, typed);
      const begun = await this.acceptances.accept(secret, details, way, device);
      await this.browsers.letIn(request, response, begun);
      redirect(response, HOME, 'invitation_accepted');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const open = await this.acceptances.open(secret);
      const frame = await this.frameOf(open, null, request, response);
      const page = { frame, secret, open, hasPasskeys: await this.arePasskeysPossible(request) };
      const kept = { isSignedIn: false, name: textOf(typed, 'name') };
      sendPage(
        response,
        InvitationPage({ ...page, ...kept, problems: error.fields }),
        UNPROCESSABLE,
      );
    }
  }

  private async arePasskeysPossible(request: Request): Promise<boolean> {
    return this.passkeys.arePossible && (await this.addresses.isOurs(request));
  }

  /** Returns the frame, in which somebody who is invited to a client sees who invites. */
  private async frameOf(
    { invitation: { accountId, standing } }: OpenInvitation,
    signedIn: SignedIn | null,
    request: Request,
    response: Response,
  ): Promise<Frame> {
    const frame = await this.frames.of(request, response, signedIn);
    if (signedIn || accountId === null || standing.clientId === null) return frame;
    return {
      ...frame,
      brand: await this.frames.brandOf({ accountId, clientId: standing.clientId }),
    };
  }
}
