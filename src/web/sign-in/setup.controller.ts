import { Get, Post, Body, HttpCode, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Scope } from '../../accounts/access/index.js';
import { Browsers, deviceOf } from '../../people/auth/browsers.cookie.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { Config } from '../../platform/index.js';
import { AcceptancesService, type OpenInvitation } from '../../people/invitations/invitations.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { SignInService } from '../../people/sign-in/sign-in.service.js';
import { textOf, type Typed } from '../parts/index.js';
import { AskInvitationPage, InvitationPage, SetupPage } from './sign-in.page.js';
import { readFirstWay, readName, readPerson } from './person-fields.js';
import { HOME } from './sign-in.controller.js';
import { attempt, goTo, page, Asked, type OpenPageInput, type PageInput, WebController } from '../kit/index.js';
import { SetupService } from '../../people/setup/setup.service.js';

/** Returns the client that somebody is invited to, and that the page shows as the one who invites; undefined for none. */
function inviterOf({ invitation: { accountId, standing } }: OpenInvitation): Scope | undefined {
  const { clientId } = standing;
  return accountId === null || clientId === null ? undefined : { accountId, clientId };
}

/** Serves the page on which the holder of the setup code becomes an owner. */
@WebController('', 'everyone')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly passkeys: PasskeysService,
    private readonly browsers: Browsers,
    private readonly config: Config,
    private readonly acceptances: AcceptancesService,
    private readonly signIns: SignInService,
    private readonly addresses: PublicAddresses,
  ) {}

  /** Ask for the code and who the owner is. Opening this uses nothing up. */
  @Get('setup')
  ask() {
    const hasPasskeys = this.passkeys.arePossible;
    return page(SetupPage, { hasPasskeys }, { isSignedOut: true });
  }

  /** Hand out what a browser needs to make the first passkey of somebody new, here or by an invitation. */
  @Post('setup/passkey')
  @HttpCode(200)
  async optionsForNew(@Body() typed: Typed | undefined, @Res() response: Response): Promise<void> {
    const details = { email: textOf(typed, 'email').trim(), name: textOf(typed, 'name').trim() };
    const options = await this.passkeys.optionsForNew(details);
    response.set('Cache-Control', 'no-store').json({ options });
  }

  /** Make the owner, and sign them in. */
  @Post('setup')
  async claim(@Asked() { typed, request, response }: PageInput) {
    return attempt(
      async () => {
        const details = readPerson(request, typed);
        const device = deviceOf(request, this.config, false);
        const way = readFirstWay(request, typed);
        const begun = await this.setup.claim(textOf(typed, 'code'), details, way, device);
        await this.browsers.letIn(request, response, begun);
        return goTo(HOME, 'welcome');
      },
      (problems) => {
        const [code, email] = [textOf(typed, 'code'), textOf(typed, 'email')];
        const kept = { code, email, name: textOf(typed, 'name') };
        const shown = { typed: kept, hasPasskeys: this.passkeys.arePossible, problems };
        return page(SetupPage, shown, { isSignedOut: true });
      },
    );
  }

  /** Take the invitation from the link. */
  @Get('invitation')
  askInvitation() {
    return page(AskInvitationPage, {});
  }

  /** Show where the invitation leads. */
  @Post('invitation')
  async open(@Asked() { typed, request, signedIn }: OpenPageInput) {
    const secret = textOf(typed, 'invitation');
    const open = await this.acceptances.open(secret);
    const shown = { secret, open, hasPasskeys: await this.arePasskeysPossible(request) };
    const isSignedIn = signedIn !== undefined;
    return page(InvitationPage, { ...shown, isSignedIn }, { brandOf: inviterOf(open) });
  }

  /** Accept it: as who is signed in, or as somebody new. */
  @Post('invitation/accept')
  async accept(@Asked() { typed, request, response, signedIn }: OpenPageInput) {
    const secret = textOf(typed, 'invitation');
    const device = deviceOf(request, this.config, false);
    if (signedIn) {
      const membership = await this.acceptances.join(secret, signedIn, device.address);
      await this.signIns.switchTo(signedIn, membership.id);
      return goTo(HOME, 'invitation_accepted');
    }
    return attempt(
      async () => {
        const details = readName(request, typed);
        const way = readFirstWay(request, typed);
        const begun = await this.acceptances.accept(secret, details, way, device);
        await this.browsers.letIn(request, response, begun);
        return goTo(HOME, 'invitation_accepted');
      },
      async (problems) => {
        const open = await this.acceptances.open(secret);
        const hasPasskeys = await this.arePasskeysPossible(request);
        const kept = { isSignedIn: false, name: textOf(typed, 'name') };
        const shown = { secret, open, hasPasskeys, ...kept, problems };
        return page(InvitationPage, shown, { brandOf: inviterOf(open) });
      },
    );
  }

  private async arePasskeysPossible(request: Request) {
    return this.passkeys.arePossible && (await this.addresses.isOurs(request));
  }
}
