import { Body, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { isTicked, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { InvitationLinkPage } from './invite.page.js';
import { PEOPLE } from './people.page.js';

/** Serves the actions on open invitations. */
@WebController('invitations')
@Fresh()
export class InvitationPagesController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly frames: Frames,
  ) {}

  /** Send one again, by mail or by a link that this page shows once. */
  @Post(':id/resend')
  @Requires('people:write')
  async resend(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const isMailed = isTicked(sent, 'send');
    const { invitation, link } = await this.invitations.resend(principal, id, isMailed);
    if (link === null) {
      redirect(response, PEOPLE.href, 'person_invited');
      return;
    }
    const frame = await this.frames.of(request, response);
    const { name } = invitation;
    sendPage(response, InvitationLinkPage({ frame, name, link, up: PEOPLE }));
  }

  /** Take one back. */
  @Post(':id/withdraw')
  @Requires('people:write')
  async withdraw(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await this.invitations.withdraw(principal, id);
    redirect(response, PEOPLE.href, 'invitation_withdrawn');
  }
}
