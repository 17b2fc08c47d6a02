import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { SignInPage } from './sign-in.page.js';
import { page, type PageAnswer } from '../kit/answers.js';

/** Makes the page that offers all ways to sign in that there are. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly links: LinkSignInService,
    private readonly oidc: OidcSignInService,
    private readonly passkeys: PasskeysService,
    private readonly addresses: PublicAddresses,
  ) {}

  /** @param shown where to go on; what was typed, and what is wrong with it */
  async page(
    request: Request,
    shown: { next: string; email?: string; problems?: FieldProblem[] },
  ): Promise<PageAnswer> {
    const isOurs = await this.addresses.isOurs(request);
    const ways = {
      isLinkOffered: this.links.isOffered,
      providerName: isOurs ? this.oidc.providerName : null,
      hasPasskeys: isOurs && this.passkeys.arePossible,
    };
    return page(SignInPage, { ...ways, ...shown }, { isSignedOut: true });
  }
}
