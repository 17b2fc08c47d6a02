import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '../../access/principal.js';
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
import { textOf } from '../parts/typed.js';
import { AskInvitationPage, InvitationPage } from './setup.page.js';
import { readFirstWay, readName } from './person-fields.js';
import { HOME } from './sign-in.controller.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the pages of an invitation. Only accepting it uses it up. */
@WebController('invitation', 'everyone')
export class InvitationController {
  constructor(
    private readonly acceptances: AcceptancesService,
    private readonly signIns: SignInService,
    private readonly passkeys: PasskeysService,
    private readonly browsers: Browsers,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Take the invitation from the link. */
  @Get()
  ask(): PageAnswer {
    return page(AskInvitationPage, {});
  }

  /** Show where the invitation leads. */
  @Post()
  async open(
    @Asked() { typed, request }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const secret = textOf(typed, 'invitation');
    const open = await this.acceptances.open(secret);
    const shown = { secret, open, hasPasskeys: await this.arePasskeysPossible(request) };
    const isSignedIn = signedIn !== undefined;
    return page(InvitationPage, { ...shown, isSignedIn }, { brandOf: inviterOf(open) });
  }

  /** Accept it: as who is signed in, or as somebody new. */
  @Post('accept')
  async accept(
    @Asked() { typed, request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
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

  private async arePasskeysPossible(request: Request): Promise<boolean> {
    return this.passkeys.arePossible && (await this.addresses.isOurs(request));
  }
}

/** Returns the client that somebody is invited to, and that the page shows as the one who invites; undefined for none. */
function inviterOf({ invitation: { accountId, standing } }: OpenInvitation): Scope | undefined {
  const { clientId } = standing;
  return accountId === null || clientId === null ? undefined : { accountId, clientId };
}
