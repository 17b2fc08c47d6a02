import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { ClientsService } from '../../clients/clients.service.js';
import { ChangeClientMemberDto, withSee } from '../../people/dto/change-member.dto.js';
import { InviteClientMemberDto } from '../../people/dto/invitation.dto.js';
import { InvitationsService } from '../../people/invitations/invitations.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, textsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { InvitationLinkPage } from '../people/invite.page.js';
import { ClientPersonPage, InviteClientPersonPage } from './client-people.page.js';

const NOTHING_TYPED = { name: '', email: '', actions: [], send: true };

/** Serves the pages about the people of a client. */
@WebController('clients/:id')
export class ClientPeoplePagesController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
    private readonly frames: Frames,
  ) {}

  /** Ask whom to invite. */
  @Get('new-person')
  @Requires('people:write')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { client } = await this.clients.show(principal, id);
    const frame = await this.frames.of(request, response);
    const page = { frame, client, typed: NOTHING_TYPED, problems: [] };
    sendPage(response, InviteClientPersonPage(page));
  }

  /** Invite a person, by mail or by a link that this page shows once. */
  @Post('people')
  @Requires('people:write')
  @Fresh()
  async invite(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { client } = await this.clients.show(principal, id);
    const typed = {
      name: textOf(sent, 'person.name'),
      email: textOf(sent, 'person.email'),
      actions: textsOf(sent, 'person.actions'),
      send: isTicked(sent, 'person.send'),
    };
    try {
      const body = await checked(InviteClientMemberDto, { person: typed });
      const standing = InviteClientMemberDto.standing(body, id);
      const { link } = await this.invitations.invite(principal, body.person, standing, typed.send);
      if (link === null) {
        redirect(response, `/clients/${id}`, 'person_invited');
        return;
      }
      const up = { href: `/clients/${id}`, label: client.name };
      const frame = await this.frames.of(request, response);
      sendPage(response, InvitationLinkPage({ frame, name: body.person.name, link, up }));
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      const page = { frame, client, typed, problems };
      sendPage(response, InviteClientPersonPage(page), UNPROCESSABLE);
    }
  }

  /** Show a person of the client. */
  @Get('people/:personId')
  @Requires('people:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { client } = await this.clients.show(principal, id);
    const { person, membership } = await this.members.show(principal, personId, id);
    const sessions = await this.members.sessionsOf(principal, personId, id);
    const { name, email } = person;
    const { actions, disabledAt } = membership;
    const shown = { id: personId, name, email, actions, isDisabled: disabledAt !== null };
    const frame = await this.frames.of(request, response);
    sendPage(response, ClientPersonPage({ frame, client, person: shown, sessions }));
  }

  /** Change what a person may do, or keep them out. */
  @Post('people/:personId')
  @Requires('people:write')
  @Fresh()
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const isDisabled = isTicked(sent, 'person.disabled');
    const typed = { actions: textsOf(sent, 'person.actions'), disabled: isDisabled };
    const { person } = await checked(ChangeClientMemberDto, { person: typed });
    const standing = { clientId: id, actions: withSee(person.actions ?? []) };
    await this.members.change(principal, personId, id, { standing, isDisabled });
    redirect(response, `/clients/${id}/people/${personId}`, 'saved');
  }

  /** Sign a person out everywhere. */
  @Post('people/:personId/sessions/end')
  @Requires('people:write')
  @Fresh()
  async endSessions(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.members.endSessions(principal, personId, id);
    redirect(response, `/clients/${id}/people/${personId}`, 'person_signed_out');
  }

  /** Take a person away from the client. */
  @Post('people/:personId/remove')
  @Requires('people:write')
  @Fresh()
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.members.remove(principal, personId, id);
    redirect(response, `/clients/${id}`, 'person_removed');
  }
}
