import { Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { isTicked } from '../parts/typed.js';
import { InvitationLinkPage } from './invite.page.js';
import { PEOPLE } from './people.page.js';
import { goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the actions on open invitations. */
@WebController('invitations')
@Fresh()
export class InvitationPagesController {
  constructor(private readonly invitations: InvitationsService) {}

  /** Send one again, by mail or by a link that this page shows once. */
  @Post(':id/resend')
  @Requires('people:write')
  async resend(
    @Asked() { principal, typed: sent }: PageInput,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<PageAnswer> {
    const isMailed = isTicked(sent, 'send');
    const { invitation, link } = await this.invitations.resend(principal, id, isMailed);
    if (link === null) {
      return goTo(PEOPLE.href, 'person_invited');
    }
    const { name } = invitation;
    return page(InvitationLinkPage, { name, link, up: PEOPLE });
  }

  /** Take one back. */
  @Post(':id/withdraw')
  @Requires('people:write')
  async withdraw(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<PageAnswer> {
    await this.invitations.withdraw(principal, id);
    return goTo(PEOPLE.href, 'invitation_withdrawn');
  }
}
